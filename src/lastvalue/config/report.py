"""Reports of imports, and the draft of an imported configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.config.arguments import read_argument
from lastvalue.config.configuration import Configuration
from lastvalue.config.errors import NO_VALUE, Fault, shown
from lastvalue.config.setting_fields import read_setting
from lastvalue.config.toml_reader import from_document
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import InvalidSpecError, LastvalueError

_ESSENTIAL: Final = {
    "queue": ("name",),
    "exchange": ("name", "type"),
    "binding": ("exchange", "queue"),
    "address-setting": ("match",),
    "auto-create": ("pattern", "node"),
    "partition": ("queues", "leaders"),
    "permission": ("user", "rules"),
}
"""The keys that a table must have."""


class UnreadableSourceError(LastvalueError):
    """The file to import does not have the form of its format."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True, slots=True)
class NotMapped:
    """An element or attribute that was not imported.

    Attributes:
        path: its path in the other broker's file.
        reason: why it was left out.
        value: its value there.
    """

    path: str
    reason: str
    value: Any = NO_VALUE

    def __str__(self) -> str:
        if self.value is NO_VALUE:
            return f"{self.path}: {self.reason}"
        # The value may be a secret of the other broker.
        hidden = "password" in f"{self.path}{self.value}".lower()
        return f"{self.path} = {'(hidden)' if hidden else shown(self.value)}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Report:
    """The report of an import: what it left out, and what it added."""

    not_mapped: tuple[NotMapped, ...] = ()
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """One line per report."""
        return [
            *(f"not mapped: {left}" for left in self.not_mapped),
            *(f"note: {note}" for note in self.notes),
        ]


class Draft:
    """A document under construction that knows the source of each of its tables.

    `finish` checks it as a file is checked, and removes and reports everything with a fault.
    """

    def __init__(self) -> None:
        self._document: dict[str, Any] = {}
        self._sources: dict[str, list[str]] = {}
        self._not_mapped: list[NotMapped] = []
        self._notes: list[str] = []

    def add(self, table: str, entry: Mapping[str, Any], source: str) -> None:
        """Append a table to an array of tables."""
        self._document.setdefault(table, []).append(dict(entry))
        self._sources.setdefault(table, []).append(source)

    def set(self, table: str, entry: Mapping[str, Any], source: str) -> None:
        """Set a single table."""
        self._document[table] = dict(entry)
        self._sources[table] = [source]

    def leave_out(self, path: str, reason: str, value: Any = NO_VALUE) -> None:
        """Report something that is not imported."""
        self._not_mapped.append(NotMapped(path, reason, value))

    def note(self, text: str) -> None:
        """Report something that was added or has another meaning here; each text once."""
        if text not in self._notes:
            self._notes.append(text)

    def finish(self) -> tuple[Configuration, Report]:
        """The configuration without its faulty parts, and the report."""
        while True:
            configuration, faults = from_document(self._document)
            if not faults:
                return configuration, Report(tuple(self._not_mapped), tuple(self._notes))
            self._take_away(faults)

    def _take_away(self, faults: list[Fault]) -> None:
        whole: dict[tuple[str, int], None] = {}
        for fault in faults:
            table, place = str(fault.path[0]), fault.path[1] if len(fault.path) > 1 else None
            if not isinstance(place, int):
                self._take_from(table, place, fault)
                continue
            source, entry = self._sources[table][place], self._document[table][place]
            key = str(fault.path[2]) if len(fault.path) > 2 else ""
            spellings = [] if key in _ESSENTIAL[table] else _spellings(table, entry, key)
            for spelling in spellings:
                self.leave_out(f"{source}/{spelling}", fault.reason, entry.pop(spelling))
            if not spellings and (table, place) not in whole:
                self.leave_out(source, fault.reason, fault.value)
                whole[table, place] = None
        for table, place in sorted(whole, reverse=True):
            del self._document[table][place], self._sources[table][place]

    def _take_from(self, table: str, key: str | None, fault: Fault) -> None:
        """Leave out a faulty key of a single table, or all of that."""
        source, entry = self._sources[table][0], self._document.get(table, {})
        if key in entry and len(entry) > 1:
            self.leave_out(f"{source}/{key}", fault.reason, entry.pop(key))
        else:
            self.leave_out(source, fault.reason, fault.value)
            self._document.pop(table, None)


def _spellings(table: str, entry: Mapping[str, Any], key: str) -> list[str]:
    """The keys of a table that are spellings of this key."""
    reader = read_setting if table == "address-setting" else read_argument
    found = []
    for spelling, raw in entry.items():
        try:
            name = reader(spelling, raw)[0]
        except InvalidSpecError:
            name = spelling
        if key in (name, spelling):
            found.append(spelling)
    return found
