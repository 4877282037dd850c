"""lastvalue.broker.watches.watch, served by a broker."""

from dataclasses import replace
from typing import Any

import pytest
from bare_queue import START_MS, encoded
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.client import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.queues.watch_terms import read_watch_terms
from lastvalue.selectors import parse_selector


def broker_with(**options: Any) -> Broker:
    return made(spec_from_arguments("q", options))


def send(
    broker: Broker, key: str, body: str = "value", now: int = START_MS, *, priority: int = 4, **more: Any
) -> None:
    message = read_message(encoded(body, {"k": key, **more}, None))
    message.priority = priority
    broker.publish(broker.queue_target("q"), message, now)


class Reader(LimitedReceiver):
    """Reads all there is, as messages of the client."""

    def __init__(self, broker: Broker, selector: str = "", **asked: Any) -> None:
        super().__init__(1000)
        self.broker = broker
        terms = Terms(parse_selector(selector) if selector else None)
        terms.watch = read_watch_terms({"removals": True, "snapshot": True, **asked})
        self.reader = broker.read(broker.lookup("q"), Mode.BROWSE, self, terms, NOBODY, START_MS)
        self.reader.wake()
        self.token: str | None = None

    def messages(self, now: int = START_MS) -> list[Message]:
        while self.broker.next_deadline() <= now:
            self.broker.advance(now)
            self.broker.drain(now)
        while self.broker.busy:
            self.broker.pump(now)
            self.broker.drain(now)
        got = [
            replace(
                decode_message(each.message.encoded), sequence=int(each.sequence), updates=int(each.updates)
            )
            for each in self.got
        ]
        self.got = []
        self.token = next((each.token for each in reversed(got) if each.token), self.token)
        return got

    def told(self, now: int = START_MS) -> list[str]:
        return [
            f"<{each.snapshot}>"
            if each.snapshot
            else f"-{each.properties['k']} {each.removed}"
            if each.removed
            else f"{each.properties['k']}={each.body}"
            for each in self.messages(now)
        ]


def test_first_the_values_then_the_marker_then_updates_and_removals() -> None:
    broker = broker_with(lvq_key="k", delete_on_empty=True)
    send(broker, "a", "1")
    send(broker, "b", "2")
    reader = Reader(broker)
    assert reader.told() == ["a=1", "b=2", "<fresh>"]
    send(broker, "a", "3")
    send(broker, "b", "")
    assert reader.told() == ["-b key_deleted", "a=3"]


def test_a_reader_that_does_not_ask_gets_neither_removals_nor_a_marker() -> None:
    broker = broker_with(lvq_key="k")
    send(broker, "a", "1")
    reader = Reader(broker, removals=False, snapshot=False)
    assert reader.told() == ["a=1"]
    broker.purge("q")
    assert reader.told() == []


def test_with_a_token_a_reader_gets_exactly_what_changed_since() -> None:
    broker = broker_with(lvq_key="k")
    for key in "abc":
        send(broker, key, "1")
    first = Reader(broker)
    first.told()
    broker.stop(first.reader, START_MS)
    send(broker, "b", "2")
    broker.lookup("q").queue.remove(broker.lookup("q").queue.entries()[:1], Reason.PURGED)
    send(broker, "d", "3")
    again = Reader(broker, token=first.token)
    assert again.told() == ["-a purged", "b=2", "d=3", "<resumed>"]


@pytest.mark.parametrize("token", ["1-1-0", f"{START_MS}-99-0"])
def test_a_token_of_another_epoch_or_of_the_future_leads_to_all_values(token: str) -> None:
    broker = broker_with(lvq_key="k")
    send(broker, "a", "1")
    Reader(broker).told()
    reader = Reader(broker, token=token)
    value, marker = reader.messages()
    assert (value.body, value.token, marker.snapshot) == ("1", None, "fresh")
    assert marker.token


def test_a_reader_that_has_had_more_than_a_follower_has_read_is_sent_to_the_leader() -> None:
    broker = broker_with(lvq_key="k", tombstone_ms=60_000)
    send(broker, "a", "1")
    first = Reader(broker)
    first.told()
    epoch, sequence, number = map(int, str(first.token).split("-"))
    broker.authorization.leader = "one:5672"
    for unread in ((epoch, sequence + 1, number), (epoch, sequence, number + 1), (epoch + 1, 1, 0)):
        with pytest.raises(NotLeaderError, match=r"continue after this token, .*: ask one:5672"):
            Reader(broker, token="{}-{}-{}".format(*unread))
    assert Reader(broker, token=first.token).told() == ["<resumed>"]
    assert Reader(broker).told() == ["a=1", "<fresh>"]


@pytest.mark.parametrize("options", [{"lvq_key": "k"}, {"type": "priority"}])
def test_on_a_queue_whose_tokens_mean_nothing_elsewhere_a_follower_sends_all_values(
    options: dict[str, Any],
) -> None:
    broker = broker_with(**options)
    broker.authorization.leader = "one:5672"
    reader = Reader(broker, token=f"{START_MS}-99-0")
    assert reader.told() == ["<fresh>"]


def test_who_is_told_no_removals_goes_on_from_an_earlier_epoch_whose_removals_are_forgotten() -> None:
    broker = broker_with(lvq_key="k", tombstone_ms=10)
    for key in "ab":
        send(broker, key, "1")
    first = Reader(broker, removals=False)
    first.told()
    broker.stop(first.reader, START_MS)
    hosted = broker.lookup("q")
    tombstones = hosted.queue.contents.keep_tombstones(10)
    tombstones.begin_epoch(hosted.queue.sequence, START_MS)
    hosted.queue.remove(hosted.queue.entries()[:1], Reason.PURGED)
    for now in (START_MS, START_MS + 10):
        hosted.queue.advance(now)
    assert tombstones.forgotten == 1
    send(broker, "b", "2")
    assert Reader(broker, removals=False, token=first.token).told() == ["b=2", "<resumed>"]
    assert Reader(broker, token=first.token).told() == ["b=2", "<fresh>"]


def test_a_value_that_leaves_the_selector_is_a_removal() -> None:
    broker = broker_with(lvq_key="k")
    send(broker, "a", "1", n=5)
    send(broker, "b", "2", n=1)
    reader = Reader(broker, "n > 3")
    assert reader.told() == ["a=1", "<fresh>"]
    send(broker, "a", "3", n=2)
    send(broker, "b", "4", n=2)
    assert reader.told() == ["-a out_of_focus"]
    send(broker, "a", "5", n=9)
    broker.purge("q")
    assert reader.told() == []


def test_a_slow_reader_whose_removals_are_forgotten_begins_anew() -> None:
    broker = broker_with(lvq_key="k", tombstone_ms=10)
    send(broker, "a", "1")
    reader = Reader(broker)
    reader.told()
    reader.room = 0
    broker.purge("q")
    send(broker, "b", "2")
    reader.messages(START_MS + 5)
    reader.messages(START_MS + 20)
    reader.room = 100
    reader.reader.wake()
    assert reader.told(START_MS + 20) == ["<begun>", "b=2", "<fresh>"]


@pytest.mark.parametrize("asked", [{}, {"glob": "?"}, {"keys": ["a", "b"]}])
def test_a_slow_reader_that_is_told_no_removals_goes_on_when_they_are_forgotten(
    asked: dict[str, Any],
) -> None:
    broker = broker_with(lvq_key="k", tombstone_ms=10)
    send(broker, "a", "1")
    reader = Reader(broker, removals=False, **asked)
    reader.told()
    reader.room = 0
    broker.purge("q")
    send(broker, "b", "2")
    for wait_ms in (5, 20):
        reader.messages(START_MS + wait_ms)
    reader.room = 100
    reader.reader.wake()
    assert reader.told(START_MS + 20) == ["b=2"]


@pytest.mark.parametrize(
    "options",
    [{"lvq_key": "k", "lvq_placement": "in-place"}, {"lvq_key": "k", "priorities": 10}, {"sort_key": "k"}],
)
def test_where_values_are_not_by_sequence_a_token_leads_to_all_values(options: dict[str, Any]) -> None:
    broker = broker_with(**options)
    send(broker, "a", "1")
    send(broker, "b", "2")
    first = Reader(broker)
    first.told()
    broker.stop(first.reader, START_MS)
    again = Reader(broker, token=first.token, snapshot=False)
    assert [(each.snapshot, each.token is None) for each in again.messages()] == [
        (None, True),
        (None, True),
        ("fresh", False),
    ]


@pytest.mark.parametrize("options", [{"lvq_key": "k", "priorities": 10}, {"priorities": 10}])
def test_a_message_that_overtakes_the_first_values_does_not_end_them(options: dict[str, Any]) -> None:
    broker = broker_with(**options)
    for key in "abc":
        send(broker, key, "1", priority=1)
    reader = Reader(broker)
    reader.room = 1
    assert reader.told() == ["a=1"]
    send(broker, "d", "2", priority=9)
    reader.room = 100
    reader.reader.wake()
    assert reader.told() == ["d=2", "b=1", "c=1", "<fresh>"]


def test_a_rate_is_kept_and_what_comes_meanwhile_is_conflated() -> None:
    broker = broker_with(lvq_key="k")
    reader = Reader(broker, rate=10, snapshot=False)
    bodies = []
    for now in range(START_MS, START_MS + 1000, 5):
        send(broker, "a", str(now - START_MS), now)
        bodies += [each.body for each in reader.messages(now)]
    assert bodies == [str(number) for number in range(0, 1000, 100)]
    (last,) = reader.messages(START_MS + 1000)
    assert (last.body, last.updates, last.policy) == ("995", 200, "last")


def test_with_an_interval_each_changed_key_comes_once_in_it() -> None:
    broker = broker_with(lvq_key="k")
    reader = Reader(broker, interval_ms=100, snapshot=False)
    told = []
    for now in range(START_MS, START_MS + 300, 10):
        send(broker, "a", str(now - START_MS), now)
        send(broker, "b", str(now - START_MS), now)
        told.append(reader.told(now))
    assert [each for each in told if each] == [["a=0", "b=0"], ["a=100", "b=100"], ["a=200", "b=200"]]


def test_a_paced_reader_is_not_woken_by_updates() -> None:
    broker = broker_with(lvq_key="k")
    reader = Reader(broker, rate=1, snapshot=False)
    send(broker, "a", "1")
    reader.messages()
    for number in range(100):
        send(broker, "a", str(number))
    broker.drain(START_MS)
    assert not broker.busy
    assert broker.next_deadline() == START_MS + 1000


def test_a_changed_pace_holds_at_once() -> None:
    broker = broker_with(lvq_key="k")
    reader = Reader(broker, rate=0.001, snapshot=False)
    send(broker, "a", "1")
    reader.messages()
    send(broker, "a", "2")
    assert reader.messages(START_MS + 100) == []
    reader.reader.change_pace(0.0, 0)
    assert reader.told(START_MS + 100) == ["a=2"]


def test_messages_without_keys_are_conflated_for_one_reader() -> None:
    broker = broker_with()
    reader = Reader(broker, conflate="k", rate=1)
    send(broker, "a", "1", START_MS - 50)
    for number in range(5):
        send(broker, "a", str(number))
    assert reader.told() == ["<fresh>"]
    assert reader.told(START_MS + 1000) == ["a=4"]
    assert broker.lookup("q").queue.depth == 6


@pytest.mark.parametrize(
    ("options", "asked", "says"),
    [
        ({}, {"prefix": "a"}, "has no keys to watch"),
        ({"lvq_key": "k"}, {"conflate": "other"}, "conflates by 'k'"),
        ({"lvq_key": "k"}, {"token": "x"}, "expected N-N-N"),
        ({"lvq_key": "k"}, {"keys": [None]}, "cannot be a key"),
    ],
)
def test_what_a_queue_cannot_do_is_refused(options: dict[str, Any], asked: dict[str, Any], says: str) -> None:
    broker = broker_with(**options)
    with pytest.raises(InvalidSpecError, match=says):
        Reader(broker, **asked)
    assert broker.lookup("q").readers == {}


def policy_reader(broker: Broker, selector: str = "", **asked: Any) -> Reader:
    return Reader(broker, selector, removals=False, **asked)


def bodies(reader: Reader, now: int = START_MS) -> list[str]:
    return [str(each.body) for each in reader.messages(now) if not each.snapshot]


def test_a_reader_with_a_policy_gets_what_all_updates_of_a_key_make_though_the_queue_keeps_the_newest() -> (
    None
):
    broker = broker_with(lvq_key="k", order_by="n")
    send(broker, "a", '{"x":1}', n=5)
    reader = policy_reader(broker, policy="merge")
    [value, marker] = reader.messages()
    assert (value.body, marker.snapshot, value.policy) == ('{"x":1}', "fresh", "merge")
    for number, body in enumerate(['{"y":1}', '{"x":2}', '{"z":3}']):
        send(broker, "a", body, n=6 + number)
    send(broker, "a", '{"z":9,"late":1}', n=7)
    [merged] = reader.messages()
    assert (merged.body, merged.updates) == ('{"y":1,"x":2,"z":3,"late":1}', 4)
    assert broker.lookup("q").queue.depth == 1


def test_a_reader_with_a_policy_and_intervals_gets_each_when_it_is_over() -> None:
    broker = broker_with(lvq_key="k")
    reader = policy_reader(broker, policy="merge", interval_ms=1000)
    assert bodies(reader) == []
    send(broker, "a", '{"x":1}', START_MS + 10)
    send(broker, "a", '{"y":1}', START_MS + 20)
    assert bodies(reader, START_MS + 999) == []
    assert broker.next_deadline() == START_MS + 1000
    send(broker, "a", '{"z":1}', START_MS + 1000)
    assert bodies(reader, START_MS + 1000) == ['{"x":1,"y":1}']
    assert bodies(reader, START_MS + 2000) == ['{"z":1}']


def test_a_reader_with_a_policy_on_a_queue_without_keys_and_what_it_cannot_use() -> None:
    broker = broker_with()
    reader = policy_reader(broker, policy="merge", conflate="k")
    send(broker, "a", '{"x":1}')
    send(broker, "a", "no map")
    send(broker, "a", '{"y":1}')
    assert bodies(reader) == ['{"x":1,"y":1}']
    assert broker.lookup("q").counts.left_out == 1
    assert broker.lookup("q").queue.depth == 3


def test_a_policy_uses_only_what_the_selector_selects() -> None:
    broker = broker_with(lvq_key="k")
    reader = policy_reader(broker, "n > 1", policy="merge")
    reader.messages()
    send(broker, "a", '{"x":1}', n=1)
    send(broker, "a", '{"y":1}', n=2)
    assert bodies(reader) == ['{"y":1}']


def test_a_reader_with_a_policy_that_has_ended_is_told_nothing_more() -> None:
    broker = broker_with(lvq_key="k")
    reader = policy_reader(broker, policy="merge")
    hosted = broker.lookup("q")
    broker.stop(reader.reader, START_MS)
    assert hosted.key_index is None
    send(broker, "a", '{"x":1}')
    assert reader.messages() == []


@pytest.mark.parametrize(
    ("options", "asked", "fault"),
    [
        ({}, {"policy": "count"}, "needs conflate"),
        ({"lvq_key": "k", "conflation": "count"}, {"policy": "count"}, "by a policy of its own"),
        ({"lvq_key": "k"}, {"policy": "median(x)"}, "is no policy of conflation"),
        ({"lvq_key": "k"}, {"policy": "count", "prefix": "a"}, "has no removals, token, keys"),
        ({"lvq_key": "k"}, {"policy": "count", "removals": True}, "has no removals, token, keys"),
    ],
)
def test_what_a_policy_cannot_be_asked_with_is_refused(
    options: dict[str, Any], asked: dict[str, Any], fault: str
) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        Reader(broker_with(**options), **{"removals": False, **asked})


@pytest.mark.parametrize("asked", [{}, {"glob": "*"}, {"keys": ["a", "b", "c"]}])
def test_the_marker_comes_after_every_key_that_had_a_value_all_the_time(asked: dict[str, Any]) -> None:
    broker = broker_with(lvq_key="k")
    for key in "abc":
        send(broker, key, "1")
    reader = Reader(broker, **asked)
    reader.room = 1
    assert reader.told() == ["a=1"]
    send(broker, "b", "2")
    send(broker, "c", "2")
    send(broker, "a", "2")
    send(broker, "b", "3")
    reader.room = 100
    reader.reader.wake()
    told = reader.told()
    assert told[:3] in (["b=3", "c=2", "<fresh>"], ["c=2", "b=3", "<fresh>"])
    assert told[3:] == ["a=2"]
    send(broker, "c", "3")
    assert reader.told() == ["c=3"]


def test_the_marker_comes_while_producers_are_quicker_than_the_reader() -> None:
    """Each time the reader gets a message, all keys are updated."""
    broker = broker_with(lvq_key="k")
    for key in "abcde":
        send(broker, key, "0")
    reader = Reader(broker)
    reader.room = 0
    told: list[str] = []
    for turn in range(12):
        for key in "abcde":
            send(broker, key, f"{turn}")
        reader.room += 1
        reader.reader.wake()
        told += reader.told()
    marker = told.index("<fresh>")
    assert {each[0] for each in told[:marker]} == set("abcde")
    assert marker == 5


def test_a_token_from_before_the_marker_leads_to_what_was_given_out_of_turn_again() -> None:
    broker = broker_with(lvq_key="k")
    for key in "ab":
        send(broker, key, "1")
    reader = Reader(broker)
    reader.room = 1
    assert reader.told() == ["a=1"]
    send(broker, "new", "1")
    send(broker, "b", "2")
    reader.room = 1
    reader.reader.wake()
    assert reader.told() == ["b=2"]
    broker.stop(reader.reader, START_MS)
    again = Reader(broker, token=reader.token)
    assert again.told() == ["new=1", "b=2", "<resumed>"]


def test_a_key_that_is_owed_and_lost_its_value_is_owed_no_more() -> None:
    broker = broker_with(lvq_key="k", delete_on_empty=True)
    for key in "ab":
        send(broker, key, "1")
    reader = Reader(broker)
    reader.room = 1
    assert reader.told() == ["a=1"]
    send(broker, "b", "2")
    send(broker, "b", "")
    send(broker, "c", "1")
    reader.room = 100
    reader.reader.wake()
    assert reader.told() == ["-b key_deleted", "<fresh>", "c=1"]
