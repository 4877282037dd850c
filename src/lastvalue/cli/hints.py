"""What can be done about an error, by its cause."""

import socket
import ssl
from typing import Final

from lastvalue.client.errors import (
    AuthenticationError,
    ConnectFailedError,
    ConnectTimedOutError,
    RefusedError,
    SendRejectedError,
)
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError, QueueNotFoundError

_BY_CONDITION: Final = {
    Condition.UNAUTHORIZED_ACCESS: "give a user with that right by --url amqp://user:password@host, "
    "or the right to this one by `lastvalue user allow`",
    Condition.PRECONDITION_FAILED: "`lastvalue queue show NAME` prints its declaration",
    Condition.RESOURCE_LIMIT_EXCEEDED: "remove messages from the queue, or raise its limit",
}


def hint(error: LastvalueError) -> str:
    """What to do; empty where the error says it itself."""
    match error:
        case AuthenticationError():
            return _of_credentials(error)
        case ConnectFailedError():
            return _of_connecting(error)
        case ConnectTimedOutError():
            return "does a firewall drop what is sent there, or does something else than a broker listen?"
        case SendRejectedError() | QueueNotFoundError() if error.condition is Condition.NOT_FOUND:
            return _of_a_missing_node(error)
        case RefusedError() if error.condition is Condition.RESOURCE_LIMIT_EXCEEDED:
            return _of_a_limit(error)
        case _:
            return _BY_CONDITION.get(error.condition, "")


def _of_a_missing_node(error: LastvalueError) -> str:
    if isinstance(error, SendRejectedError):
        return "`lastvalue exchange list` shows the bindings of exchanges"
    # What the client says of a queue has it; the broker's answer to a link has not.
    said = "lastvalue queue list" in str(error)
    return "" if said else "`lastvalue queue list` and `exchange list` show those that exist"


def _of_credentials(error: AuthenticationError) -> str:
    text = str(error)
    if "offers ANONYMOUS;" in text:
        return "this broker has no users: leave user and password out of the URL"
    if "none of them fits" in text:
        return "add credentials: --url amqp://user:password@host"
    return "check user and password; in a URL, signs such as @ and / are written as %40 and %2F"


def _of_connecting(error: ConnectFailedError) -> str:
    cause = error.__cause__
    if isinstance(cause, ssl.SSLError) and getattr(cause, "reason", None) in _NOT_TLS:
        return "the port seems to have no TLS: try amqp:// instead of amqps://"
    return next((advice for kind, advice in _BY_CAUSE if isinstance(cause, kind)), _UNANSWERED)


_UNANSWERED: Final = "if the port has TLS, the URL begins with amqps://; else check that it is AMQP's"
"""The connection was made, and ended before the broker's answer."""

_BY_CAUSE: Final = (
    (ssl.SSLCertVerificationError, "--ca-file names the authority that signed it"),
    (ssl.SSLError, "check the port, and which versions of TLS both sides have"),
    (socket.gaierror, "check the host in the URL, and the resolver of this machine"),
    (ConnectionRefusedError, "is it running? `lastvalue serve` starts one"),
    (ConnectionError, _UNANSWERED),
    (OSError, "check the host and the port in the URL, and the network"),
)
"""The first one that fits the cause."""

_NOT_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNEXPECTED_EOF_WHILE_READING"})


def _of_a_limit(error: RefusedError) -> str:
    if "disk" in error.description or "store" in error.description:
        return "make room on the disk of the broker"
    if "memory" in error.description:
        return "let consumers take messages, or raise the limits of memory"
    return _BY_CONDITION[Condition.RESOURCE_LIMIT_EXCEEDED]
