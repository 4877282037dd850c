"""Runs of messages without any protocol."""

from collections.abc import Sequence

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import MessageShape, message_shape
from lastvalue.model.message import AlikeMessages, Message, MessageRun, PropertyName


class Listed(MessageRun):
    """The messages of a list; one that is an error is raised.

    Attributes:
        left: how many follow the one at which it stands.
    """

    def __init__(self, messages: Sequence[Message | Exception]) -> None:
        self._messages = list(messages)
        self.left = len(self._messages)

    def next(self) -> Message | None:
        if self.left == 0:
            return None
        message = self._messages[-self.left]
        self.left -= 1
        if isinstance(message, Exception):
            raise message
        return message


class Encoded(MessageRun):
    """Messages of AMQP 1.0, which are given together where they have the same shape.

    Attributes:
        left: how many follow the one at which it stands.
    """

    def __init__(self, payloads: Sequence[bytes]) -> None:
        self._payloads = list(payloads)
        self.left = len(self._payloads)
        self._shape: MessageShape | None = None

    def next(self) -> Message | None:
        if self.left == 0:
            return None
        payload = self._payloads[-self.left]
        self.left -= 1
        shape = self._shape
        if shape is not None and shape.fits(payload):
            return shape.message(payload)
        message = read_message(payload)
        self._shape = message_shape(message)
        return message

    def alike(
        self, message: Message, name: PropertyName | None, order_by: PropertyName | None
    ) -> AlikeMessages:
        shape = self._shape
        if shape is None:
            return super().alike(message, name, order_by)
        key_place = None if name is None else shape.key_place(name, order_by)
        alike = AlikeMessages(shape.example(message), [message.encoded], key_place, shape.empty_bytes)
        if name is None or key_place is not None:
            for payload in self._payloads[len(self._payloads) - self.left :]:
                if not shape.fits(payload):
                    break
                alike.encodings.append(payload)
        return alike

    def skip(self, count: i64) -> None:
        self.left -= int(count)


def take_all(hosted: HostedQueue, run: MessageRun, now: int) -> bool:
    """Give a queue the messages of a run, up to one that it refuses, and then false."""
    message = run.next()
    return message is None or hosted.take_run(message, run, now)
