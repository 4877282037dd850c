"""What can be wrong with a history, a time asked for, or the tables that it landed in."""

from lastvalue.model.errors import LastvalueError


class HistoryUnavailableError(LastvalueError):
    """The history does not reach as far as was asked."""


class InvalidTimeError(LastvalueError):
    """A time that is none, or one that has not come."""


class HistoryTablesError(LastvalueError):
    """A directory that holds no tables of histories, or others than this version knows, or is in use."""


class HistoryGapError(LastvalueError):
    """The broker has dropped part of a history before it was landed."""

    def __init__(self, history: str, landed: int, first: int) -> None:
        super().__init__(
            f"history {history!r} was landed up to {landed}, and the broker has it from {first} on: what was "
            "between has been dropped; land with on_gap='record' (--on-gap record) to go on behind the gap"
        )
        self.history = history
