"""Messages of CORE that come together."""

from core_peer import SESSION, VERSION, Peer, keyed, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import ADDRESS_FULL
from lastvalue.codec.core.packets import write_packet
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.queues.spec import Limit, QueueSpec


def send(address: str, correlation: int) -> bytes:
    """A packet with a text message, which is to be answered."""
    body = CoreWriter()
    body.nullable_simple_string("text")
    whole = message(body.data(), address, properties=keyed("a"))
    values = {"message": whole, "wants_response": True, "correlation": correlation}
    return write_packet(packets.SEND, SESSION, VERSION, values)


def test_messages_to_the_same_address_go_along_and_others_to_their_own(broker: Broker, peer: Peer) -> None:
    peer.declare().declare("r")
    addresses = "qqqrqr"
    peer.raw(b"".join(send(address, number) for number, address in enumerate(addresses)))
    answered = [peer.expect(packets.NULL_RESPONSE).number("correlation") for _ in addresses]
    assert answered == list(range(len(addresses)))
    depths = [broker.lookup(name).queue.depth for name in "qr"]
    assert depths == [4, 2]


def test_each_message_that_is_refused_is_answered_and_those_behind_it_are_asked(
    broker: Broker, peer: Peer
) -> None:
    broker.declare(QueueSpec("q", limit=Limit(messages=2)))
    broker.declare(QueueSpec("r"))
    peer.raw(b"".join(send(address, number) for number, address in enumerate("qqqr")))
    for number in (0, 1):
        assert peer.expect(packets.NULL_RESPONSE).number("correlation") == number
    refused = peer.expect(packets.EXCEPTION)
    assert (refused.number("code"), refused.number("correlation")) == (ADDRESS_FULL, 2)
    assert peer.expect(packets.NULL_RESPONSE).number("correlation") == 3


def test_every_queue_of_an_address_gets_each_message(broker: Broker, peer: Peer) -> None:
    broker.declare_exchange(ExchangeSpec("shared", ExchangeType.ADDRESS))
    for name in "qr":
        broker.declare(QueueSpec(name))
        broker.bind("shared", Binding(name, ""), NOBODY, 0)
    peer.raw(b"".join(send("shared", number) for number in range(4)))
    assert [peer.expect(packets.NULL_RESPONSE).number("correlation") for _ in range(4)] == [0, 1, 2, 3]
    assert [broker.lookup(name).queue.depth for name in "qr"] == [4, 4]
    assert broker.exchanges.find("shared").received == 4
