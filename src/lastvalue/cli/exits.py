"""How a command ends: its exit code, and one line on standard error if it failed."""

import sys
from contextvars import ContextVar
from enum import IntEnum
from typing import Final

from lastvalue.cli.cells import cell_text
from lastvalue.model.errors import LastvalueError


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


quiet: Final = ContextVar("quiet", default=False)
"""Whether the command prints nothing but errors on standard error."""


def confirm(text: str) -> None:
    """Say on standard error what was done, unless --quiet hushes that."""
    if not quiet.get():
        print(_line(text), file=sys.stderr)


def complain(text: str, hint: str = "") -> None:
    """Write one line to standard error."""
    print(f"lastvalue: {_line(text)}; {hint}" if hint else f"lastvalue: {_line(text)}", file=sys.stderr)


def _line(text: str) -> str:
    """The text on one line; names in it may have signs that a terminal would obey."""
    return cell_text(" ".join(text.split()))


def warn(text: str) -> None:
    """Say on standard error what is probably a slip; --quiet does not hush it."""
    complain(f"warning: {text}")


def fail(error: LastvalueError) -> ExitCode:
    """Print the error on standard error, with what can be done about it; returns its exit code."""
    # Imported here, so that `serve` listens without having loaded the client.
    from lastvalue.cli.hints import hint
    from lastvalue.client.errors import (
        ConnectFailedError,
        ConnectTimedOutError,
        InvalidUrlError,
        RefusedError,
    )

    text = error.description if type(error) is RefusedError and error.description else str(error)
    complain(text, hint(error))
    match error:
        case ConnectFailedError() | ConnectTimedOutError():
            return ExitCode.CANNOT_CONNECT
        case InvalidUrlError():
            return ExitCode.USAGE
        case _:
            return ExitCode.FAILED
