"""The faults of configurations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.config.masked_values import masked_value, names_a_secret
from lastvalue.config.toml_lines import TomlLines
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

_SHOWN: Final = 60
NO_VALUE: Final = object()
"""Marks a fault that is not in a value."""


class IllegalMatchError(LastvalueError):
    """A pattern of addresses is invalid."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a configuration.

    Attributes:
        path: keys and array indices, from the top of the file.
        reason: what is wrong, or what would be right.
        value: the value at the path; not shown if the path names a secret.
    """

    path: tuple[str | int, ...]
    reason: str
    value: Any = NO_VALUE

    def __str__(self) -> str:
        where = dotted(self.path)
        if self.value is NO_VALUE or any(names_a_secret(str(step)) for step in self.path):
            return f"{where}: {self.reason}" if where else self.reason
        return f"{where} is {shown(self.value)}: {self.reason}"


class ConfigurationError(LastvalueError):
    """A configuration has faults; `faults` lists all of them.

    Args:
        file: its name.
        faults: at least one.
        text: the document in TOML, in which their lines are found; "" if it is none.
    """

    condition = Condition.INVALID_FIELD

    def __init__(self, file: str, faults: Sequence[Fault], text: str = "") -> None:
        self.file = file
        self.faults = tuple(faults)
        self._text = text
        super().__init__("; ".join(self.lines()))

    def lines(self) -> list[str]:
        """One line per fault, with the file, the line in it, and the name of what has the fault."""
        places = TomlLines(self._text)
        texts = []
        for fault in self.faults:
            line, name = places.line_of(fault.path), places.name_of(fault.path)
            where = self.file if line is None else f"{self.file}:{line}"
            of = "" if name is None else f"{fault.path[0]} {name!r}: "
            texts.append(f"{where}: {of}{fault}")
        return texts


def dotted(path: Sequence[str | int]) -> str:
    """A path in its printed form: `queue[1].lvq_key`, the first table of an array being 1."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step + 1}]"
        else:
            plain = step.replace("-", "").replace("_", "").isalnum()
            text += ("." if text else "") + (step if plain else repr(step))
    return text


def shown(value: Any) -> str:
    """A value, shortened and with secrets masked."""
    text = repr(masked_value(value))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
