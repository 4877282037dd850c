"""The shape of messages: where their parts are, learnt from one of them.

A producer's messages mostly have the same sections and the same properties, whose values are as long.
Such a message is compared with the shape of the one before instead of being walked.
"""

from typing import Final, final

from librt.strings import read_i32_be, read_i64_le
from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.keys import NumberPlace, number_place
from lastvalue.codec.amqp10.message import EXPIRY_INDEX, EncodedMessage
from lastvalue.codec.amqp10.sections import (
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    PROPERTIES,
    list_start,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.model.message import KeyPlace, Message, PropertyName

MOST_COMPARED: Final = 1024
"""The longest part before the body that is compared, in bytes."""
_USER_ID_INDEX: Final = 1
_MOST_UNLIKE: Final = 64
"""The most messages that are read, and do not fit a shape, before another shape is learnt."""
_WORD: Final = 8
_OCTETS: Final = (0xA0, 0xA1, 0xB0, 0xB1)
"""Binaries and texts, with a size of one byte and of four."""


@final
class MessageShape:
    """What messages have in common with one that was read.

    Bytes of values whose size is fixed or equal may differ; constructors, sizes, names and all else may not,
    so nothing that `read_message` looks at does.

    Attributes:
        fitted: how many messages had it.
        is_own: the owner's, who has found that these messages name no other sender; their user-id is equal.

    Args:
        example: the message.
        size: of its part before the size of its body.
        free: has 0xff where a byte may differ, else 0.
    """

    __slots__ = (
        "_example", "_key_name", "_key_place", "_marked", "_mask", "_octets", "_order_name", "_size", "_wide",
        "fitted", "is_own",
    )  # fmt: skip

    def __init__(self, example: EncodedMessage, size: i64, free: bytes) -> None:
        self._octets = example.encoded[:size]
        self._example = example.alike(self._octets)
        self._example.annotated = example.annotated and example.has_terms()
        self._marked = self._example
        self._mask = bytes([0xFF ^ each for each in free[:size]])
        self.fitted: i64 = 0
        self.is_own = False
        self._size: i64 = size
        self._wide = example.encoded[size - 1] & 0x10 != 0
        self._key_name: PropertyName | None = None
        self._order_name: PropertyName | None = None
        self._key_place: KeyPlace | None = None

    @property
    def empty_bytes(self) -> i64:
        """The size of a message with the shape whose body is empty."""
        return self._size + (4 if self._wide else 1)

    def fits(self, payload: bytes) -> bool:
        """Whether a message has the shape."""
        return self._fits(payload, 0, len(payload))

    def _fits(self, data: bytes, start: i64, end: i64) -> bool:
        """Whether the message between these places has the shape."""
        size = self._size
        more: i64 = end - start - size
        if more < (4 if self._wide else 1):
            return False
        octets = self._octets
        mask = self._mask
        at: i64 = 0
        last: i64 = size - _WORD
        while at < last:
            if (read_i64_le(data, start + at) ^ read_i64_le(octets, at)) & read_i64_le(mask, at) != 0:
                return False
            at += _WORD
        if (read_i64_le(data, start + last) ^ read_i64_le(octets, last)) & read_i64_le(mask, last) != 0:
            return False
        body: i64 = data[start + size] + 1
        if self._wide:
            body = i64(read_i32_be(data, start + size)) + 4
        if body != more:
            return False
        self.fitted += 1
        return True

    def message(self, payload: bytes) -> EncodedMessage:
        """The message that has these bytes, which fit."""
        return self._example.alike(payload)

    def example(self, message: Message) -> Message:
        """A message with the shape, and with the extras of one that fits; the same one while these are."""
        example = self._marked
        if example.extras is not message.extras:
            example = self._marked = self._example.alike(self._octets)
            example.extras = message.extras
        return example

    def gather(self, frames: bytes, frame: i64, head_size: i64, most: i64, into: list[bytes]) -> None:
        """Add the messages that fit of transfer frames in a row, up to one that does not.

        Args:
            frames: bytes of a connection.
            frame: where the first frame starts.
            head_size: the size of each frame's part before the message.
            most: the number of frames.
            into: receives the messages.
        """
        while most > 0:
            end = frame + i64(read_i32_be(frames, frame))
            if not self._fits(frames, frame + head_size, end):
                break
            into.append(frames[frame + head_size : end])
            frame = end
            most -= 1

    def key_place(self, name: PropertyName, order_by: PropertyName | None = None) -> KeyPlace | None:
        """Where a message that fits has its key and its order value.

        None unless the key is a short text, and the order value a number, missing or not asked for.
        """
        if name is not self._key_name or order_by is not self._order_name:
            self._key_name = name
            self._order_name = order_by
            self._key_place = self._find(name, order_by)
        return self._key_place

    def _find(self, name: PropertyName, order_by: PropertyName | None) -> KeyPlace | None:
        data = self._example.encoded
        at = self._example.position(name)
        if not 0 <= at < self._size or data[at] != 0xA1:
            return None
        order: NumberPlace | None = None
        order_at: i64 = -1 if order_by is None else self._example.position(order_by)
        if order_at >= 0:
            order = number_place(data, order_at)
            if order is None:
                return None
        return KeyPlace(at, at + 2 + data[at + 1], order)


@final
class ShapeLearner:
    """Learns the shape of a producer's messages; if few messages fit what was learnt, it learns less often.

    Attributes:
        shape: of a message that came, which the next ones may have, or None.
    """

    __slots__ = ("_learns_after", "_unlike", "shape")

    def __init__(self) -> None:
        self.shape: MessageShape | None = None
        # How many messages did not fit it, and how many of them are read before another is learnt.
        self._unlike: i64 = 0
        self._learns_after: i64 = 1

    def shape_of(self, message: EncodedMessage) -> MessageShape | None:
        """The shape that a message fits, or that is learnt from it, or None."""
        shape = self.shape
        return shape if shape is not None and shape.fits(message.encoded) else self.learn(message)

    def learn(self, message: EncodedMessage) -> MessageShape | None:
        """The shape of a message that does not fit the last one; None if it is not learnt."""
        self._unlike += 1
        if self._unlike < self._learns_after:
            return None
        self._unlike = 0
        shape = self.shape
        fits = shape is not None and shape.fitted >= _MOST_UNLIKE
        self._learns_after = 1 if fits else min(2 * self._learns_after, _MOST_UNLIKE)
        self.shape = shape = message_shape(message)
        return shape


def message_shape(message: EncodedMessage) -> MessageShape | None:
    """The shape of a message; None if it has none that is worth comparing.

    It has a body that is one binary or text, at its end, and some properties before that.
    """
    data = message.encoded
    size: i64 = len(data)
    free = bytearray(MOST_COMPARED)
    pos: i64 = 0
    try:
        while pos < size:
            section, start = section_head(data, pos, size)
            end = skip_value(data, start, size)
            if end > MOST_COMPARED and section < DATA:
                return None
            if section in (DATA, AMQP_VALUE):
                fits = end == size and data[start] in _OCTETS and _WORD <= start + 1 <= MOST_COMPARED
                return MessageShape(message, start + 1, bytes(free)) if fits else None
            if section == APPLICATION_PROPERTIES:
                _free_values(data, start + (3 if data[start] == 0xC1 else 9), end, free)
            elif section == PROPERTIES:
                _free_fields(data, start, end, free)
            pos = end
    except (IndexError, DecodeError):
        # Only what can be read has a shape.
        return None
    return None


def _free_values(data: bytes, pos: i64, end: i64, free: bytearray) -> None:
    """Let the values of a map differ; its names may not."""
    while pos < end:
        pos = skip_value(data, pos, end)
        after = skip_value(data, pos, end)
        _free(data, pos, after, free)
        pos = after


def _free_fields(data: bytes, start: i64, end: i64, free: bytearray) -> None:
    """Let the fields of the properties differ, but not the user, nor the time of expiry."""
    pos, count = list_start(data, start)
    index: i64 = 0
    while pos < end and index < count:
        after = skip_value(data, pos, end)
        if index not in (_USER_ID_INDEX, EXPIRY_INDEX):
            _free(data, pos, after, free)
        pos = after
        index += 1


def _free(data: bytes, pos: i64, end: i64, free: bytearray) -> None:
    """Let a value's bytes differ behind its constructor and size, where it is not a compound one."""
    width: i64 = data[pos] >> 4
    if width < 5 or width > 0xB:
        return
    pos += 2 if width == 0xA else 5 if width == 0xB else 1
    while pos < end:
        free[pos] = 0xFF
        pos += 1
