"""The commands and groups of the command line, as their help shows them."""

import re
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

_RELATIVE: Final = re.compile(r"-\d+(\.\d+)?(ms|s|m|h|d)?")


class Command(TyperCommand):
    """A command whose help shows brackets as they are written, and flags without a value."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        _escape_brackets(self)

    def get_params(self, ctx: Any) -> list[Any]:
        """See TyperCommand."""
        return _without_values(super().get_params(ctx))


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
        return _without_values(super().get_params(ctx))


def _escape_brackets(command: Command | Group) -> None:
    """Escape what rich would take for markup, and leave out."""
    command.help = _escaped(command.help)
    command.epilog = _escaped(command.epilog)
    for parameter in command.params:
        shown: Any = parameter
        shown.help = _escaped(getattr(shown, "help", None))


def _escaped(text: str | None) -> str | None:
    return None if text is None else text.replace("[", r"\[")


def _without_values(parameters: list[Any]) -> list[Any]:
    for each in parameters:
        if getattr(each, "is_flag", False):
            each.metavar = ""
    return parameters
