"""lastvalue.cli.hints."""

import socket
import ssl
from collections.abc import Callable

import pytest

from lastvalue.cli.exits import ExitCode, fail
from lastvalue.cli.hints import hint
from lastvalue.client.errors import (
    AuthenticationError,
    ConnectFailedError,
    ConnectionLostError,
    ConnectTimedOutError,
    InvalidUrlError,
    RefusedError,
    SendRejectedError,
    TimedOutError,
)
from lastvalue.model.errors import LastvalueError, QueueNotFoundError

Lastvalue = Callable[[str], tuple[int, str, str]]


def because(cause: Exception) -> LastvalueError:
    error = ConnectFailedError("broker", 5672, "it failed")
    error.__cause__ = cause
    return error


WRONG_VERSION = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number")
WRONG_VERSION.reason = "WRONG_VERSION_NUMBER"


@pytest.mark.parametrize(
    ("error", "advice", "code"),
    [
        (because(ConnectionRefusedError()), "is it running?", 3),
        (because(socket.gaierror(-2, "unknown")), "check the host", 3),
        (because(ssl.SSLCertVerificationError()), "--ca-file", 3),
        (because(WRONG_VERSION), "try amqp:// instead of amqps://", 3),
        (because(ssl.SSLError()), "which versions of TLS", 3),
        (because(OSError(113, "No route to host")), "the network", 3),
        (because(ConnectionResetError()), "begins with amqps://", 3),
        (ConnectTimedOutError("connecting to broker:5672", 10), "firewall", 3),
        (AuthenticationError("broker", 1, "the peer refused: wrong user"), "check user and password", 3),
        (AuthenticationError("broker", 1, "the peer offers ANONYMOUS; none of them fits"), "no users", 3),
        (AuthenticationError("broker", 1, "the peer offers PLAIN; none of them fits"), "add credentials", 3),
        (RefusedError("a", "amqp:unauthorized-access", "no"), "lastvalue user allow", 1),
        (RefusedError("a", "amqp:resource-limit-exceeded", "queue is full"), "raise its limit", 1),
        (RefusedError("a", "amqp:resource-limit-exceeded", "the disk is full"), "room on the disk", 1),
        (RefusedError("a", "amqp:resource-limit-exceeded", "memory is short"), "limits of memory", 1),
        (SendRejectedError("news", "rejected", "amqp:not-found"), "lastvalue exchange list", 1),
        (QueueNotFoundError("prices"), "", 1),
        (TimedOutError("READ", 10), "", 1),
        (ConnectionLostError("the broker closed the connection"), "", 1),
        (InvalidUrlError("http://broker", "no"), "", 2),
    ],
)
def test_each_cause_has_its_hint_and_exit_code(
    capsys: pytest.CaptureFixture[str], error: LastvalueError, advice: str, code: int
) -> None:
    assert bool(advice) is bool(hint(error))
    assert advice in hint(error)
    assert fail(error) == ExitCode(code)
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("user", "scheme", "advice"),
    [
        ("alice:wrong@", "amqp", "wrong user or password; check user and password"),
        ("", "amqps", "the port seems to have no TLS"),
    ],
)
def test_real_failures_have_their_hints(
    lastvalue: Lastvalue, url: str, user: str, scheme: str, advice: str
) -> None:
    code, _, errors = lastvalue(f"queue list --url {url.replace('amqp://', f'{scheme}://{user}')}")
    assert (code, advice in errors) == (3, True)
