"""The errors of the client.

LastvalueError
 +- ClientError
 |   +- InvalidUrlError          the URL cannot be used
 |   +- InvalidMessageError      a message cannot be encoded, or decoded
 |   |   +- MalformedMessageError  an answer of the broker is malformed
 |   +- ConnectFailedError       no AMQP 1.0 broker answers there
 |   |   +- AuthenticationError  the broker refuses the credentials
 |   |   +- UntrustedBrokerError the broker's certificate is not trusted
 |   +- ConnectionLostError      the connection ended while it was needed
 |   +- NotOpenError             a connection, sender or receiver is used before it opens or after it closes
 |   +- TimedOutError            the call took longer than its `timeout_s`
 |   |   +- ConnectTimedOutError connecting took longer
 |   +- RefusedError             the broker refused a request, with its condition and description
 |       +- SendRejectedError    the broker did not take a message
 |       +- DetachedError        the broker ended a link, for example because its queue was deleted
 |       +- TransactionRolledBackError  a transaction could not be committed
 +- BrokerError
     +- QueueNotFoundError       there is no queue of that name
"""

import os
import re
import socket
import ssl
from typing import TypeVar

from lastvalue.model.conditions import CONDITION_BY_SYMBOL, Condition
from lastvalue.model.errors import LastvalueError

_Fault = TypeVar("_Fault", bound=BaseException)


def again(fault: _Fault) -> _Fault:
    """A copy to raise of a fault that is kept: a raised one refers to the frames of those who keep it."""
    copied = type(fault).__new__(type(fault), *fault.args)
    copied.args = fault.args
    copied.__dict__.update(fault.__dict__)
    copied.__cause__ = fault.__cause__
    return copied


class ClientError(LastvalueError):
    """The base class of the client's errors."""


class InvalidUrlError(ClientError):
    """The URL of a broker cannot be used."""

    condition = Condition.INVALID_FIELD

    def __init__(self, url: str, fault: str) -> None:
        shown = re.sub(r":[^:/@]*@", ":***@", url)
        super().__init__(
            f"{shown!r} is not a broker's URL: {fault}; write amqp://[user:password@]host[:port]"
        )


class InvalidMessageError(ClientError):
    """A message has a value that AMQP cannot encode, or the broker's answer is malformed."""

    condition = Condition.INVALID_FIELD


class MalformedMessageError(InvalidMessageError):
    """An answer of the broker is malformed; the caller's own messages are not."""

    condition = Condition.DECODE_ERROR


class ConnectFailedError(ClientError):
    """No connection could be made."""

    condition = Condition.CONNECTION_FORCED

    def __init__(self, host: str, port: int, fault: str) -> None:
        super().__init__(f"cannot connect to {host}:{port}: {fault}")
        self.host = host
        self.port = port


class UntrustedBrokerError(ConnectFailedError):
    """The broker's certificate is not of an authority that the client trusts, or is for another name."""


def connect_error(host: str, port: int, error: OSError) -> ConnectFailedError:
    """The error of a connection that could not be made."""
    kind = UntrustedBrokerError if isinstance(error, ssl.SSLCertVerificationError) else ConnectFailedError
    return kind(host, port, _connect_fault(error))


def _connect_fault(error: OSError) -> str:
    """Why connecting failed, in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the broker's certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {error.reason or error}"
    if isinstance(error, socket.gaierror):
        return f"the name of the host is not known: {error.strerror}"
    return os.strerror(error.errno) if error.errno is not None and error.errno > 0 else str(error)


class AuthenticationError(ConnectFailedError):
    """The broker refuses the credentials."""

    condition = Condition.UNAUTHORIZED_ACCESS


class ConnectionLostError(ClientError):
    """The connection ended while it was needed, and is not made again, or what was asked cannot be repeated.

    It is unknown whether a request, or a message whose send raised this, reached the broker.
    """

    condition = Condition.CONNECTION_FORCED


class NotOpenError(ClientError):
    """A connection, sender or receiver is used before it opens or after it closes."""

    condition = Condition.ILLEGAL_STATE


class TimedOutError(ClientError, TimeoutError):
    """A call took longer than its `timeout_s`, in seconds."""

    def __init__(self, what: str, timeout_s: float) -> None:
        super().__init__(f"{what} took longer than {timeout_s:g} s")
        self.timeout_s = timeout_s


class ConnectTimedOutError(TimedOutError):
    """Connecting took longer than its `timeout_s`, in seconds."""

    condition = Condition.CONNECTION_FORCED


class RefusedError(ClientError):
    """The broker refused a request.

    Attributes:
        symbol: the AMQP error condition as the broker wrote it.
        condition: the same as a `Condition`; INTERNAL_ERROR if the standard does not have the symbol.
        description: the broker's explanation, or empty.
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
        index: the position of the first refused message in the call, counted from 0.
        rejected: how many messages of the call were refused.
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
        # A queue takes what it can; that there is none is said of an exchange without a binding for it.
        kind = "exchange" if symbol == Condition.NOT_FOUND.amqp10 else "queue"
        super().__init__(f"{kind} {queue!r} {outcome} {which}", symbol, description)
        self.queue = queue
        self.outcome = outcome
        self.index = index
        self.rejected = rejected


class DetachedError(RefusedError):
    """The broker ended a link."""


class TransactionRolledBackError(RefusedError):
    """A transaction could not be committed; nothing of it has taken effect.

    Attributes:
        duplicate_id: the id of a message that its queue had taken before, if that is the reason, or None.
    """

    def __init__(self, symbol: str, description: str = "", duplicate_id: str | None = None) -> None:
        super().__init__("the transaction was rolled back", symbol, description)
        self.duplicate_id = duplicate_id
