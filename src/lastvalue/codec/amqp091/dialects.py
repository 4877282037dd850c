"""The differences of AMQP 0-9 and 0-8 from AMQP 0-9-1: additional methods, and other method numbers."""

import struct
from collections.abc import Mapping
from typing import Any, Final, final

from pamqp import base, commands, decode, encode

from lastvalue.codec.amqp091.errors import FRAME_ERROR, ReplyError
from lastvalue.codec.amqp091.frames import METHOD, frame

AMQP_091: Final = "AMQP 0-9-1"
HEADER_091: Final = b"AMQP\x00\x00\x09\x01"
HEADER_09: Final = b"AMQP\x01\x01\x00\x09"
HEADER_08: Final = b"AMQP\x01\x01\x08\x00"

ACCESS_REQUEST: Final = 30 << 16 | 10
ACCESS_REQUEST_OK: Final = 30 << 16 | 11
EXCHANGE_BOUND: Final = 40 << 16 | 22
EXCHANGE_BOUND_OK: Final = 40 << 16 | 23
RECOVER_ASYNC: Final = 60 << 16 | 100
RECOVER_OK: Final = 60 << 16 | 101
RECOVER_SYNC: Final = 60 << 16 | 102
PING: Final = 20 << 16 | 60
PONG: Final = 20 << 16 | 70
CHANNEL_OK: Final = 20 << 16 | 80

# Methods that AMQP 0-9-1 removed or deprecated: the names and types of their fields.
_OLD: Final[dict[int, tuple[tuple[str, str], ...]]] = {
    ACCESS_REQUEST: (
        ("realm", "shortstr"),
        ("exclusive", "bit"),
        ("passive", "bit"),
        ("active", "bit"),
        ("write", "bit"),
        ("read", "bit"),
    ),
    ACCESS_REQUEST_OK: (("ticket", "short"),),
    EXCHANGE_BOUND: (("exchange", "shortstr"), ("routing_key", "shortstr"), ("queue", "shortstr")),
    EXCHANGE_BOUND_OK: (("reply_code", "short"), ("reply_text", "shortstr")),
    RECOVER_ASYNC: (("requeue", "bit"),),
    RECOVER_OK: (),
    RECOVER_SYNC: (("requeue", "bit"),),
    PING: (),
    PONG: (),
    CHANNEL_OK: (),
}


@final
class OldMethod:
    """A method that AMQP 0-9-1 does not have.

    Attributes:
        index: class and method id.
        fields: by name.
    """

    __slots__ = ("fields", "index")

    def __init__(self, index: int, fields: Mapping[str, Any] | None = None) -> None:
        self.index = index
        self.fields: dict[str, Any] = dict(fields or {})

    @property
    def name(self) -> str:
        """The method's name in errors."""
        return f"method {self.index >> 16}.{self.index & 0xFFFF}"


Method = base.Frame | OldMethod


@final
class Dialect:
    """One version of the protocol.

    Attributes:
        name: the version's name.
        version: major and minor, as in connection.start.
        modern: whether it is AMQP 0-9-1.
    """

    __slots__ = ("_ours", "_theirs", "modern", "name", "version")

    def __init__(self, name: str, version: tuple[int, int], renumbered: Mapping[int, int]) -> None:
        self.name = name
        self.version = version
        self.modern = name == AMQP_091
        # This version's number by the one in AMQP 0-9-1, and the reverse.
        self._theirs = dict(renumbered)
        self._ours = {theirs: ours for ours, theirs in renumbered.items()}

    def number_of(self, theirs: int) -> int:
        """The number in AMQP 0-9-1 of a method with this number here."""
        return self._ours.get(theirs, theirs)

    def is_old(self, number: int) -> bool:
        """Whether a method is one that AMQP 0-9-1 does not have; Qpid has exchange.bound in all versions."""
        return number in (RECOVER_ASYNC, EXCHANGE_BOUND) or (not self.modern and number in _OLD)

    def framed(self, whole: bytes) -> bytes:
        """The frame of a method in this version."""
        if self.modern:
            return whole
        number = int.from_bytes(whole[7:11], "big")
        if number == commands.Channel.OpenOk.index and self.version == (8, 0):
            # [0-8] The method has no field.
            return whole[:3] + b"\x00\x00\x00\x04" + whole[7:11] + b"\xce"
        theirs = self._theirs.get(number)
        return whole if theirs is None else whole[:7] + theirs.to_bytes(4, "big") + whole[11:]


_CLOSE: Final = {
    int(commands.Connection.Close.index): 10 << 16 | 60,
    int(commands.Connection.CloseOk.index): 10 << 16 | 61,
}
MODERN: Final = Dialect(AMQP_091, (0, 9), {})
DIALECTS: Final = {
    HEADER_091: MODERN,
    HEADER_09: Dialect("AMQP 0-9", (0, 9), {}),
    HEADER_08: Dialect("AMQP 0-8", (8, 0), _CLOSE),
}
"""The dialects by protocol header."""


def decode_old(number: int, payload: bytes) -> OldMethod:
    """A method that only older versions have.

    Raises:
        ReplyError: the fields do not fill the method exactly.
    """
    fields: dict[str, Any] = {}
    pos = 4
    bit = 0
    try:
        for name, kind in _OLD[number]:
            if kind == "bit":
                fields[name] = payload[pos] >> bit & 1 == 1
                bit += 1
                continue
            used, value = decode.by_type(payload[pos:], kind)
            pos += used
            fields[name] = value
    except (ValueError, IndexError, struct.error, TypeError) as fault:
        raise ReplyError(FRAME_ERROR, f"invalid method: {fault}") from fault
    return OldMethod(number, fields)


def encode_old(method: OldMethod, channel: int) -> bytes:
    """The frame of a method that only older versions have, without flags."""
    parts = [method.index.to_bytes(4, "big")]
    parts += [encode.by_type(method.fields[name], kind) for name, kind in _OLD[method.index]]
    return frame(METHOD, channel, b"".join(parts))
