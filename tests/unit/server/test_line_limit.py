"""lastvalue.server.line_limit."""

import logging

import pytest
from logged_events import fields

from lastvalue.server.line_limit import PER_EVENT, PER_PEER, LineLimit
from lastvalue.server.log_events import AUDIT_DENIED, AUDIT_DONE, CONNECTION_REFUSED, LogEvent


class Limited:
    """A limit of lines at a time that a test moves."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.limit = LineLimit(lambda: self.now_ms)

    def passed(self, times: int, event: LogEvent = CONNECTION_REFUSED, peer: str = "10.0.0.1:1") -> int:
        """How many lines of so many are written."""
        record = logging.LogRecord("lastvalue", event.level, "", 0, "", (), None)
        record.event, record.fields = event, {"peer": peer}
        return sum(self.limit.filter(record) for _ in range(times))


def test_a_peer_gets_so_many_lines_of_an_event_in_a_minute_whatever_its_port() -> None:
    limited = Limited()
    assert limited.passed(PER_PEER) == PER_PEER
    assert limited.passed(100, peer="10.0.0.1:2") == 0
    assert limited.passed(1, peer="10.0.0.2:2") == 1
    assert limited.passed(1, AUDIT_DENIED) == 1
    limited.now_ms = 30_000
    assert limited.passed(100) == PER_PEER // 2


def test_many_peers_together_get_no_more_than_an_event_may_have() -> None:
    limited = Limited()
    assert sum(limited.passed(1, peer=f"10.0.{n // 250}.{n % 250}:1") for n in range(2000)) == PER_EVENT


def test_what_was_left_out_is_told_by_peer_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    limited = Limited()
    limited.passed(PER_PEER + 7)
    limited.limit.look()
    assert fields(caplog, "log.left_out") == []
    limited.now_ms = 60_000
    limited.limit.look()
    limited.limit.look()
    assert fields(caplog, "log.left_out") == [{"of": "connection.refused", "peer": "10.0.0.1", "lines": 7}]


def test_the_summary_of_very_many_peers_is_short(caplog: pytest.LogCaptureFixture) -> None:
    limited = Limited()
    for number in range(3000):
        limited.passed(1, peer=f"[2001:db8:0:{number:x}::1]:1")
    limited.limit.tell()
    told = fields(caplog, "log.left_out")
    assert len(told) == 257
    assert sum(each["lines"] for each in told) == 3000 - PER_EVENT
    assert told[-1]["peer"] == "others"


def test_the_audit_of_what_was_done_has_no_holes() -> None:
    assert Limited().passed(10_000, AUDIT_DONE) == 10_000


def test_lines_of_libraries_are_limited_by_their_logger() -> None:
    limit = LineLimit(lambda: 0)
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "a task failed", (), None)
    assert sum(limit.filter(record) for _ in range(1000)) == PER_PEER


def test_the_addresses_of_a_network_are_one_peer() -> None:
    limited = Limited()
    assert (
        sum(limited.passed(1, peer=f"[2001:db8::{number:x}]:1") for number in range(2 * PER_PEER)) == PER_PEER
    )
    assert limited.passed(1, peer="[2001:db8:0:1::1]:1") == 1
