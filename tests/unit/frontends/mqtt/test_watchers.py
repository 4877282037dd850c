"""lastvalue.frontends.mqtt.watchers."""

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.frontends.mqtt.watchers import Watchers
from lastvalue.queues.spec import QueueSpec

FULL = read_message(encode_plain_message(False, {}, b"x"))
EMPTY = read_message(encode_plain_message(False, {}, b""))


def queues(*names: str) -> list[HostedQueue]:
    broker = Broker()
    for name in names:
        broker.declare(QueueSpec(name))
    return [broker.lookup(name) for name in names]


def test_who_watches_a_topic_does_not_get_its_messages_by_the_exchange() -> None:
    one, two = queues("one", "two")
    watchers = Watchers()
    assert watchers.others([one, two], "a", FULL) == [one, two]
    watchers.put(one, lambda topic: topic == "a")
    assert watchers.others([one, two], "a", FULL) == [two]
    assert watchers.others([one, two], "a", EMPTY) == [one, two]
    assert watchers.others([one, two], "b", FULL) == [one, two]
    assert watchers.have_all([one], "a")
    assert not watchers.have_all([one], "b")
    assert not watchers.have_all([one, two], "a")
    assert watchers.have_all([], "a")


def test_each_change_is_counted() -> None:
    (one,) = queues("one")
    watchers = Watchers()
    counts = [watchers.changes]
    watchers.put(one, lambda topic: True)
    counts.append(watchers.changes)
    watchers.note_change()
    counts.append(watchers.changes)
    assert len(watchers) == 1
    watchers.remove(one)
    counts.append(watchers.changes)
    assert len(watchers) == 0
    assert counts == sorted(set(counts))
