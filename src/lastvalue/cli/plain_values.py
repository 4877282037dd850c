"""Values of the command line that are read without pydantic, which takes longer to import than the client."""

import os
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

_DIGITS: Final = 18
"""The most digits of a plain number; those of more may be out of a range that typer knows."""


class PlainValue(NamedTuple):
    """A value as its command is called with it."""

    value: object


def read_plain_values(parameter: Any) -> None:
    """Let a parameter of typer read plain values itself; for all others it loads pydantic."""
    if "process_value" in vars(parameter):
        return
    process_by_typer: Callable[[Any, object], object] = parameter.process_value

    def processed(context: Any, given: object) -> object:
        plain = plain_value(parameter, given)
        if plain is None:
            return process_by_typer(context, given)
        return parameter.callback(context, parameter, plain.value) if parameter.callback else plain.value

    parameter.process_value = processed


def plain_value(parameter: Any, given: object) -> PlainValue | None:
    """What typer would make of a value, or None if only typer can say."""
    described = getattr(parameter, "type_descriptor", None)
    if described is None:
        return None
    many = parameter.multiple or parameter.nargs == -1
    if given is None:
        return None if parameter.required else PlainValue(() if many else None)
    settings = described.parameter_info
    if many:
        texts = list(given) if isinstance(given, list | tuple) else []
        plain = described.annotation == list[str] and texts and all(_is_text(each) for each in texts)
        return PlainValue(texts) if plain else None
    if settings.parser is not None:
        return _parsed(settings.parser, given)
    if isinstance(given, str):
        return _of_text(described.annotation, given, settings)
    # A default.
    return PlainValue(given) if type(given) is described.annotation else None


def _parsed(parser: Callable[[object], object], given: object) -> PlainValue | None:
    try:
        return PlainValue(parser(given))
    except ValueError:
        return None


def _of_text(kind: Any, text: str, settings: Any) -> PlainValue | None:
    if kind is str:
        return PlainValue(text) if _is_text(text) else None
    if kind is int:
        return _of_digits(text, settings)
    if kind is Path:
        return _of_path(text, settings)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next((PlainValue(each) for each in kind if each.value == text), None)
    return None


def _is_text(value: object) -> bool:
    """Whether a value is a text of Unicode; bytes of an argument that are none are surrogates."""
    return isinstance(value, str) and not any("\ud800" <= each <= "\udfff" for each in value)


def _of_digits(text: str, settings: Any) -> PlainValue | None:
    if not (text.isascii() and text.isdigit()) or len(text) > _DIGITS:
        return None
    number = int(text)
    low = settings.min is not None and number < settings.min
    high = settings.max is not None and number > settings.max
    return None if low or high else PlainValue(number)


def _of_path(text: str, settings: Any) -> PlainValue | None:
    """A path that can be read and is of the kind asked for; typer checks anything more."""
    if settings.allow_dash or settings.resolve_path or settings.writable or settings.path_type is not None:
        return None
    path = Path(text)
    of_kind = (settings.dir_okay or path.is_file()) and (settings.file_okay or path.is_dir())
    return PlainValue(path) if of_kind and os.access(path, os.R_OK) else None
