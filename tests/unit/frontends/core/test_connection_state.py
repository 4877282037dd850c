"""What the sessions of a connection share."""

from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER


def test_every_connection_has_a_name_of_its_own(broker: Broker) -> None:
    Peer(broker).open(), Peer(broker).open()
    names = [each.name for each in broker.connections.visible(BROKER)]
    assert len(set(names)) == 2
    assert all(name.startswith("core:") for name in names)
