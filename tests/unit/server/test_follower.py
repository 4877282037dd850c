"""What a follower makes of what the log gives it; with real servers in tests/crash/test_followers.py."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from kept_log import KeptLog, Leader
from waiting import until

from lastvalue.broker.broker import Broker
from lastvalue.cluster.log_follower import LogListener
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.takeover import writer_card
from lastvalue.server.clock import Clock
from lastvalue.server.follower import Follower
from lastvalue.server.open_store import OpenStore
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import StoreError

SETTINGS = LogSettings(read_log_address("nats://one/T"))
NOW_MS = 1_000_000


class FakeStreamLog(KeptLog):
    """A log in memory in the place of a stream."""

    def __init__(self, settings: LogSettings) -> None:
        super().__init__()
        self.settings = settings
        self.doubts: list[str] = []
        self.used_bytes = self.limit_bytes = 0
        self.term = 3
        self.advertised = ""
        self.abandoned = False
        self.listener: LogListener | None = None
        self.leads_now: Callable[[], None] = lambda: None

    def read(self, progress: object) -> LogReader:
        del progress
        reader = LogReader(1)
        reader.writer = writer_card("one:5672")
        reader.chain.position = 7
        return reader

    def follow(self, listener: LogListener, leads: Callable[[], None]) -> None:
        self.listener, self.leads_now = listener, leads

    def advertise(self, address: str) -> None:
        self.advertised = address

    def abandon(self) -> None:
        self.abandoned = True


class Following:
    """A follower that has started, and the leader whose batches it is given."""

    def __init__(self) -> None:
        self.broker = Broker()
        self.follower = Follower(SETTINGS, self.broker, Clock())
        self.log: Any = self.follower.log
        self.follower.recover(None)
        self.stores: list[OpenStore] = []
        self.follower.start("two:5672", lambda: None, self.stores.append)
        self.leader = Leader(KeptLog())
        self.leader.declare("q")
        self.position = 7

    def give(self) -> None:
        """The leader appends what it has done."""
        self.leader.flush(NOW_MS)
        for segment, batch in self.leader.log.batches[self.position - 7 :]:
            self.position += 1
            self.follower.take(self.position, [(segment, batch)], "one:5673")


@pytest.fixture(autouse=True)
def no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.cluster.stream_log.StreamLog", FakeStreamLog)


async def test_batches_are_applied_and_the_leaders_address_is_the_last_that_was_told() -> None:
    following = Following()
    assert following.follower.leader == "one:5672"
    following.give()
    following.leader.send("q", "x", NOW_MS)
    following.give()
    await until(lambda: following.broker.has_queue("q") and following.broker.lookup("q").queue.depth == 1)
    assert following.follower.leader == "one:5673"
    assert following.follower.waiting_bytes == 0
    assert following.log.advertised == "two:5672"


async def test_the_lag_counts_until_all_that_is_known_is_applied() -> None:
    following = Following()
    follower = following.follower
    asked_s = time.clock_gettime(time.CLOCK_BOOTTIME) + 1000
    follower.know(9, asked_s)
    await until(lambda: follower.lag.records == 2)
    follower._current_s -= 60
    assert follower.lag.milliseconds >= 60_000
    told = follower.unready(5000)
    assert told is not None
    assert "one:5672" in told
    assert "2 records" in told
    follower.take(9, [], "one:5672")
    await until(lambda: follower.lag.records == 0)
    assert follower.lag.milliseconds == 0
    assert follower.unready(5000) is None
    assert follower.known() == {"leader": "one:5672", "lag_ms": 0, "lag_records": 0}


async def test_once_the_term_is_its_own_it_leads_with_what_it_has() -> None:
    following = Following()
    following.give()
    following.leader.send("q", "x", NOW_MS)
    following.give()
    following.log.leads_now()
    await until(lambda: len(following.stores) == 1)
    store = following.stores[0]
    assert following.broker.authorization.leader is None
    assert following.broker.lookup("q").queue.depth == 1
    store.journal.flush(lambda: None)
    assert following.log.batches
    assert store.log is following.log


async def test_why_it_follows_no_more_ends_the_journal() -> None:
    following = Following()
    assert following.follower.journal.ended is None
    following.log.ended = StoreError("the log is damaged")
    assert following.follower.journal.ended is following.log.ended
    following.follower.close()
    assert following.log.abandoned


async def test_what_a_leader_of_a_later_version_writes_ends_it_before_it_serves_or_leads() -> None:
    following = Following()
    following.give()
    await until(lambda: following.broker.has_queue("q"))
    journal = following.follower.journal
    assert journal.leads
    following.follower.take(9, [(1, bytes((250,)) + bytes(60))], "one:5673")
    await until(lambda: not journal.leads)
    assert "follow with the version of the leader, one:5673, or a newer one" in str(journal.ended)
    assert following.log.abandoned
    following.log.leads_now()
    await until(lambda: not following.follower._scheduled)
    assert following.stores == []
    assert following.broker.authorization.leader is not None
