"""What all connections share."""

from core_peer import Peer

from lastvalue.broker.broker import Broker


def test_only_sessions_that_can_be_attached_again_are_known_by_their_names(broker: Broker) -> None:
    peer = Peer(broker).open(name="kept", window=100)
    peer.create("other", 11)
    assert list(peer.shared.holders) == ["kept"]
