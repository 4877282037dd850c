"""The exceptions of `qpid.messaging`, and how errors of the client are translated to them.

LastvalueError
 +- MessagingError
     +- ConnectionError             the connection is lost
     |   +- ConnectError            no connection could be made
     |       +- AuthenticationFailure
     +- SessionError
     |   +- SessionClosed
     +- Timeout                     a call took longer than its timeout
     +- LinkError                   a sender or receiver cannot be opened or used
         +- LinkClosed
         +- MalformedAddress
         +- InvalidOption           an option does not exist here, or has an invalid value
         |   +- NotAvailable        it exists, but this broker or client does not support it
         +- ResolutionError
         |   +- NotFound            the queue does not exist
         |   +- AssertionFailed     the queue is not what the address asserts
         +- ReceiverError
         |   +- Empty               no message came in time
         +- SenderError
             +- SendError           the broker did not take a message
                 +- TargetCapacityExceeded
"""

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from lastvalue.addresses import InvalidAddressError
from lastvalue.client.errors import (
    AuthenticationError,
    ConnectFailedError,
    ConnectionLostError,
    InvalidMessageError,
    InvalidUrlError,
    NotOpenError,
    RefusedError,
    SendRejectedError,
    TimedOutError,
    TransactionRolledBackError,
)
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import InvalidSpecError, LastvalueError, QueueNotFoundError

# The names are those of the `qpid.messaging` interface.
# ruff: noqa: N818


class MessagingError(LastvalueError):
    """The base class of this interface's errors; its cause is the client's own error."""


class ConnectionError(MessagingError, builtins.ConnectionError):  # noqa: A001 - the interface's name
    """The connection ended while it was needed."""

    condition = Condition.CONNECTION_FORCED


class ConnectError(ConnectionError):
    """No connection could be made."""


class AuthenticationFailure(ConnectError):
    """The broker refuses the credentials."""

    condition = Condition.UNAUTHORIZED_ACCESS


class SessionError(MessagingError):
    """A session cannot carry out the call."""


class SessionClosed(SessionError):
    """The session was closed before."""

    condition = Condition.ILLEGAL_STATE


class TransactionError(SessionError):
    """A transaction cannot be committed or rolled back."""


class TransactionAborted(TransactionError):
    """A transaction could not be committed; nothing of it has taken effect."""


class Timeout(MessagingError):
    """A call took longer than its timeout."""


class LinkError(MessagingError):
    """A sender or receiver cannot be opened, or has ended."""


class LinkClosed(LinkError):
    """The sender, the receiver or its connection was closed before."""

    condition = Condition.ILLEGAL_STATE


class MalformedAddress(LinkError):
    """The address is not a valid address string."""

    condition = Condition.INVALID_FIELD


class InvalidOption(LinkError):
    """An option does not exist, has an invalid value, or does not apply to a sender or receiver."""

    condition = Condition.INVALID_FIELD


class NotAvailable(InvalidOption):
    """An option exists, but this client or broker does not support it."""

    condition = Condition.NOT_IMPLEMENTED


class ResolutionError(LinkError):
    """The address does not lead to a usable queue."""


class NotFound(ResolutionError):
    """The queue does not exist."""

    condition = Condition.NOT_FOUND


class AssertionFailed(ResolutionError):
    """The queue is not what the address asserts.

    Attributes:
        differences: one text for each difference.
    """

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, differences: tuple[str, ...]) -> None:
        super().__init__(f"queue {name!r} is not as asserted: {'; '.join(differences)}")
        self.differences = differences


class ReceiverError(LinkError):
    """A receiver cannot carry out the call."""


class Empty(ReceiverError):
    """No message came within the timeout."""


class SenderError(LinkError):
    """A sender cannot carry out the call."""


class SendError(SenderError):
    """The broker did not take a message, or it cannot be encoded."""


class TargetCapacityExceeded(SendError):
    """The queue is full."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED


@contextmanager
def translated() -> Iterator[None]:
    """Translate the errors of the block into this interface's."""
    try:
        yield
    except MessagingError:
        raise
    except LastvalueError as error:
        raise _translation(error) from error


def _translation(error: LastvalueError) -> MessagingError:
    text = f"no such queue: {error.name}" if isinstance(error, QueueNotFoundError) else str(error)
    translation = _kind(error)(text)
    translation.condition = error.condition
    return translation


def _kind(error: LastvalueError) -> type[MessagingError]:
    match error:
        case InvalidAddressError():
            return InvalidOption if error.line is None else MalformedAddress
        case SendRejectedError(condition=Condition.RESOURCE_LIMIT_EXCEEDED):
            return TargetCapacityExceeded
        case RefusedError(condition=Condition.NOT_FOUND):
            return NotFound
        case _:
            return next((ours for theirs, ours in _KINDS if isinstance(error, theirs)), MessagingError)


_KINDS: Final[tuple[tuple[type[LastvalueError], type[MessagingError]], ...]] = (
    (QueueNotFoundError, NotFound),
    (InvalidSpecError, InvalidOption),
    (AuthenticationError, AuthenticationFailure),
    (ConnectFailedError, ConnectError),
    (InvalidUrlError, ConnectError),
    (ConnectionLostError, ConnectionError),
    (TimedOutError, Timeout),
    (NotOpenError, LinkClosed),
    (SendRejectedError, SendError),
    (TransactionRolledBackError, TransactionAborted),
    (InvalidMessageError, SendError),
    (RefusedError, LinkError),
)
"""The first class that fits is used, so subclasses come first."""
