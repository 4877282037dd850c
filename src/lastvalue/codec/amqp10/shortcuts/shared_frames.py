"""Transfer frames of the same messages on several links: encoded once, copied, and numbered in place."""

from typing import Final, final

from librt.strings import read_i32_be
from mypy_extensions import i64, u8

from lastvalue.codec.amqp10.shortcuts.transfers import TransferWriter
from lastvalue.codec.output_buffer import OutputBuffer

_SERIAL: Final = 0xFFFFFFFF


@final
class SharedFrames:
    """Whole messages in a frame each, for links whose heads differ in their numbers alone.

    Args:
        payloads: the messages.
    """

    __slots__ = ("_delivery_id", "_octets", "_payloads", "_prefix", "_settled")

    def __init__(self, payloads: list[bytes]) -> None:
        self._payloads = payloads
        self._octets = b""
        self._prefix = b""
        self._settled = False
        self._delivery_id: i64 = 0

    def put(self, into: OutputBuffer, link: TransferWriter, delivery_id: i64, settled: bool) -> bool:
        """Put the frames for a link without a generation; false, and nothing, where its heads are others.

        `delivery_id` is that of the first message.
        """
        if self._octets == b"":
            self._encode(link, delivery_id, settled)
        elif settled is not self._settled or link.prefix != self._prefix:
            return False
        if delivery_id == self._delivery_id:
            into.put(self._octets)
        else:
            self._put_numbered(into, delivery_id)
        return True

    def _encode(self, link: TransferWriter, delivery_id: i64, settled: bool) -> None:
        frames = OutputBuffer()
        number = delivery_id
        for payload in self._payloads:
            link.put_whole(frames, number, payload, settled)
            number = (number + 1) & _SERIAL
        self._octets = frames.take()
        self._prefix = link.prefix
        self._settled = settled
        self._delivery_id = delivery_id

    def _put_numbered(self, into: OutputBuffer, delivery_id: i64) -> None:
        """Put a copy whose delivery-ids, and the tags which equal them, begin with another one."""
        octets = self._octets
        writer = into.writer()
        start: i64 = len(writer)
        size: i64 = len(octets)
        writer.write(octets)
        into.size += size
        id_at: i64 = start + 4 + len(self._prefix)
        pos: i64 = 0
        number = delivery_id
        while pos < size:
            at: i64 = id_at + pos
            first = u8(number >> 24 & 0xFF)
            second = u8(number >> 16 & 0xFF)
            third = u8(number >> 8 & 0xFF)
            fourth = u8(number & 0xFF)
            writer[at] = first
            writer[at + 1] = second
            writer[at + 2] = third
            writer[at + 3] = fourth
            # Between the two is the constructor of the tag.
            writer[at + 6] = first
            writer[at + 7] = second
            writer[at + 8] = third
            writer[at + 9] = fourth
            pos += i64(read_i32_be(octets, pos))
            number = (number + 1) & _SERIAL
