"""The error that all parts of a conflation raise."""

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


class InvalidConflationError(LastvalueError):
    """The columns, the policy or the interval of a conflation are invalid."""

    condition = Condition.INVALID_FIELD
