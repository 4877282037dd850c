"""Links whose messages are to be taken once: those that ask for it, and those that name their producer."""

from typing import Final, final

from lastvalue.codec.amqp10.performatives import Attach
from lastvalue.codec.amqp10.values import Symbol, Value
from lastvalue.frontends.amqp10.nodes import NodeError
from lastvalue.model.conditions import Condition
from lastvalue.model.message import Message
from lastvalue.queues.ids import given_id, numbered_id

DUPLICATE_DETECTION: Final = "lastvalue:duplicate-detection"
"""The capability by which a producer asks that each id is taken once."""

PRODUCER_NAME: Final = "producer-name"
"""The property of an attach that names the producer, whose message-ids are such ids then."""

_LONGEST_NAME: Final = 255


@final
class Detection:
    """What tells a link's messages apart.

    Attributes:
        producer: who numbers the messages; "" where nobody does.
    """

    __slots__ = ("producer",)

    def __init__(self, producer: str) -> None:
        self.producer = producer

    def mark(self, message: Message) -> None:
        """Let queues know the message by its id: the one that it carries, else its producer's and its own.

        Raises:
            DecodeError: the message is malformed where it is read.
            DuplicateIdError: the id is too long.
        """
        duplicate_id = given_id(message.given_id())
        if not duplicate_id and self.producer:
            number = message.field("properties.message-id")
            if number is not None:
                value = number if isinstance(number, bytes) else str(number).encode("utf-8", "surrogatepass")
                duplicate_id = numbered_id(self.producer, value)
        message.duplicate_id = duplicate_id

    def capabilities(self) -> tuple[str, ...]:
        """What the link is offered."""
        return (DUPLICATE_DETECTION,)

    def properties(self) -> dict[str, Value]:
        """What is echoed."""
        return {Symbol(PRODUCER_NAME): self.producer} if self.producer else {}


def detection_asked(attach: Attach) -> Detection | None:
    """What a producer's attach asks for, or None where it asks for nothing.

    Raises:
        NodeError: the producer's name is no usable text.
    """
    name = attach.properties.get(PRODUCER_NAME)
    if name is None:
        return Detection("") if DUPLICATE_DETECTION in attach.desired_capabilities else None
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or "\x00" in name:
        text = f"{PRODUCER_NAME} is {name!r:.80}; expected a text of 1 to {_LONGEST_NAME} characters"
        raise NodeError(Condition.INVALID_FIELD, text)
    return Detection(str(name))
