"""Methods [0-9-1 §4.2.4]: handwritten for those of every message, through pamqp for all others."""

import struct
from typing import Final, final

from mypy_extensions import i64
from pamqp import commands, exceptions, frame

from lastvalue.codec.amqp091.dialects import MODERN, Dialect, Method, OldMethod, decode_old, encode_old
from lastvalue.codec.amqp091.errors import COMMAND_INVALID, FRAME_ERROR, SYNTAX_ERROR, ReplyError
from lastvalue.codec.amqp091.fields import short_string
from lastvalue.codec.amqp091.frames import FRAME_END, METHOD
from lastvalue.codec.amqp091.frames import frame as framed
from lastvalue.codec.output_buffer import BodyFrames, OutputBuffer

PUBLISH: Final = 60 << 16 | 40
DELIVER: Final = 60 << 16 | 60
GET_OK: Final = 60 << 16 | 71
ACK: Final = 60 << 16 | 80
REJECT: Final = 60 << 16 | 90
NACK: Final = 60 << 16 | 120
RETURN: Final = 60 << 16 | 50

MAX_METHOD_BYTES: Final = 32 * 1024
"""The largest method; pamqp decodes its tables in time and memory that grow with the square of their size."""

# No class statement: mypyc does not compile a base that is an attribute of a class.
QueueDeclareOk: Final[type[commands.Queue.DeclareOk]] = type(
    "QueueDeclareOk", (commands.Queue.DeclareOk,), {"validate": lambda _: None}
)
"""Queue.declare-ok for a queue of any name; pamqp's own refuses letters beyond ASCII."""

_HEAD: Final = struct.Struct(">BHI")
_FRAME_OVERHEAD: Final = 8
_TAG: Final = struct.Struct(">QB")
_LARGEST_TAG: Final = 2**63 - 1
"""The tag that stands for all larger ones; no delivery has it, so they are unknown too."""
_RETURN: Final = struct.Struct(">IH")
_CONFIRM: Final = struct.Struct(">BHIIQBB")


@final
class PublishHead:
    """The fields of a basic.publish.

    Attributes:
        exchange, key: the exchange and routing key, as received and as text.
        mandatory: the message is returned if no queue gets it.
        immediate: the message is returned also if no consumer gets it at once.
    """

    __slots__ = ("exchange", "immediate", "key", "mandatory", "raw_exchange", "raw_key")

    def __init__(self, data: bytes, start: i64, end: i64) -> None:
        try:
            pos: i64 = start + 6
            stop = pos + 1 + data[pos]
            self.raw_exchange = data[pos + 1 : stop]
            pos = stop
            stop = pos + 1 + data[pos]
            self.raw_key = data[pos + 1 : stop]
            if stop + 1 != end:
                raise ReplyError(SYNTAX_ERROR, "the fields do not fill the basic.publish exactly")
            flags: i64 = data[stop]
            self.mandatory = flags & 1 != 0
            self.immediate = flags & 2 != 0
            self.exchange = self.raw_exchange.decode("utf-8")
            self.key = self.raw_key.decode("utf-8")
        # Distinct names: mypyc allows one type per variable.
        except IndexError as short:
            raise ReplyError(SYNTAX_ERROR, "the fields do not fill the basic.publish exactly") from short
        except UnicodeDecodeError as garbled:
            raise ReplyError(SYNTAX_ERROR, "a name in a basic.publish is not valid UTF-8") from garbled


def method_of(data: bytes, start: i64, end: i64) -> i64:
    """Class and method id from a method's payload.

    Raises:
        ReplyError: the payload is too short.
    """
    if end - start < 4:
        raise ReplyError(SYNTAX_ERROR, "a method frame must contain a method")
    return data[start] << 24 | data[start + 1] << 16 | data[start + 2] << 8 | data[start + 3]


def settlement(data: bytes, start: i64, end: i64) -> tuple[i64, i64]:
    """Delivery tag and flags of an ack, a reject or a nack.

    Raises:
        ReplyError: the payload has another size.
    """
    if end - start != 13:
        raise ReplyError(SYNTAX_ERROR, "an acknowledgement must have a delivery tag and flags")
    given: int
    flags: int
    given, flags = _TAG.unpack_from(data, start + 4)
    return min(given, _LARGEST_TAG), flags


def decode_method(payload: bytes, dialect: Dialect = MODERN) -> Method:
    """Decode any method.

    Raises:
        ReplyError: there is no such method, its fields are invalid, or it is larger than MAX_METHOD_BYTES.
    """
    number = dialect.number_of(int.from_bytes(payload[:4], "big"))
    if len(payload) > MAX_METHOD_BYTES:
        limit = f"a method of {len(payload)} bytes; at most {MAX_METHOD_BYTES} are allowed"
        raise ReplyError(FRAME_ERROR, limit, ids(number))
    if dialect.is_old(number):
        return decode_old(number, payload)
    if number not in commands.INDEX_MAPPING:
        raise ReplyError(COMMAND_INVALID, f"there is no method {number >> 16}.{number & 0xFFFF}", ids(number))
    try:
        return frame.unmarshal(framed(METHOD, 0, number.to_bytes(4, "big") + payload[4:]))[2]  # type: ignore[return-value]  # of a method frame
    except (
        exceptions.UnmarshalingException,
        IndexError,
        RecursionError,
        TypeError,
        ValueError,
        OverflowError,
        struct.error,
    ) as fault:
        why = str(fault.__cause__ or fault)
    # Raised here, as the error would otherwise keep each level of a table with its octets.
    raise ReplyError(FRAME_ERROR, f"invalid method {number >> 16}.{number & 0xFFFF}: {why}", ids(number))


def ids(number: int) -> tuple[int, int]:
    """Split a number into class and method id."""
    return number >> 16, number & 0xFFFF


def encode_method(method: Method, channel: int, dialect: Dialect = MODERN) -> bytes:
    """A method's frame."""
    if isinstance(method, OldMethod):
        return encode_old(method, channel)
    return dialect.framed(frame.marshal(method, channel))


@final
class ContentBody(BodyFrames):
    """The body of a content that needs several frames."""

    __slots__ = ("_channel",)

    def __init__(self, channel: int, body: bytes, frame_max: i64) -> None:
        super().__init__(body, frame_max - _FRAME_OVERHEAD, _FRAME_OVERHEAD)
        self._channel = channel

    def frame(self, piece: bytes, first: bool, last: bool, into: list[bytes]) -> None:
        """See BodyFrames."""
        del first, last
        into.append(_HEAD.pack(3, self._channel, len(piece)))
        into.append(piece)
        into.append(b"\xce")


def put_content(output: OutputBuffer, channel: int, header: bytes, body: bytes, frame_max: i64) -> None:
    """Put the frames of a content, which follow its method."""
    size: i64 = len(body)
    parts = [_HEAD.pack(2, channel, len(header)), header, b"\xce"]
    if size > frame_max - _FRAME_OVERHEAD:
        output.put(b"".join(parts))
        output.put_frames(ContentBody(channel, body, frame_max))
        return
    if size > 0:
        parts += (_HEAD.pack(3, channel, size), body, b"\xce")
    output.put(b"".join(parts))


def deliver_frame(channel: int, consumer: bytes, tag: i64, redelivered: bool, place: bytes) -> bytes:
    """A basic.deliver; `consumer` and `place` are shortstrs: the consumer's tag, the exchange and the key."""
    payload = b"".join((b"\x00\x3c\x00\x3c", consumer, _TAG.pack(tag, redelivered), place))
    return _HEAD.pack(1, channel, len(payload)) + payload + b"\xce"


def get_ok_frame(channel: int, tag: i64, redelivered: bool, place: bytes, left: int) -> bytes:
    """A basic.get-ok, with the number of messages left."""
    payload = b"".join((b"\x00\x3c\x00\x47", _TAG.pack(tag, redelivered), place, left.to_bytes(4, "big")))
    return _HEAD.pack(1, channel, len(payload)) + payload + b"\xce"


def return_frame(channel: int, code: int, text: str, place: bytes) -> bytes:
    """A basic.return."""
    payload = _RETURN.pack(RETURN, code) + short_string(text.encode()) + place
    return _HEAD.pack(1, channel, len(payload)) + payload + b"\xce"


def place_of(exchange: bytes, key: bytes) -> bytes:
    """Exchange and routing key as two shortstrs."""
    return short_string(exchange) + short_string(key)


def confirm_frame(channel: int, number: int, tag: i64, multiple: bool) -> bytes:
    """A basic.ack or basic.nack for a publisher."""
    return _CONFIRM.pack(1, channel, 13, number, tag, multiple, FRAME_END)
