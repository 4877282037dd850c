"""What a session is, as its client asks for it."""

from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets


def test_a_session_that_acknowledges_beforehand_settles_what_it_is_sent(broker: Broker) -> None:
    peer = Peer(broker).open(pre_acknowledge=True).declare().send("x")
    peer.expect(packets.NULL_RESPONSE)
    peer.read().received()
    assert broker.lookup("q").queue.depth == 0


def test_a_session_that_has_not_started_is_sent_nothing(broker: Broker, peer: Peer) -> None:
    peer.declare().send("x").expect(packets.NULL_RESPONSE)
    peer.ask(packets.STOP)
    assert peer.read().silent()
    assert peer.say(packets.START).received().number == 1
