"""The errors of peers that violate MQTT."""

from lastvalue.codec.mqtt.errors import malformed, protocol_error
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.model.conditions import Condition


def test_an_error_has_the_reason_that_a_disconnect_says() -> None:
    errors = (malformed("a"), protocol_error("b"))
    assert [each.reason for each in errors] == [ReasonCode.MALFORMED_PACKET, ReasonCode.PROTOCOL_ERROR]
    assert {each.condition for each in errors} == {Condition.FRAMING_ERROR}
