"""lastvalue.server.forwarded_log."""

import io
import json
import logging

import pytest

from lastvalue.config.log_levels import LogFormat
from lastvalue.server.forwarded_log import LONGEST_LINE, ForwardedForm, pass_on
from lastvalue.server.log_output import LineFormatter


def written(text: str, level: int, fault: BaseException | None = None) -> bytes:
    """What the child process writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(ForwardedForm())
    trace = None if fault is None else (type(fault), fault, fault.__traceback__)
    handler.handle(logging.LogRecord("lastvalue.http.problems", level, __file__, 0, text, (), trace))
    return stream.getvalue().encode()


def raised(text: str) -> ValueError:
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


def test_a_line_of_the_other_process_keeps_its_logger_level_time_and_trace(
    caplog: pytest.LogCaptureFixture,
) -> None:
    line = written("GET /queues failed", logging.ERROR, raised("a\nb"))
    assert pass_on(line)
    (record,) = caplog.records
    assert record.created == json.loads(line)["created"]
    shown = LineFormatter(LogFormat.JSON, terminal=False).values(record)
    assert (shown["component"], shown["level"], shown["event"], shown["message"]) == (
        "lastvalue.http.problems",
        "error",
        "library",
        "GET /queues failed",
    )
    assert shown["exception"].endswith("ValueError: a\nb")


def test_the_level_of_this_process_counts(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "lastvalue"):
        assert pass_on(written("quiet", logging.WARNING))
    assert caplog.records == []


@pytest.mark.parametrize(
    "line", [b"", b"Segmentation fault", b"[]", b"1", b'{"logger": 1}', b'{"logger": "a"}']
)
def test_what_is_no_line_of_a_log_is_told(line: bytes) -> None:
    assert not pass_on(line)


def test_a_line_stays_in_its_bounds_whatever_was_logged() -> None:
    assert len(written("\U0001f600" * 100_000, logging.ERROR, raised("\x00" * 100_000))) < LONGEST_LINE
