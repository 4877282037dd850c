"""The events of the engine."""

from lastvalue.codec.mqtt.packet_types import PacketType
from lastvalue.codec.mqtt.packets import Ack
from lastvalue.protocols.mqtt.events import Acknowledged, Disconnected, Event


def test_each_event_is_one_and_has_what_its_packet_said() -> None:
    acknowledged = Acknowledged(Ack(PacketType.PUBACK, 7))
    disconnected = Disconnected(True, -1)
    assert isinstance(acknowledged, Event)
    assert isinstance(disconnected, Event)
    assert acknowledged.ack.packet_id == 7
    assert (disconnected.with_will, disconnected.session_expiry_s) == (True, -1)
