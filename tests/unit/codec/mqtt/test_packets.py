"""What packets say beyond their fields."""

import pytest

from lastvalue.codec.mqtt.packet_types import LASTS_FOR_EVER
from lastvalue.codec.mqtt.packets import MOST_IN_FLIGHT, Connect, Will
from lastvalue.codec.mqtt.properties import Properties, PropertyId


@pytest.mark.parametrize(
    ("connect", "expiry_s"),
    [
        (Connect(4, "c", clean_start=True), 0),
        (Connect(4, "c", clean_start=False), LASTS_FOR_EVER),
        (Connect(5, "c", clean_start=False), 0),
        (Connect(5, "c", properties=Properties({PropertyId.SESSION_EXPIRY_S: 60})), 60),
    ],
)
def test_a_session_of_mqtt_3_lasts_for_ever_unless_it_begins_clean(connect: Connect, expiry_s: int) -> None:
    """[MQTT 5.0 §3.1.2.11.2]."""
    assert connect.session_expiry_s == expiry_s


@pytest.mark.parametrize(
    ("properties", "most"), [(Properties(), MOST_IN_FLIGHT), (Properties({PropertyId.RECEIVE_MAXIMUM: 3}), 3)]
)
def test_a_client_that_says_no_receive_maximum_takes_all_identifiers(
    properties: Properties, most: int
) -> None:
    """[MQTT 5.0 §3.1.2.11.3]."""
    assert Connect(5, "c", properties=properties).receive_maximum == most


def test_a_will_may_have_a_delay() -> None:
    """[MQTT 5.0 §3.1.3.2.2]."""
    assert Will("w", b"").delay_s == 0
    assert Will("w", b"", properties=Properties({PropertyId.WILL_DELAY_S: 5})).delay_s == 5


def test_what_a_connect_takes_grows_with_its_properties_and_its_will() -> None:
    many = Properties({PropertyId.AUTHENTICATION_DATA: bytes(100)}, [("ab", "cd")] * 1000)
    plain, will = Connect(5, "c", properties=many), Will("t", bytes(50), properties=many)
    assert 100_000 < plain.size_bytes < 400_000
    assert will.size_bytes == plain.size_bytes + 51
    assert Connect(5, "c", will=will, properties=many).size_bytes == plain.size_bytes + will.size_bytes
