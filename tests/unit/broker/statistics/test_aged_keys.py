"""lastvalue.broker.statistics.aged_keys."""

from dataclasses import replace

from broker_desk import made
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.statistics.aged_keys import AgedQueue
from lastvalue.model.message import NEVER
from lastvalue.queues.spec import Expiry, LastValue, QueueSpec

START_MS = 1_700_000_000_000
ALARMING = QueueSpec("prices", LastValue("k", keys_as_text=True), expiry=Expiry(maximum_age_ms=1000))
REMOVING = replace(ALARMING, expiry=Expiry(maximum_age_ms=1000, removes_aged=True))


class Watched:
    """A broker with the queue, and what was reported of it."""

    def __init__(self, spec: QueueSpec) -> None:
        self.broker: Broker = made(spec)
        self.reported: list[AgedQueue] = []
        self.broker.statistics.aged_keys.on_change = self.reported.append
        self.hosted = self.broker.lookup("prices")

    def send(self, key: str, now: int) -> None:
        self.hosted.take(CannedMessage({"k": key}), now)
        self.turn(now)

    def turn(self, now: int) -> None:
        self.hosted.mark_changed()
        self.broker.advance(now)
        self.broker.drain(now)

    @property
    def said(self) -> list[tuple[int, int, str]]:
        return [(each.keys, each.total, each.example) for each in self.reported]


def test_a_key_that_gets_no_value_for_so_long_is_reported_once_and_again_when_none_is_aged() -> None:
    queue = Watched(ALARMING)
    queue.send("a", START_MS)
    queue.send("b", START_MS + 500)
    assert queue.broker.next_deadline() == START_MS + 1000
    queue.broker.advance(START_MS + 1000)
    assert (queue.said, queue.hosted.counts.aged_keys) == ([(1, 1, "a")], 1)
    queue.broker.advance(START_MS + 1500)
    assert queue.said[1:] == [(1, 2, "b")]
    queue.send("a", START_MS + 1600)
    assert (len(queue.reported), queue.hosted.counts.aged_keys) == (2, 1)
    queue.send("b", START_MS + 1700)
    assert (queue.said[2:], queue.hosted.counts.aged_keys) == ([(0, 0, "")], 0)


def test_a_key_without_a_value_is_not_old() -> None:
    queue = Watched(ALARMING)
    queue.send("a", START_MS)
    queue.broker.purge("prices")
    queue.turn(START_MS + 900)
    queue.turn(START_MS + 2000)
    assert (queue.said, queue.broker.next_deadline()) == ([], NEVER)


def test_values_that_leave_because_of_their_age_are_reported() -> None:
    queue = Watched(REMOVING)
    queue.send("a", START_MS)
    queue.send("b", START_MS)
    queue.turn(START_MS + 1000)
    [told] = queue.reported
    assert (told.keys, told.total, told.removes, told.maximum_age_ms) == (2, 0, True, 1000)
    assert queue.hosted.queue.depth == 0


def test_the_option_counts_from_when_it_is_set_and_for_what_is_there() -> None:
    queue = Watched(replace(ALARMING, expiry=Expiry()))
    queue.send("a", START_MS)
    queue.broker.reconfigure(ALARMING, START_MS + 5000)
    queue.turn(START_MS + 5000)
    assert queue.said == [(1, 1, "a")]
    queue.broker.reconfigure(replace(ALARMING, expiry=Expiry(maximum_age_ms=9000)), START_MS + 5000)
    queue.turn(START_MS + 5000)
    assert (queue.hosted.counts.aged_keys, queue.broker.next_deadline()) == (0, START_MS + 9000)
    queue.broker.reconfigure(replace(ALARMING, expiry=Expiry()), START_MS + 6000)
    queue.turn(START_MS + 6000)
    assert queue.broker.next_deadline() == NEVER


def test_a_queue_that_is_deleted_ages_no_more() -> None:
    queue = Watched(ALARMING)
    queue.send("a", START_MS)
    queue.broker.delete("prices", START_MS + 10)
    queue.broker.drain(START_MS + 10)
    queue.broker.advance(START_MS + 5000)
    assert (queue.said, queue.broker.next_deadline()) == ([], NEVER)
