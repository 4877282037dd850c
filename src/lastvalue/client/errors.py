"""What a client can raise.

LastvalueError
 +- ClientError
 |   +- InvalidUrlError          the URL cannot be used
 |   +- InvalidMessageError      a message cannot be encoded, or decoded
 |   +- ConnectFailedError       nobody answers there, or not in AMQP 1.0
 |   |   +- AuthenticationError  the broker does not take these credentials
 |   +- ConnectionLostError      the connection ended while it was needed
 |   +- NotOpenError             a connection, sender or receiver is used before it opens or after it closes
 |   +- TimedOutError            the time given as `timeout_s` has passed
 |   +- RefusedError             the broker says no: names its condition and description
 |       +- SendRejectedError    a message was not taken
 |       +- DetachedError        the broker ended a link, for example because its queue was deleted
 |       +- TransactionRolledBackError  a transaction could not be committed
 +- BrokerError
     +- QueueNotFoundError       there is no queue of that name
"""

import os
import re
import ssl

from lastvalue.model.conditions import CONDITION_BY_SYMBOL, Condition
from lastvalue.model.errors import LastvalueError


class ClientError(LastvalueError):
    """Root of the errors of the client's own."""


class InvalidUrlError(ClientError):
    """The URL of a broker cannot be used."""

    condition = Condition.INVALID_FIELD

    def __init__(self, url: str, fault: str) -> None:
        shown = re.sub(r":[^:/@]*@", ":***@", url)
        super().__init__(
            f"{shown!r} is not a broker's URL: {fault}; write amqp://[user:password@]host[:port]"
        )


class InvalidMessageError(ClientError):
    """A message holds a value that AMQP cannot carry, or what came is no message."""

    condition = Condition.INVALID_FIELD


class ConnectFailedError(ClientError):
    """No connection could be made."""

    condition = Condition.CONNECTION_FORCED

    def __init__(self, host: str, port: int, fault: str) -> None:
        super().__init__(f"cannot connect to {host}:{port}: {fault}")
        self.host = host
        self.port = port


def connect_fault(error: OSError) -> str:
    """Why no connection came about, in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the broker's certificate is not believed: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {error.reason or error}"
    return os.strerror(error.errno) if error.errno is not None and error.errno > 0 else str(error)


class AuthenticationError(ConnectFailedError):
    """The broker does not take these credentials."""

    condition = Condition.UNAUTHORIZED_ACCESS


class ConnectionLostError(ClientError):
    """The connection ended while it was needed; nothing is sent again by itself.

    A message whose send raised this may or may not have reached the queue.
    """

    condition = Condition.CONNECTION_FORCED


class NotOpenError(ClientError):
    """A connection, sender or receiver is used before it opens or after it closes."""

    condition = Condition.ILLEGAL_STATE


class TimedOutError(ClientError, TimeoutError):
    """The time given as `timeout_s` has passed."""

    def __init__(self, what: str, timeout_s: float) -> None:
        super().__init__(f"{what} took longer than {timeout_s:g} s")
        self.timeout_s = timeout_s


class RefusedError(ClientError):
    """The broker says no.

    Attributes:
        symbol: the AMQP error condition as the broker wrote it.
        condition: the same, or INTERNAL_ERROR where the symbol is none of the standard's.
        description: the broker's sentence; empty where it gave none.
    """

    def __init__(self, what: str, symbol: str, description: str = "") -> None:
        super().__init__(f"{what}: {description} ({symbol})" if description else f"{what}: {symbol}")
        self.symbol = symbol
        self.condition = CONDITION_BY_SYMBOL.get(symbol, Condition.INTERNAL_ERROR)
        self.description = description


class SendRejectedError(RefusedError):
    """The broker did not take a message.

    Attributes:
        outcome: rejected, released or modified.
        index: position of the first such message among those sent by the same call.
        rejected: how many messages of the same call were not taken.
    """

    def __init__(
        self,
        queue: str,
        outcome: str,
        symbol: str,
        description: str = "",
        *,
        index: int = 0,
        rejected: int = 1,
    ) -> None:
        which = "a message" if rejected == 1 else f"{rejected} messages, the first of them"
        super().__init__(f"queue {queue!r} {outcome} {which}", symbol, description)
        self.queue = queue
        self.outcome = outcome
        self.index = index
        self.rejected = rejected


class DetachedError(RefusedError):
    """The broker ended a link."""


class TransactionRolledBackError(RefusedError):
    """A transaction could not be committed; nothing of it has taken effect.

    Attributes:
        duplicate_id: the id of a message in it that its queue has taken before; None where that is not why.
    """

    def __init__(self, symbol: str, description: str = "", duplicate_id: str | None = None) -> None:
        super().__init__("the transaction was rolled back", symbol, description)
        self.duplicate_id = duplicate_id
