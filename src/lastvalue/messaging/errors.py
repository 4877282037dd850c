"""The exceptions of `qpid.messaging`, and which of them an error of the client becomes.

LastvalueError
 +- MessagingError
     +- ConnectionError             the connection is lost
     |   +- ConnectError            no connection could be made
     |       +- AuthenticationFailure
     +- SessionError
     |   +- SessionClosed
     +- Timeout                     something took longer than it was given
     +- LinkError                   a sender or receiver cannot be opened or used
         +- LinkClosed
         +- MalformedAddress
         +- InvalidOption           an option does not exist, or not for what is opened
         |   +- NotAvailable        it exists, and this broker or client does not do it
         +- ResolutionError
         |   +- NotFound            there is no such queue
         |   +- AssertionFailed     the queue is not what the address asserts
         +- ReceiverError
         |   +- Empty               nothing came in time
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

# The names are those of the interface that this is the shape of.
# ruff: noqa: N818


class MessagingError(LastvalueError):
    """Root of what this interface raises; the client's own error is its cause."""


class ConnectionError(MessagingError, builtins.ConnectionError):  # noqa: A001 - the interface's name
    """The connection ended while it was needed."""

    condition = Condition.CONNECTION_FORCED


class ConnectError(ConnectionError):
    """No connection could be made."""


class AuthenticationFailure(ConnectError):
    """The broker does not take these credentials."""

    condition = Condition.UNAUTHORIZED_ACCESS


class SessionError(MessagingError):
    """A session cannot do it."""


class SessionClosed(SessionError):
    """The session was closed before."""

    condition = Condition.ILLEGAL_STATE


class TransactionError(SessionError):
    """A transaction cannot be ended as asked."""


class TransactionAborted(TransactionError):
    """A transaction could not be committed; nothing of it has taken effect."""


class Timeout(MessagingError):
    """Something took longer than it was given."""


class LinkError(MessagingError):
    """A sender or receiver cannot be opened, or not be used any more."""


class LinkClosed(LinkError):
    """The sender, the receiver or its connection was closed before."""

    condition = Condition.ILLEGAL_STATE


class MalformedAddress(LinkError):
    """The address is no address string."""

    condition = Condition.INVALID_FIELD


class InvalidOption(LinkError):
    """An option does not exist, has a value that it cannot have, or is not for what is opened."""

    condition = Condition.INVALID_FIELD


class NotAvailable(InvalidOption):
    """An option exists, and this client or this broker does not do what it asks."""

    condition = Condition.NOT_IMPLEMENTED


class ResolutionError(LinkError):
    """The address does not lead to a queue that can be used."""


class NotFound(ResolutionError):
    """There is no such queue."""

    condition = Condition.NOT_FOUND


class AssertionFailed(ResolutionError):
    """The queue is not what the address asserts.

    Attributes:
        differences: each of them in a sentence.
    """

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, differences: tuple[str, ...]) -> None:
        super().__init__(f"queue {name!r} is not as asserted: {'; '.join(differences)}")
        self.differences = differences


class ReceiverError(LinkError):
    """A receiver cannot do it."""


class Empty(ReceiverError):
    """No message came in the time given."""


class SenderError(LinkError):
    """A sender cannot do it."""


class SendError(SenderError):
    """The broker did not take a message, or it cannot be encoded."""


class TargetCapacityExceeded(SendError):
    """The queue is full."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED


@contextmanager
def translated() -> Iterator[None]:
    """What the block raises is raised as this interface's."""
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
"""The first that fits; the special come before the general."""
