"""Messages of QMF v1: requests of consoles, and what their answers contain.

A message is three letters, an opcode, a number by which answers find their request, and a content; the
schema says of which types its values are.
"""

import hashlib
import struct
from collections.abc import Mapping
from typing import Any, Final, final
from uuid import UUID

from lastvalue.codec.amqp010.decoder import Decoder
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.qmf.schema_class import Method, Property, SchemaClass, short_text
from lastvalue.codec.amqp10.values import Value

MAGIC: Final = b"AM2"
"""What every message of QMF v1 begins with."""

_HEAD: Final = 8
_BROKER_BANK: Final = 1 << 28
"""In the number of an object: it is of the broker's own agent."""

_LAYOUTS: Final = {
    "u8": ">B", "u16": ">H", "u32": ">I", "u64": ">Q", "time": ">Q", "duration": ">Q", "bool": ">B",
    "float": ">f", "double": ">d", "s32": ">i", "s64": ">q",
}  # fmt: skip
_CODES: Final = {
    "u8": 0x02, "u16": 0x12, "u32": 0x22, "u64": 0x32, "text": 0x85, "long": 0x95, "time": 0x32,
    "duration": 0x32, "bool": 0x08, "float": 0x23, "double": 0x33, "uuid": 0x48, "map": 0xA8, "list": 0xA9,
    "s32": 0x21, "s64": 0x31, "ref": 0x40,
}  # fmt: skip
"""By type, the code of AMQP 0-10's type that has the same bytes."""


@final
class V1Request:
    """A request of a console.

    Args:
        body: of the message.

    Attributes:
        opcode: one byte, which says what is asked.
        class_name: the class that a request for a schema, for objects, or for a call names; or "".
        object_number, method_name: what a call names; see `number_of`.

    Raises:
        DecodeError: the body is malformed.
    """

    def __init__(self, body: bytes) -> None:
        if len(body) < _HEAD:
            raise DecodeError(f"a request of {len(body)} bytes; its head alone has {_HEAD}")
        self.opcode = body[3:4]
        self.class_name = ""
        self.object_number = 0
        self.method_name = ""
        self._sequence = body[4:_HEAD]
        self._decoder = Decoder(body, _HEAD, len(body))
        try:
            self._read()
        except (ValueError, OverflowError, struct.error) as fault:
            raise DecodeError(f"the request: {fault}") from fault

    def _read(self) -> None:
        decoder = self._decoder
        if self.opcode == b"G":
            query: Any = decoder.value(0xA8, 0)
            self.class_name = str(query.get("_class", ""))
        elif self.opcode in (b"S", b"M"):
            if self.opcode == b"M":
                self.object_number = int.from_bytes(decoder.take(16)[8:], "big")
            # The class is named by its package, its name and a hash; there is one class of each name.
            decoder.value(0x85, 0)
            self.class_name = str(decoder.value(0x85, 0))
            decoder.take(16)
            if self.opcode == b"M":
                self.method_name = str(decoder.value(0x85, 0))

    def arguments(self, method: Method) -> dict[str, Value]:
        """The arguments of a call of this method.

        Raises:
            DecodeError: they are malformed.
        """
        decoder = self._decoder
        expected = [each for direction, each in method.arguments if "I" in direction]
        try:
            return {each.name: decoder.value(_CODES[each.kind], 0) for each in expected}
        except (ValueError, OverflowError, struct.error) as fault:
            raise DecodeError(f"the arguments: {fault}") from fault

    def answer(self, content: bytes) -> bytes:
        """A message that answers the request; its opcode is that of the request in lower case."""
        return MAGIC + self.opcode.lower() + self._sequence + content

    def end(self) -> bytes:
        """The message after the answers to a request which may have several."""
        return MAGIC + b"z" + self._sequence + bytes(4) + short_text("OK")


def number_of(object_name: str) -> int:
    """The number by which v1 names an object; it is the same as long as the object's name is."""
    return int.from_bytes(hashlib.md5(object_name.encode(), usedforsecurity=False).digest()[:8], "big")


def encode_status(code: int, text: str) -> bytes:
    """How a call ended; 0 means that it succeeded."""
    return code.to_bytes(4, "big") + _long_text(text)


def encode_results(method: Method, results: Mapping[str, Value]) -> bytes:
    """The results of a call."""
    expected = [each for direction, each in method.arguments if "O" in direction]
    return b"".join([_encoded(each, results.get(each.name)) for each in expected])


def encode_object(kind: SchemaClass, object_name: str, values: Mapping[str, Value], now_ns: int) -> bytes:
    """An object's properties and statistics at a time in nanoseconds."""
    optional = [each for each in kind.properties if each.optional]
    masks = bytearray((len(optional) + 7) // 8)
    for number, each in enumerate(optional):
        if each.name in values:
            masks[number // 8] |= 1 << number % 8
    present = [each for each in kind.properties if not each.optional or each.name in values]
    fields = [_encoded(each, values.get(each.name)) for each in (*present, *kind.statistics)]
    stamps = struct.pack(">QQQ", now_ns, now_ns, 0)
    return b"".join([kind.key(), stamps, _reference(object_name), masks, *fields])


def _reference(object_name: str) -> bytes:
    return struct.pack(">QQ", _BROKER_BANK, number_of(object_name))


def _long_text(text: str) -> bytes:
    content = text.encode()[:65535]
    return len(content).to_bytes(2, "big") + content


def _encoded(each: Property, value: Any) -> bytes:
    """A value by the type that the schema says; a missing value is the empty one of that type."""
    layout = _LAYOUTS.get(each.kind)
    if layout is not None:
        return struct.pack(layout, int(value or 0) if each.kind not in ("float", "double") else value or 0.0)
    if each.kind == "text":
        return short_text(str(value or ""))
    if each.kind == "long":
        return _long_text(str(value or ""))
    if each.kind == "ref":
        return _reference(str((value or {}).get("_object_name", "")))
    if each.kind == "uuid":
        return value.bytes if isinstance(value, UUID) else bytes(16)
    return encode_list(list(value or [])) if each.kind == "list" else encode_map(value or {})
