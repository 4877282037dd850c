"""What a table of histories consists of: data files, and the positions up to which histories have landed."""

from dataclasses import dataclass
from typing import Final

EFFECTS: Final = "effects"
BASE: Final = "base"
GAPS: Final = "gaps"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of rows of one queue's history.

    Attributes:
        path: relative to the table, with slashes.
        kind: EFFECTS; BASE, the queue's content at `last_ms`, which replaces all earlier records; or GAPS,
            the offsets that a history has lost, in which case `queue` is the history's name.
        date: the day of its rows in UTC, as in 2026-03-01.
        first_offset, last_offset: of its rows; a BASE includes the effects up to `last_offset`.
        first_ms, last_ms: times of its rows.
    """

    path: str
    kind: str
    history: str
    epoch: int
    queue: str
    date: str
    rows: int
    size_bytes: int
    first_offset: int
    last_offset: int
    first_ms: int
    last_ms: int

    @property
    def stream(self) -> tuple[str, int]:
        """The stream whose offsets its rows have."""
        return self.history, self.epoch


@dataclass(frozen=True, slots=True)
class Landed:
    """The position up to which a history queue has landed.

    Attributes:
        epoch: the number of the queue among the queues that had this name.
        offset: of the last record that landed.
        time_ms: its time.
    """

    epoch: int
    offset: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Offsets of a history that did not land, because the broker had dropped them."""

    history: str
    epoch: int
    first: int
    last: int
