"""lastvalue.server.log_output."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastvalue.config.log_levels import COMPONENTS, LogFormat
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.log_events import AUDIT_DONE, CONNECTION_FAILED, LOGGER, MEMORY_HIGH, STORE_FAILING
from lastvalue.server.log_output import LineFormatter, LogOutput

HOSTILE = "\x1b[31mann\nserver.stopped: the broker has stopped"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    for name in (LOGGER, *(f"{LOGGER}.{each}" for each in COMPONENTS)):
        logging.getLogger(name).setLevel(logging.NOTSET)


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def written(stream: io.StringIO | None = None, **options: Any) -> str:
    """What a log with these options has of two events."""
    stream = io.StringIO() if stream is None else stream
    with LogOutput(ServerOptions(**options), stream):
        MEMORY_HIGH.log(used_bytes=2, limit_bytes=1)
        AUDIT_DONE.log(peer="10.0.0.1:1", user=HOSTILE, verb="declare-queue", name="a b")
    return stream.getvalue()


def test_elsewhere_than_on_a_terminal_a_line_is_an_object_in_json_with_the_time_in_utc() -> None:
    first, second = map(json.loads, written().splitlines())
    assert first.pop("timestamp").endswith("Z")
    assert first == {
        "level": "warning",
        "component": "memory",
        "event": "memory.high",
        "message": "all producers wait for consumers",
        "used_bytes": 2,
        "limit_bytes": 1,
    }
    assert second["user"] == "\\x1b[31mann\\x0aserver.stopped: the broker has stopped"


def test_on_a_terminal_a_line_is_text_and_a_peer_can_neither_colour_it_nor_begin_another() -> None:
    lines = written(log_format=LogFormat.TEXT).splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
    assert "memory.high: all producers wait for consumers" in lines[0]
    assert "used_bytes=2" in lines[0]
    assert "name='a b'" in lines[1]


def test_a_terminal_gets_colours_and_json_if_it_is_asked_for() -> None:
    assert "\x1b[" in written(Terminal())
    assert written(Terminal(), log_format=LogFormat.JSON).startswith('{"timestamp"')


def test_levels_leave_lines_out_by_component() -> None:
    assert "memory.high" not in written(log_level=("memory=error",))
    assert json.loads(written(log_level=("error",)))["event"] == "audit.done"
    assert written(log_level=("error", "audit=error")) == ""


def test_after_it_nothing_is_handled_any_more() -> None:
    stream = io.StringIO()
    with LogOutput(ServerOptions(), stream):
        pass
    MEMORY_HIGH.log(used_bytes=2, limit_bytes=1)
    assert stream.getvalue() == ""


def test_lines_of_libraries_are_cleaned_too() -> None:
    stream = io.StringIO()
    with LogOutput(ServerOptions(), stream):
        logging.getLogger("asyncio").error("a task of %s failed", HOSTILE)
    line = json.loads(stream.getvalue())
    assert (line["event"], line["component"]) == ("library", "asyncio")
    assert line["message"].isprintable()


@pytest.mark.parametrize("form", [LogFormat.TEXT, LogFormat.JSON])
def test_the_trace_of_a_fault_is_shown_without_what_a_peer_put_into_it(form: LogFormat) -> None:
    stream = io.StringIO()
    with LogOutput(ServerOptions(log_format=form), stream):
        try:
            raise ValueError(HOSTILE)
        except ValueError as fault:
            CONNECTION_FAILED.log(fault, peer="10.0.0.1:1")
    text = stream.getvalue()
    assert "Traceback" in text
    assert "ValueError: \\" in text
    assert "\x1b" not in text


# ---------------------------------------------------------------------- the file of the audit


def audited(path: Path, stream: io.StringIO, *names: str) -> LogOutput:
    output = LogOutput(ServerOptions(audit_log=path), stream)
    with output:
        for name in names:
            AUDIT_DONE.log(user="ann", verb="declare-queue", name=name)
    return output


def names_in(path: Path) -> list[str]:
    return [json.loads(line)["name"] for line in path.read_text().splitlines()]


def test_the_audit_goes_to_a_file_of_its_own_and_is_continued_by_the_next_run(tmp_path: Path) -> None:
    stream = io.StringIO()
    audited(tmp_path / "audit", stream, "a")
    audited(tmp_path / "audit", stream, "b")
    assert names_in(tmp_path / "audit") == ["a", "b"]
    assert (tmp_path / "audit").stat().st_mode & 0o777 == 0o640
    assert stream.getvalue() == ""


def test_a_file_that_was_moved_away_is_begun_anew_without_a_signal(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    with LogOutput(ServerOptions(audit_log=path), io.StringIO()):
        AUDIT_DONE.log(name="a")
        path.rename(tmp_path / "audit.1")
        AUDIT_DONE.log(name="b")
    assert (names_in(tmp_path / "audit.1"), names_in(path)) == (["a"], ["b"])


def test_lines_that_cannot_be_written_are_counted_and_that_is_logged_at_both_ends(tmp_path: Path) -> None:
    stream = io.StringIO()
    path = tmp_path / "logs" / "audit"
    path.parent.mkdir()
    with LogOutput(ServerOptions(audit_log=path), stream):
        path.parent.rename(tmp_path / "away")
        for name in ("a", "b", "c"):
            AUDIT_DONE.log(name=name)
        (tmp_path / "away").rename(path.parent)
        AUDIT_DONE.log(name="d")
    first, last = map(json.loads, stream.getvalue().splitlines())
    assert (first["event"], first["cause"]) == ("log.audit_unwritable", "No such file or directory")
    assert (last["event"], last["lines"]) == ("log.audit_writable", 3)
    assert names_in(path) == ["d"]


def test_a_full_disk_loses_lines_and_does_not_end_the_broker() -> None:
    stream = io.StringIO()
    with LogOutput(ServerOptions(audit_log=Path("/dev/full")), stream):
        AUDIT_DONE.log(name="a")
        AUDIT_DONE.log(name="b")
    [line] = map(json.loads, stream.getvalue().splitlines())
    assert (line["event"], line["cause"]) == ("log.audit_unwritable", "No space left on device")


def test_where_it_cannot_be_made_the_broker_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogOutput(ServerOptions(audit_log=tmp_path / "none" / "audit"))


def test_numbers_stay_numbers() -> None:
    record = logging.LogRecord("lastvalue.store", logging.ERROR, "", 0, "", (), None)
    record.event, record.fields = STORE_FAILING, {"full": True}
    assert json.loads(LineFormatter(LogFormat.JSON, terminal=False).format(record))["full"] is True
