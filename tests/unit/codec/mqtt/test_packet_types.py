"""The types of control packets, and the levels of the protocol."""

from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_31, LEVEL_311, PROTOCOL_NAMES, PacketType


def test_every_number_of_four_bits_but_0_is_a_type() -> None:
    """[MQTT 5.0 §2.1.2]."""
    assert [packet_type.value for packet_type in PacketType] == list(range(1, 16))


def test_only_the_oldest_level_has_another_name() -> None:
    """[MQTT-3.1.2-1]."""
    assert PROTOCOL_NAMES == {LEVEL_31: "MQIsdp", LEVEL_311: "MQTT", LEVEL_5: "MQTT"}
