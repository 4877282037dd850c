"""The repeated parts of transfers: the properties of similar messages, and the frames around them."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.octets import OCTETS
from lastvalue.model.message import NEVER

ID_SIZE: Final = 16
"""The size of a message-id that is a UUID, in bytes."""

_PAIR: Final = struct.Struct(">II")
_QUAD: Final = struct.Struct(">Q")
_MESSAGE_PROPERTIES: Final = struct.Struct(">IHBB")
_CONTENT_LENGTH: Final = 1
_HEADER_FRAME: Final = b"\x03\x02"
_LAST_HEADER_FRAME: Final = b"\x07\x02"
_BODY_FRAME: Final = b"\x07\x03"
_FRAME_HEADER_SIZE: Final = 12


@final
class KnownSections:
    """The AMQP 0-10 form of sections header and properties that differ only in the message-id.

    Attributes:
        leading: the sections, without the message-id.
        delivery: the delivery properties, up to the time to live if there is one.
        behind_ttl: the rest of them.
        ttl_ms: the original time to live, or NEVER.
        flags: the first byte of the flags of the message properties, without content-length.
        has_id: there is a message-id, a UUID.
        between: their fields after the message-id and before the application headers.
        added, added_names: application headers that are added to the message's own, and their names.
        added_count: the number of added headers.
        address, subject: the address and subject that the message was published to, or None.
        is_exchange, is_queue: whether an exchange of the one name, and a queue of the other, existed.
    """

    __slots__ = (
        "added",
        "added_count",
        "added_names",
        "address",
        "behind_ttl",
        "between",
        "delivery",
        "flags",
        "has_id",
        "is_exchange",
        "is_queue",
        "leading",
        "subject",
        "ttl_ms",
    )

    def __init__(self, address: str | None, subject: str | None, names: Names) -> None:
        self.leading = b""
        self.delivery = b""
        self.behind_ttl = b""
        self.ttl_ms: i64 = NEVER
        self.flags: i64 = 0
        self.has_id = False
        self.between = b""
        self.added = b""
        self.added_count: i64 = 0
        self.added_names: list[bytes] = []
        self.address = address
        self.subject = subject
        self.is_exchange = address is not None and names.is_exchange(address)
        self.is_queue = subject is not None and names.is_queue(subject)

    def holds(self, names: Names) -> bool:
        """Whether the existence of the exchange and the queue is unchanged."""
        address = self.address
        if address is not None:
            return names.is_exchange(address) == self.is_exchange
        subject = self.subject
        return subject is None or names.is_queue(subject) == self.is_queue


@final
class Envelope:
    """The frames around the transfers of one subscription.

    Messages of the same kind and sizes have the same bytes around their time to live, their message-id, their
    application properties and their body.

    Args:
        command: the frame of the command, which all transfers share.
        channel: the session's channel.
        largest: the size of the largest frame that the peer accepts, in bytes.

    Attributes:
        before: the first bytes.
        behind_ttl, behind_id: the bytes after the time to live and after the message-id, if present.
        behind: the bytes between the application properties and the body.
        header_size: the size of the header segment, in bytes.
    """

    __slots__ = (
        "_body_size",
        "_command",
        "_count",
        "_known",
        "_largest",
        "_places",
        "_size",
        "before",
        "behind",
        "behind_id",
        "behind_ttl",
        "header_size",
    )

    def __init__(self, command: bytes, channel: int, largest: int) -> None:
        self._command = command
        self._largest: i64 = largest
        self._places = b"\0\1" + channel.to_bytes(2, "big") + bytes(4)
        self._known: KnownSections | None = None
        self._size: i64 = 0
        self._count: i64 = 0
        self._body_size: i64 = 0
        self.before = b""
        self.behind_ttl = b""
        self.behind_id = b""
        self.behind = b""
        self.header_size: i64 = 0

    def suit(self, known: KnownSections, count: i64, size: i64, body_size: i64) -> bool:
        """Prepare for messages of this kind, with this number and size of application properties.

        A body size of ABSENT means no body. Returns false if such messages need more frames.
        """
        if (
            known is not self._known
            or size != self._size
            or count != self._count
            or body_size != self._body_size
        ):
            self._known = known
            self._size = size
            self._count = count
            self._body_size = body_size
            self._measure(known, count, size, body_size)
        room = self._largest - _FRAME_HEADER_SIZE
        return self.header_size <= room and body_size <= room

    def _measure(self, known: KnownSections, count: i64, size: i64, body_size: i64) -> None:
        count += known.added_count
        size += len(known.added)
        flags = known.flags
        ahead = known.delivery
        behind_ttl = known.behind_ttl
        behind_id = known.between
        if count > 0:
            behind_id += _PAIR.pack(size + 4, count)
        if flags or count > 0:
            length = b""
            if body_size > 0:
                flags |= _CONTENT_LENGTH
                length = _QUAD.pack(body_size)
            rest: i64 = 4 + len(length) + len(behind_id) + (size if count > 0 else 0)
            if known.has_id:
                rest += ID_SIZE
            behind_ttl += _MESSAGE_PROPERTIES.pack(rest, 0x0403, flags, 1 if count > 0 else 0) + length
        if known.ttl_ms == NEVER:
            ahead += behind_ttl
            behind_ttl = b""
        self.header_size = len(ahead) + len(behind_ttl) + len(behind_id) + (size if count > 0 else 0)
        self.header_size += (8 if known.ttl_ms != NEVER else 0) + (ID_SIZE if known.has_id else 0)
        if not known.has_id:
            if known.ttl_ms == NEVER:
                ahead += behind_id
            else:
                behind_ttl += behind_id
            behind_id = b""
        kind = _LAST_HEADER_FRAME if body_size < 0 else _HEADER_FRAME
        self.before = self._command + kind + self._frame_size(self.header_size) + self._places + ahead
        self.behind_ttl = behind_ttl
        self.behind_id = behind_id
        self.behind = known.added
        if body_size >= 0:
            self.behind += _BODY_FRAME + self._frame_size(body_size) + self._places

    def _frame_size(self, size: i64) -> bytes:
        size = (size + _FRAME_HEADER_SIZE) & 0xFFFF
        return OCTETS[size >> 8] + OCTETS[size & 0xFF]
