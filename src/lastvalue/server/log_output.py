"""The lines of the log on standard error, and those of the audit in a file of its own."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO

from lastvalue.config.log_levels import LogFormat, read_levels
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.line_limit import LineLimit
from lastvalue.server.log_events import (
    LOG_UNWRITABLE,
    LOG_WRITABLE,
    LOGGER,
    LogEvent,
    clean_text,
    escape_text,
)
from lastvalue.server.log_level_switch import set_log_levels

LIBRARY: Final = "library"
"""The event of the lines that libraries write; their component is the library's logger."""

_AUDIT: Final = f"{LOGGER}.audit"
_FILE_MODE: Final = 0o640
_LOOKS_EVERY_S: Final = 5.0


class LogOutput:
    """Handles the log of this process while its `with` block runs.

    Raises:
        OSError: the file of the audit cannot be written.
    """

    def __init__(self, options: ServerOptions, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._limit = LineLimit()
        self._handler = logging.StreamHandler(self._stream)
        self._formatter = LineFormatter(options.log_format, terminal=self._stream.isatty())
        self._handler.setFormatter(self._formatter)
        self._handler.addFilter(self._limit)
        self._audit = None if options.audit_log is None else AuditFile(options.audit_log)
        self._levels = read_levels(options.log_level)

    @property
    def is_text(self) -> bool:
        """Whether lines are for people."""
        return self._formatter.is_text

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self._handler)
        if self._audit is not None:
            self._audit.addFilter(self._limit)
            audit = logging.getLogger(_AUDIT)
            audit.addHandler(self._audit)
            audit.propagate = False
        set_log_levels(self._levels)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limit.tell()
        logging.getLogger().removeHandler(self._handler)
        if self._audit is not None:
            audit = logging.getLogger(_AUDIT)
            audit.removeHandler(self._audit)
            audit.propagate = True
            self._audit.close()

    def keep(self, recent: Callable[[logging.LogRecord], bool]) -> None:
        """Pass every line that is written to a further filter, which keeps them."""
        for handler in (self._handler, self._audit):
            if handler is not None:
                handler.addFilter(recent)

    def look_regularly(self, loop: asyncio.AbstractEventLoop) -> None:
        """Log what was left out, from now on and as long as the loop runs."""
        self._limit.look()
        loop.call_later(_LOOKS_EVERY_S, self.look_regularly, loop)


class AuditFile(WatchedFileHandler):
    """A file of JSON lines, opened again where somebody has moved it away, as logrotate does."""

    def __init__(self, path: Path) -> None:
        self._lost = 0
        if not path.exists():
            path.touch(_FILE_MODE)
        super().__init__(path, encoding="utf-8")
        self.setFormatter(LineFormatter(LogFormat.JSON, terminal=False))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line; a disk that is full or gone loses it, and the log says so once."""
        lost = self._lost
        try:
            super().emit(record)
        except OSError as fault:
            self._lose(fault)
        if lost and self._lost == lost:
            LOG_WRITABLE.log(file=self.baseFilename, lines=lost)
            self._lost = 0

    def close(self) -> None:
        """See logging.Handler."""
        try:
            super().close()
        except OSError as fault:
            self._lose(fault)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - of logging
        """See logging.Handler."""
        fault = sys.exc_info()[1]
        if isinstance(fault, OSError):
            self._lose(fault)
        else:
            super().handleError(record)

    def _lose(self, fault: OSError) -> None:
        self._lost += 1
        if self._lost == 1:
            LOG_UNWRITABLE.log(file=self.baseFilename, cause=fault.strerror or fault)


class LineFormatter(logging.Formatter):
    """Writes a record as a line in a form; `auto` chooses by whether the line goes to a terminal."""

    def __init__(self, form: LogFormat, *, terminal: bool) -> None:
        super().__init__()
        self.is_text = terminal if form is LogFormat.AUTO else form is LogFormat.TEXT
        self._render: Callable[[Any, str, dict[str, Any]], Any] = _json_line
        if self.is_text:
            from structlog.dev import ConsoleRenderer, plain_traceback  # noqa: PLC0415 - JSON does not need it

            self._render = ConsoleRenderer(
                colors=terminal, exception_formatter=plain_traceback, sort_keys=False
            )

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter."""
        values = self.values(record)
        if self.is_text:
            values["event"] = f"{values['event']}: {values.pop('message')}"
            del values["component"]
        return str(self._render(None, record.levelname, values))

    def values(self, record: logging.LogRecord) -> dict[str, Any]:
        """The values of a line, in their order."""
        event = getattr(record, "event", None)
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        values = {"timestamp": moment.replace("+00:00", "Z"), "level": record.levelname.lower()}
        if isinstance(event, LogEvent):
            values |= {"component": event.component, "event": event.name, "message": event.sentence}
            values |= getattr(record, "fields", {})
        else:
            values |= {"component": clean_text(record.name), "event": LIBRARY}
            values["message"] = clean_text(record.getMessage())
        trace = self.formatException(record.exc_info) if record.exc_info else record.exc_text
        if trace:
            # The text of an error may quote a peer.
            values["exception"] = "\n".join(map(escape_text, trace.splitlines()))
        return values


def _json_line(_logger: Any, _level: str, values: dict[str, Any]) -> str:
    return json.dumps(values, default=repr)
