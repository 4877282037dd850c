"""What the server has logged, for tests."""

from typing import Any

import pytest

from lastvalue.server.log_events import LogEvent


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """The names of the logged events, with their fields."""
    events = [(getattr(record, "event", None), record) for record in caplog.records]
    return [
        (event.name, record.__dict__["fields"]) for event, record in events if isinstance(event, LogEvent)
    ]


def names(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The names of the logged events."""
    return [name for name, _ in logged(caplog)]


def fields(caplog: pytest.LogCaptureFixture, name: str) -> list[dict[str, Any]]:
    """The fields of every event of that name."""
    return [values for logged_name, values in logged(caplog) if logged_name == name]
