"""Messages of AMQP 1.0 that come together."""

from broker_peer import BrokerPeer
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import Detach, Disposition, Transfer, encode_performative
from lastvalue.queues.spec import Limit, QueueSpec


def transfers(count: int, *, settled: bool = False) -> bytes:
    """Transfers of messages that are alike, in one piece."""
    payload = encode_content(MessageContent(body=b"x"))
    return b"".join(
        encode_frame(
            encode_performative(
                Transfer(handle=0, delivery_id=number, delivery_tag=b"t", message_format=0, settled=settled)
            )
            + payload,
            0,
        )
        for number in range(count)
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
    assert told == [(0, "Accepted"), (3, "Rejected")]
    assert peer.broker.lookup("q").queue.refused == 2


def test_settled_messages_that_are_refused_are_counted_and_the_link_stays() -> None:
    peer = writer(3)
    peer.send(transfers(5, settled=True))
    assert not [each for each in peer.frames() if isinstance(each.performative, Detach | Disposition)]
    assert peer.broker.lookup("q").queue.refused == 2
