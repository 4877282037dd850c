"""lastvalue.broker.statistics.top_talkers."""

from collections import Counter
from dataclasses import replace

from broker_desk import made
from canned_message import CannedMessage
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.broker.statistics.top_talkers import FrequencySketch
from lastvalue.queues.spec import LastValue, QueueSpec

START_MS = 1_700_000_000_000
COUNTING = QueueSpec("prices", LastValue("k", "n"), top_talkers=2)


@given(st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"e"]), max_size=80), st.integers(1, 5))
def test_no_count_is_too_low_nor_wrong_by_more_than_its_error_and_frequent_keys_are_there(
    keys: list[bytes], places: int
) -> None:
    sketch = FrequencySketch(places)
    for key in keys:
        sketch.note(key)
    truth = Counter(keys)
    most = sketch.most(places)
    assert len(most) == min(places, len(truth))
    assert sum(each.messages for each in most) == len(keys)
    assert all(each.messages - each.error <= truth[each.key] <= each.messages for each in most)
    assert {key for key, count in truth.items() if count > len(keys) / places} <= {each.key for each in most}
    assert [each.messages for each in most] == sorted((each.messages for each in most), reverse=True)


def counted(broker: Broker) -> dict[bytes, int]:
    most = broker.statistics.top_talkers.most(broker.lookup("prices"), 10)
    return {each.key: int(each.messages) for each in most}


def send(broker: Broker, *keys: str) -> None:
    hosted = broker.lookup("prices")
    for number, key in enumerate(keys):
        hosted.take(CannedMessage({"k": key, "n": -number}), START_MS)
    hosted.mark_changed()
    broker.drain(START_MS)


def test_updates_that_are_stale_count_and_what_the_option_says_is_kept() -> None:
    broker = made(COUNTING)
    send(broker, "a", "b", "a", "a")
    assert counted(broker) == {b"'a'": 3, b"'b'": 1}
    broker.reconfigure(replace(COUNTING, top_talkers=0), START_MS)
    send(broker, "a")
    assert counted(broker) == {}
    broker.reconfigure(COUNTING, START_MS)
    send(broker, "b")
    assert counted(broker) == {b"'b'": 1}


def test_a_deleted_queue_is_forgotten() -> None:
    broker = made(COUNTING)
    send(broker, "a")
    hosted = broker.lookup("prices")
    broker.delete("prices", START_MS)
    broker.drain(START_MS)
    assert broker.statistics.top_talkers.most(hosted, 1) == []
