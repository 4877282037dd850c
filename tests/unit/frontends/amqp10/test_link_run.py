"""Messages of AMQP 1.0 that come together."""

from collections.abc import Sequence

from broker_peer import BrokerPeer
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import Detach, Disposition, Transfer, encode_performative
from lastvalue.queues.spec import LastValue, Limit, QueueSpec

FIRST = 1000
"""The first delivery-id."""


def transfers(count: int, *, settled: bool = False, subjects: Sequence[str | None] = (None,)) -> bytes:
    """Transfers of messages that are alike but for their subjects, which come in turn; in one piece."""
    contents = [encode_content(MessageContent(body=b"x", subject=each)) for each in subjects]
    return transferred([contents[number % len(contents)] for number in range(count)], settled=settled)


def transferred(contents: list[bytes], *, settled: bool = False) -> bytes:
    """Transfers whose numbers and tags take four bytes, so that they are one delivery of many messages."""
    return b"".join(
        encode_frame(
            encode_performative(
                Transfer(
                    handle=0, delivery_id=number, delivery_tag=b"tag.", message_format=0, settled=settled
                )
            )
            + content,
            0,
        )
        for number, content in enumerate(contents, FIRST)
    )


def writer(limit: int) -> BrokerPeer:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(messages=limit)))
    peer = BrokerPeer(broker, Clock())
    peer.writes(address="q")
    return peer


def test_each_message_has_the_outcome_that_became_of_it() -> None:
    peer = writer(3)
    peer.send(transfers(5))
    told = sorted((number, type(state).__name__) for number, state in peer.told())
    assert told == [(FIRST, "Accepted"), (FIRST + 3, "Rejected")]
    assert peer.broker.lookup("q").queue.refused == 2


def test_settled_messages_that_are_refused_are_counted_and_the_link_stays() -> None:
    peer = writer(3)
    peer.send(transfers(5, settled=True))
    assert not [each for each in peer.frames() if isinstance(each.performative, Detach | Disposition)]
    assert peer.broker.lookup("q").queue.refused == 2


def bound(address: str, *bindings: tuple[str, str, str]) -> BrokerPeer:
    """A peer that writes to an address, of a broker whose queues are bound to exchanges by keys."""
    broker = Broker()
    for exchange, queue, key in bindings:
        broker.declare_exchange(ExchangeSpec("shared", ExchangeType.ADDRESS))
        broker.declare(QueueSpec(queue))
        broker.bind(exchange, Binding(queue, key), NOBODY, 0)
    peer = BrokerPeer(broker, Clock())
    peer.writes(address=address)
    return peer


def depths(peer: BrokerPeer, *names: str) -> list[int]:
    return [int(peer.broker.lookup(name).queue.depth) for name in names]


def test_messages_go_to_the_queues_of_their_own_subjects() -> None:
    peer = bound("amq.topic", ("amq.topic", "all", "*"), ("amq.topic", "ab", "ab"), ("amq.topic", "ac", "ac"))
    peer.send(transfers(9, subjects=("ab", "ab", "ac", "ad", "ae", "a.")))
    assert depths(peer, "all", "ab", "ac") == [8, 4, 2]
    assert [(number, type(state).__name__) for number, state in peer.told()] == [(FIRST, "Accepted")]
    exchange = peer.broker.exchanges.find("amq.topic")
    assert (exchange.received, exchange.unrouted) == (9, 1)


def test_messages_without_a_subject_have_that_of_the_link() -> None:
    peer = bound("amq.direct/a", ("amq.direct", "q", "a"), ("amq.direct", "r", "b"))
    peer.send(transfers(6, subjects=(None, None, "b")))
    assert depths(peer, "q", "r") == [4, 2]


def test_every_queue_of_an_address_gets_each_message() -> None:
    peer = bound("shared", ("shared", "q", ""), ("shared", "r", ""))
    peer.send(transfers(4, subjects=("x", None)))
    assert depths(peer, "q", "r") == [4, 4]
    assert peer.broker.exchanges.find("shared").received == 4


def test_a_message_that_one_of_several_queues_cannot_read_ends_no_run_that_the_others_have_taken() -> None:
    peer = bound("amq.fanout", ("amq.fanout", "all", ""))
    peer.broker.declare(QueueSpec("newest", ordering=LastValue("k", order_by="n")))
    peer.broker.bind("amq.fanout", Binding("newest", ""), NOBODY, 0)
    good = encode_content(MessageContent(body=b"x", application_properties={"k": "a", "n": "tt"}))
    peer.send(transferred([good, good, good.replace(b"tt", b"\xff\xff"), good]))
    outcomes = sorted((number, type(state).__name__) for number, state in peer.told())
    assert outcomes == [(FIRST, "Accepted"), (FIRST + 2, "Rejected"), (FIRST + 3, "Accepted")]
    assert depths(peer, "all", "newest") == [4, 1]
