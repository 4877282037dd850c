"""What readers of every protocol are sent in runs is what they are sent one by one."""

from collections.abc import Callable
from typing import Any

import pytest
from amqp010_peer import UNLIMITED
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from bare_queue import START_MS
from broker_desk import made
from broker_peer import BrokerPeer
from core_peer import Peer as CorePeer
from pamqp import commands
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, Source
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.codec.core import packets
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

MANY = 150
ANY = 0
RUNS = QueueSpec("q")
ONE_BY_ONE = QueueSpec("q", holds=True)
"""An option with which a queue has no runs; it means nothing to these messages."""


def content(body: bytes | str, **properties: object) -> MessageContent:
    kind = BodyKind.VALUE if isinstance(body, str) else BodyKind.DATA
    return MessageContent(body=body, body_kind=kind, application_properties=properties)


USUAL = [content(b"%d" % number, key=f"key-{number}", number=number) for number in range(MANY)]
UNUSUAL = [
    content("a text"),
    MessageContent(body=b"with a deadline", body_kind=BodyKind.DATA, ttl_ms=2**32 - 1),
    content(bytes(200_000)),
    content(b"a name that AMQP 0-9-1 and 0-10 cannot say", **{"n" * 300: True}),
    content(b"", key="without a body"),
    MessageContent(body=b"of a producer", body_kind=BodyKind.DATA, message_id="id", priority=7, to="x"),
]
MIXED = USUAL[:70] + [each for unusual in UNUSUAL for each in (unusual, USUAL[70])] + USUAL[70:]


def filled(spec: QueueSpec, contents: list[MessageContent]) -> Broker:
    broker = made(spec)
    assert (broker.lookup("q").queue.fast_path is None) is (spec is ONE_BY_ONE)
    for each in contents:
        assert broker.publish(broker.queue_target("q"), read_message(encode_content(each)), START_MS)
    broker.drain(START_MS)
    return broker


# ---------------------------------------------------------------------- readers: what each of them hears


def of_1_0(broker: Broker, credit: int, settles: bool, browses: bool) -> list[object]:
    peer = BrokerPeer(broker, Clock())
    source = Source(address="q", distribution_mode=Symbol("copy") if browses else None)
    peer.attach(ROLE_RECEIVER, "r", snd_settle_mode=int(settles), source=source)
    peer.flow(handle=0, delivery_count=0, credit=credit or 10 * MANY)
    return list(peer.got())


def of_0_9_1(broker: Broker, credit: int, settles: bool, browses: bool) -> list[object]:
    peer = Peer091(broker).open()
    arguments: dict[str, Any] = {"x-qpid-browse-only": True} if browses else {}
    peer.say(
        commands.Basic.Qos(prefetch_count=credit),
        commands.Basic.Consume(queue="q", consumer_tag="c", no_ack=settles, arguments=arguments),
    )
    peer.expect(commands.Basic.QosOk)
    peer.expect(commands.Basic.ConsumeOk)
    heard: list[object] = []
    while peer.frames:
        method, properties, body = peer.content(commands.Basic.Deliver)
        heard.append((dict(method), dict(properties), body))
    return heard


def of_0_10(broker: Broker, credit: int, settles: bool, browses: bool) -> list[object]:
    peer = Peer010(BrokerState(broker))
    modes = {"accept_mode": int(settles), "acquire_mode": int(browses)}
    peer.do("message.subscribe", queue="q", destination="d", **modes)
    peer.do("message.flow", destination="d", unit=1, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=0, value=credit or UNLIMITED)
    return [(each.number, each.delivery, each.properties, each.body) for each in peer.take()]


def of_core(broker: Broker, credit: int, settles: bool, browses: bool) -> list[object]:
    """The client grants bytes: enough for so many messages."""
    peer = CorePeer(broker).open()
    return [packet for _, _, packet in peer.read(credits_=10_000 * credit or -1, browse=browses).heard]


Reader = Callable[[Broker, int, bool, bool], list[object]]
READERS = pytest.mark.parametrize("hear", [of_1_0, of_0_9_1, of_0_10, of_core])


def state(broker: Broker) -> tuple[int, int]:
    queue = broker.lookup("q").queue
    return queue.depth, queue.available


@READERS
@pytest.mark.parametrize(("settles", "browses"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("credit", [ANY, 7, 100])
def test_whatever_is_among_them_it_comes_as_one_by_one(
    hear: Reader, credit: int, settles: bool, browses: bool
) -> None:
    together, single = filled(RUNS, MIXED), filled(ONE_BY_ONE, MIXED)
    heard = hear(together, credit, settles, browses)
    assert heard == hear(single, credit, settles, browses)
    assert len(heard) >= min(credit or MANY, 100)
    assert state(together) == state(single)


def test_a_channel_limits_what_its_consumers_are_sent_together() -> None:
    peer = Peer091(filled(RUNS, USUAL)).open()
    peer.say(commands.Basic.Qos(prefetch_count=10, global_=True))
    peer.say(commands.Basic.Consume(queue="q", consumer_tag="a"))
    peer.say(commands.Basic.Consume(queue="q", consumer_tag="b"))
    for kind in (commands.Basic.QosOk, commands.Basic.ConsumeOk):
        peer.expect(kind)
    heard = [peer.content(commands.Basic.Deliver)[0].delivery_tag for _ in range(10)]
    assert heard == list(range(1, 11))
    peer.expect(commands.Basic.ConsumeOk)
    assert peer.silent()


def test_credit_in_bytes_is_never_exceeded_by_a_message_more() -> None:
    peer = Peer010(BrokerState(filled(RUNS, [content(bytes(100))] * MANY)))
    peer.do("message.subscribe", queue="q", destination="d")
    peer.do("message.flow", destination="d", unit=0, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=1, value=1000)
    assert 0 < len(peer.take()) < 10


def test_a_consumer_of_core_is_sent_until_its_bytes_are_used() -> None:
    granted = 100_000
    peer = CorePeer(filled(RUNS, [content(bytes(1000))] * 500)).open().read(credits_=granted)
    sizes = [len(packet) for _, kind, packet in peer.heard if kind is packets.RECEIVE]
    assert sum(sizes[:-1]) < granted <= sum(sizes)


def test_what_was_sent_in_a_run_is_answered_one_by_one() -> None:
    broker = filled(RUNS, USUAL)
    peer = Peer091(broker).open().say(commands.Basic.Consume(queue="q"))
    assert state(broker) == (MANY, 0)
    peer.say(commands.Basic.Ack(3), commands.Basic.Nack(5, requeue=True))
    peer.say(commands.Basic.Ack(10, multiple=True))
    assert state(broker)[0] == MANY - 9
