"""How queues recognise the duplicates of one producer's messages."""

from typing import final

from lastvalue.model.message import Message
from lastvalue.queues.ids import explicit_id, numbered_id


@final
class DuplicateDetection:
    """Gives messages the ids by which queues take each of them once.

    Attributes:
        producer: the name under which the producer numbers its messages; "" where it does not.
    """

    __slots__ = ("producer",)

    def __init__(self, producer: str) -> None:
        self.producer = producer

    def mark(self, message: Message) -> None:
        """Give a message the id that it carries, else one of the producer's name and its message-id.

        Raises:
            DecodeError: the message is malformed where it is read.
            DuplicateIdError: the id is too long.
        """
        duplicate_id = explicit_id(message.explicit_id())
        if not duplicate_id and self.producer:
            number = message.field("properties.message-id")
            if number is not None:
                value = number if isinstance(number, bytes) else str(number).encode("utf-8", "surrogatepass")
                duplicate_id = numbered_id(self.producer, value)
        message.duplicate_id = duplicate_id
