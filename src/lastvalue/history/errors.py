"""The errors of histories, their tables and times."""

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


class HistoryUnavailableError(LastvalueError):
    """The history does not include the requested time."""

    condition = Condition.NOT_FOUND


class InvalidTimeError(LastvalueError):
    """A time is malformed, or in the future."""

    condition = Condition.INVALID_FIELD


class HistoryTablesError(LastvalueError):
    """A directory has no tables of histories, has tables of another version, or is in use."""


class HistoryGapError(LastvalueError):
    """The broker dropped part of a history before it landed."""

    condition = Condition.ILLEGAL_STATE

    def __init__(self, history: str, landed: int, first: int) -> None:
        super().__init__(
            f"history {history!r} has landed up to {landed}, and the broker has it from {first} on; "
            "the records between were dropped; land with on_gap='record' (--on-gap record) to continue "
            "after the gap"
        )
        self.history = history
