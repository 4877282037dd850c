"""Links that ask for duplicate detection: by a capability, or by naming their producer."""

from typing import Final

from lastvalue.codec.amqp10.performatives import Attach
from lastvalue.codec.amqp10.values import Symbol, Value
from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.frontends.amqp10.nodes import NodeError
from lastvalue.model.conditions import Condition

DUPLICATE_DETECTION: Final = "lastvalue:duplicate-detection"
"""The capability by which a producer asks that queues take each duplicate id once."""

PRODUCER_NAME: Final = "producer-name"
"""The property of an attach that names the producer; its message-ids are its duplicate ids."""

_LONGEST_NAME: Final = 255


def detection_asked(attach: Attach) -> DuplicateDetection | None:
    """The duplicate detection that a producer's attach asks for, or None.

    Raises:
        NodeError: the producer's name is not a text of the allowed length.
    """
    name = attach.properties.get(PRODUCER_NAME)
    if name is None:
        return DuplicateDetection("") if DUPLICATE_DETECTION in attach.desired_capabilities else None
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or "\x00" in name:
        text = f"{PRODUCER_NAME} is {name!r:.80}; expected a text of 1 to {_LONGEST_NAME} characters"
        raise NodeError(Condition.INVALID_FIELD, text)
    return DuplicateDetection(str(name))


def detection_properties(detection: DuplicateDetection) -> dict[str, Value]:
    """The properties of the attach that answers such a link."""
    return {Symbol(PRODUCER_NAME): detection.producer} if detection.producer else {}
