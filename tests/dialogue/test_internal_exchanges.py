"""[RabbitMQ] An internal exchange gets messages of other exchanges and dead letters, and none of a client."""

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from amqp091_peer import closed, declared
from broker_desk import made
from connected_peer import ConnectedPeer
from core_peer import Peer as CorePeer
from pamqp import base, commands

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import ROLE_SENDER, Attach, Detach, Disposition, Rejected, Target
from lastvalue.codec.core import packets
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

Basic, Exchange, Queue = commands.Basic, commands.Exchange, commands.Queue

MODES = ("plain", "confirms", "transaction")


@pytest.fixture
def broker() -> Broker:
    """A broker with the internal exchange `inner`, which leads to the queue `q`."""
    broker = made(QueueSpec("q"))
    peer = Peer091(broker).open()
    inner = Exchange.Declare(exchange="inner", exchange_type="fanout", internal=True)
    peer.say(inner).expect(Exchange.DeclareOk)
    peer.say(Queue.Bind(queue="q", exchange="inner")).expect(Queue.BindOk)
    return broker


def depth(broker: Broker) -> int:
    return broker.lookup("q").queue.depth


@pytest.mark.parametrize("mode", [None, commands.Confirm.Select(), commands.Tx.Select()], ids=MODES)
def test_publishing_to_it_closes_the_channel_in_amqp_0_9_1(broker: Broker, mode: base.Frame | None) -> None:
    peer = Peer091(broker).open()
    if mode is not None:
        peer.say(mode)
        peer.frames.clear()
    peer.publish(b"m", "k", "inner")
    code, text = closed(peer)
    assert code == 403
    assert "'inner' is internal" in text
    assert depth(broker) == 0


@pytest.mark.parametrize("address", ["inner", "inner/k", "/exchanges/inner/k"])
def test_a_sender_to_it_is_refused_in_amqp_1_0(broker: Broker, address: str) -> None:
    peer = ConnectedPeer(broker).connect().attach(ROLE_SENDER, target=Target(address=address))
    assert peer.heard(Attach).target is None
    assert peer.condition(Detach) == "amqp:unauthorized-access"


def test_a_message_to_it_by_the_anonymous_terminus_is_rejected_in_amqp_1_0(broker: Broker) -> None:
    peer = ConnectedPeer(broker).connect().attach(ROLE_SENDER, target=Target(address=None))
    peer.frames()
    peer.transfer(0, encode_content(MessageContent(to="inner", body="m")))
    (outcome,) = [
        each.performative.state for each in peer.frames() if isinstance(each.performative, Disposition)
    ]
    assert isinstance(outcome, Rejected)
    assert outcome.error is not None
    assert outcome.error.condition == "amqp:unauthorized-access"
    assert depth(broker) == 0


def test_publishing_to_it_ends_the_session_in_amqp_0_10(broker: Broker) -> None:
    peer = Peer010(BrokerState(broker))
    peer.send("k", b"m", exchange="inner")
    assert peer.failures[-1].number("error_code") == 403
    assert depth(broker) == 0


def test_a_message_to_it_is_refused_in_core(broker: Broker) -> None:
    peer = CorePeer(broker).open()
    peer.send("m", "inner")
    assert peer.expect(packets.EXCEPTION).number("code") == 105
    assert depth(broker) == 0


def test_exchanges_and_dead_letters_lead_to_it(broker: Broker) -> None:
    peer = Peer091(broker).open()
    peer.say(Exchange.Bind(source="amq.fanout", destination="inner")).expect(Exchange.BindOk)
    peer.publish(b"bound", "k", "amq.fanout")
    declared(peer, "work", **{"x-dead-letter-exchange": "inner"})
    peer.publish(b"rejected", "work")
    got = peer.say(Basic.Get(queue="work")).expect(Basic.GetOk)
    peer.say(Basic.Reject(got.delivery_tag, requeue=False))
    assert depth(broker) == 2


def test_declaring_it_again_asks_for_the_same(broker: Broker) -> None:
    peer = Peer091(broker).open()
    inner = Exchange.Declare(exchange="inner", exchange_type="fanout", internal=True)
    peer.say(inner).expect(Exchange.DeclareOk)
    peer.say(Exchange.Declare(exchange="inner", exchange_type="fanout"))
    code, text = closed(peer)
    assert (code, "internal: wanted None, has True" in text) == (406, True)
