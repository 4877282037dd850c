"""The commands and groups of the command line, as their help shows them."""

import copy
import re
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

from lastvalue.cli.plain_values import read_plain_values

_LONGEST_NAME: Final = 29
_RELATIVE: Final = re.compile(r"-\d+(\.\d+)?(ms|s|m|h|d)?")


class Command(TyperCommand):
    """A command whose help shows brackets as they are written, and flags without a value."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        _escape_brackets(self)
        self._prints_help = False

    def get_params(self, ctx: Any) -> list[Any]:
        """See TyperCommand."""
        parameters = _prepared(super().get_params(ctx))
        return [_shown(each, ctx) for each in parameters] if self._prints_help else parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """See TyperCommand."""
        self._prints_help = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._prints_help = False


class TimeCommand(Command):
    """A command with times, such as -5m, which is a time before now and no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See TyperCommand; a time gets a blank before it, so that it is taken for an argument."""
        rest = super().parse_args(ctx, [f" {each}" if _RELATIVE.fullmatch(each) else each for each in args])
        for name, value in ctx.params.items():
            if isinstance(value, str) and _RELATIVE.fullmatch(value.lstrip(" ")):
                ctx.params[name] = value.lstrip(" ")
        return rest


class Group(TyperGroup):
    """A group whose help is as that of a command."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        _escape_brackets(self)

    def get_params(self, ctx: Any) -> list[Any]:
        """See TyperGroup."""
        return _prepared(super().get_params(ctx))


def _escape_brackets(command: Command | Group) -> None:
    """Escape what rich would take for markup, and leave out."""
    command.help = _escaped(command.help)
    command.epilog = _escaped(command.epilog)
    for parameter in command.params:
        shown: Any = parameter
        shown.help = _escaped(getattr(shown, "help", None))


def _escaped(text: str | None) -> str | None:
    return None if text is None else text.replace("[", r"\[")


def _prepared(parameters: list[Any]) -> list[Any]:
    for each in parameters:
        read_plain_values(each)
        if getattr(each, "is_flag", False):
            each.metavar = ""
    return parameters


def _shown(parameter: Any, ctx: Any) -> Any:
    """A parameter as the help shows it, in columns that leave room for the text.

    The two names of a flag are one, and the choices of a value are in the text.
    """
    shown = copy.copy(parameter)
    if parameter.secondary_opts:
        shown.opts, shown.secondary_opts = _names_of_flag(parameter.opts, parameter.secondary_opts), []
    kind = parameter.display_type(ctx) or ""
    if "|" in kind and parameter.metavar is None:
        shown.metavar = "CHOICE"
        shown.help = f"{parameter.help} One of {', '.join(kind.strip('<>').split('|'))}."
    return shown


def _names_of_flag(on: list[str], off: list[str]) -> list[str]:
    name = on[0].removeprefix("--")
    shown = f"--[no-]{name}"
    # Rich cuts names that are longer than their column.
    is_short = len(on) == 1 and off == [f"--no-{name}"] and len(shown) <= _LONGEST_NAME
    return [shown] if is_short else on
