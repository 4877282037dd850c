"""The reason codes of errors [MQTT 5.0 §2.4]."""

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.model.errors import LastvalueError


def reason_of(error: LastvalueError) -> ReasonCode:
    """The reason code of an error; the engine says another where a packet cannot have it."""
    return error.reason if isinstance(error, MqttError) else ReasonCode(error.condition.mqtt)
