"""The root of all errors of lastvalue.

    LastvalueError
     +- BrokerError        the broker refuses a command, with a Condition
     +- codec, protocol, client and store errors, each in its own package

Each error says what is wrong and what would be right.
"""

from collections.abc import Mapping

from lastvalue.model.conditions import Condition


class LastvalueError(Exception):
    """The root of the errors that lastvalue raises; `condition` is sent to the peer.

    `info` goes with it to peers of AMQP 1.0, by the names of the specification.
    """

    condition: Condition = Condition.INTERNAL_ERROR
    info: Mapping[str, str | int] = {}


class BrokerError(LastvalueError):
    """The broker refuses a command; nothing has changed."""


class InvalidSpecError(BrokerError):
    """A queue declaration contradicts itself or has a value out of range."""

    condition = Condition.INVALID_FIELD


class QueueNotFoundError(BrokerError):
    """There is no queue of this name."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str, text: str | None = None) -> None:
        super().__init__(
            text or f"there is no queue named {name!r}; `lastvalue queue list` shows those that exist"
        )
        self.name = name


class QueueExistsError(BrokerError):
    """A queue of this name exists with another declaration."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, differences: str) -> None:
        super().__init__(f"queue {name!r} exists and differs: {differences}")
        self.name = name


class NodeUsedError(BrokerError):
    """A node is deleted on a condition that does not hold: it is in use, or has messages."""

    condition = Condition.PRECONDITION_FAILED


class UnauthorizedError(BrokerError):
    """The user may not do this."""

    condition = Condition.UNAUTHORIZED_ACCESS


class ResourceLimitError(BrokerError):
    """A queue or the broker is full."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED
