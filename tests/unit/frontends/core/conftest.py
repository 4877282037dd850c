"""A broker, and a peer that speaks CORE to it without a socket."""

import pytest
from core_peer import Peer

from lastvalue.broker.broker import Broker


@pytest.fixture
def broker() -> Broker:
    return Broker(all_effects=False)


@pytest.fixture
def peer(broker: Broker) -> Peer:
    return Peer(broker).open()
