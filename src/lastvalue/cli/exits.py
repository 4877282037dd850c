"""How a command ends: its exit code, and one line on standard error if it failed."""

import sys
from contextvars import ContextVar
from enum import IntEnum
from typing import Final

from lastvalue.client.errors import AuthenticationError, ConnectFailedError, InvalidUrlError
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError, QueueNotFoundError


class ExitCode(IntEnum):
    """Exit codes; docs/operate/cli.md has the table."""

    OK = 0
    FAILED = 1
    USAGE = 2
    CANNOT_CONNECT = 3
    INTERRUPTED = 130
    OUTPUT_CLOSED = 141


class UsageError(Exception):
    """The command line is wrong; the text says what is wrong and what would be right."""


class CommandFailedError(Exception):
    """The command failed for a reason on this machine, such as a port in use."""


_HINTS = {
    Condition.UNAUTHORIZED_ACCESS: "add credentials: --url amqp://user:password@host",
    Condition.PRECONDITION_FAILED: "`lastvalue queue show NAME` prints its declaration",
    Condition.RESOURCE_LIMIT_EXCEEDED: "remove messages from the queue, or raise its limit",
}


quiet: Final = ContextVar("quiet", default=False)
"""Whether the command was told to say nothing but errors."""


def confirm(text: str) -> None:
    """Say on standard error what was done, unless --quiet hushes that."""
    if not quiet.get():
        print(" ".join(text.split()), file=sys.stderr)


def complain(text: str, hint: str = "") -> None:
    """Write one line to standard error."""
    line = " ".join(text.split())
    print(f"lastvalue: {line}; {hint}" if hint else f"lastvalue: {line}", file=sys.stderr)


def fail(error: LastvalueError) -> ExitCode:
    """Print the error on standard error; returns its exit code."""
    match error:
        case AuthenticationError():
            complain(str(error), _HINTS[Condition.UNAUTHORIZED_ACCESS])
            return ExitCode.CANNOT_CONNECT
        case ConnectFailedError():
            complain(str(error), "is it running? `lastvalue serve` starts one")
            return ExitCode.CANNOT_CONNECT
        case InvalidUrlError():
            complain(str(error))
            return ExitCode.USAGE
        case QueueNotFoundError():
            complain(str(error))
        case _:
            complain(str(error), _HINTS.get(error.condition, ""))
    return ExitCode.FAILED
