"""Reason codes, and what they are in MQTT 3.1.1."""

import pytest

from lastvalue.codec.mqtt.packet_types import PacketType
from lastvalue.codec.mqtt.reason_codes import ReasonCode, fitting_reason, has_return_code, return_code
from lastvalue.model.conditions import Condition


@pytest.mark.parametrize(
    ("reason", "packet_type", "said"),
    [
        (ReasonCode.QUOTA_EXCEEDED, PacketType.PUBACK, ReasonCode.QUOTA_EXCEEDED),
        (ReasonCode.SESSION_TAKEN_OVER, PacketType.DISCONNECT, ReasonCode.SESSION_TAKEN_OVER),
        (ReasonCode.SESSION_TAKEN_OVER, PacketType.PUBACK, ReasonCode.UNSPECIFIED_ERROR),
        (ReasonCode.SERVER_BUSY, PacketType.CONNACK, ReasonCode.SERVER_BUSY),
        (ReasonCode.SERVER_BUSY, PacketType.SUBACK, ReasonCode.UNSPECIFIED_ERROR),
    ],
)
def test_a_reason_that_may_not_stand_in_a_packet_becomes_an_unspecified_error(
    reason: ReasonCode, packet_type: PacketType, said: ReasonCode
) -> None:
    assert fitting_reason(reason, packet_type) is said


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (ReasonCode.SUCCESS, 0),
        (ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, 1),
        (ReasonCode.CLIENT_IDENTIFIER_INVALID, 2),
        (ReasonCode.USE_ANOTHER_SERVER, 3),
        (ReasonCode.BAD_USER_NAME_OR_PASSWORD, 4),
        (ReasonCode.NOT_AUTHORIZED, 5),
    ],
)
def test_mqtt_3_1_1_has_six_return_codes(reason: ReasonCode, code: int) -> None:
    assert return_code(reason) == code
    assert has_return_code(reason)


def test_a_malformed_connect_has_no_return_code() -> None:
    """[MQTT 3.1.1, MQTT-3.1.4-1] The connection is closed without a CONNACK."""
    assert not has_return_code(ReasonCode.MALFORMED_PACKET)
    assert not has_return_code(ReasonCode.PROTOCOL_ERROR)


def test_each_condition_has_a_reason_code_that_is_a_failure() -> None:
    assert min(ReasonCode(condition.mqtt) for condition in Condition) >= 0x80
