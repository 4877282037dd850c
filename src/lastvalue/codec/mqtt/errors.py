"""The errors of peers that violate MQTT."""

from mypy_extensions import mypyc_attr

from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


@mypyc_attr(native_class=False)
class MqttError(LastvalueError):
    """A packet is refused, and with it the connection.

    Attributes:
        reason: what a DISCONNECT says.
    """

    condition = Condition.FRAMING_ERROR

    def __init__(self, reason: ReasonCode, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def malformed(text: str) -> MqttError:
    """A packet cannot be decoded [MQTT 5.0 §4.13.1]."""
    return MqttError(ReasonCode.MALFORMED_PACKET, text)


def protocol_error(text: str) -> MqttError:
    """A packet can be decoded, and may not be as it is, or not come now [MQTT 5.0 §4.13.1]."""
    return MqttError(ReasonCode.PROTOCOL_ERROR, text)
