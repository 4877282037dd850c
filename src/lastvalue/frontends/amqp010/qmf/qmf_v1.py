"""Consoles of QMF v1, which ask in bytes: for the schema, for objects, and for methods."""

import hashlib
import struct
from typing import Any, Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.broker.owner import Owner
from lastvalue.codec.amqp010.decoder import Decoder
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp010.qmf.managed_object import ManagedObject
from lastvalue.frontends.amqp010.qmf.methods import FAILED, INVALID, UNKNOWN_OBJECT, MethodError, Methods
from lastvalue.frontends.amqp010.qmf.objects import Objects
from lastvalue.frontends.amqp010.qmf.schema import BY_NAME, PACKAGE, Method, Property, SchemaClass, short
from lastvalue.model.errors import LastvalueError

_MAGIC: Final = b"AM2"
_HEAD: Final = 8
_NS_PER_MS: Final = 1_000_000
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


class QmfV1:
    """Answers requests of v1."""

    def __init__(self, instance: UUID, objects: Objects, methods: Methods) -> None:
        self._instance = instance
        self._objects = objects
        self._methods = methods

    def answer(self, body: bytes, owner: Owner, now: i64) -> list[bytes]:  # noqa: PLR0911 - a table
        """The messages that answer a request; none for what is not known or malformed."""
        if len(body) < _HEAD:
            return []
        opcode, sequence = body[3:4], body[4:8]
        reader = Decoder(body, _HEAD, len(body))
        try:
            match opcode:
                case b"B":
                    return [_message(b"b", sequence, self._instance.bytes)]
                case b"P":
                    return [_message(b"p", sequence, short(PACKAGE)), _done(sequence)]
                case b"Q":
                    known = [bytes((each.kind,)) + each.key() for each in BY_NAME.values()]
                    return [*[_message(b"q", sequence, each) for each in known], _done(sequence)]
                case b"S":
                    wanted = _class(reader)
                    return [] if wanted is None else [_message(b"s", sequence, wanted.encoded())]
                case b"G":
                    return [*self._found(reader, sequence, owner, now), _done(sequence)]
                case b"M":
                    return [_message(b"m", sequence, self._call(reader, owner, now))]
                case _:
                    return []
        except (DecodeError, UnicodeDecodeError):
            return []

    def _found(self, reader: Decoder, sequence: bytes, owner: Owner, now: i64) -> list[bytes]:
        query: Any = reader.value(0xA8, 0)
        return [
            _message(b"g", sequence, _content(each, now))
            for each in self._objects.of_class(str(query.get("_class", "")), owner)
        ]

    def _call(self, reader: Decoder, owner: Owner, now: i64) -> bytes:
        number = int.from_bytes(reader.take(16)[8:], "big")
        kind = _class(reader)
        name = str(reader.value(0x85, 0))
        method = None
        target = None
        if kind is not None:
            method = next((each for each in kind.methods if each.name == name), None)
            target = next(
                (each for each in self._objects.of_class(kind.name, owner) if _number(each) == number), None
            )
        try:
            if target is None or method is None:
                raise MethodError(UNKNOWN_OBJECT if target is None else INVALID, f"there is no {name!r} here")
            arguments = {
                each.name: reader.value(_CODES[each.kind], 0)
                for direction, each in method.arguments
                if "I" in direction
            }
            results = self._methods.call(target, name, arguments, owner, now)
        except MethodError as fault:
            return _status(fault.code, str(fault))
        except LastvalueError as fault:
            return _status(FAILED, str(fault))
        return _status(0, "OK") + _results(method, results)


def _class(reader: Decoder) -> SchemaClass | None:
    """The class of a key; the number of its form is not looked at."""
    reader.value(0x85, 0)
    name = str(reader.value(0x85, 0))
    reader.take(16)
    return BY_NAME.get(name)


def _message(opcode: bytes, sequence: bytes, content: bytes) -> bytes:
    return _MAGIC + opcode + sequence + content


def _done(sequence: bytes) -> bytes:
    return _message(b"z", sequence, b"\x00\x00\x00\x00" + short("OK"))


def _status(code: int, text: str) -> bytes:
    told = text.encode()[:65535]
    return code.to_bytes(4, "big") + len(told).to_bytes(2, "big") + told


def _results(method: Method, results: dict[str, Value]) -> bytes:
    told = [each for direction, each in method.arguments if "O" in direction]
    return b"".join([_encoded(each, results.get(each.name)) for each in told])


def _number(managed: ManagedObject) -> int:
    """A number that an object has for as long as it has its name."""
    return _numbered(managed.object_name)


def _numbered(object_name: str) -> int:
    return int.from_bytes(hashlib.md5(object_name.encode(), usedforsecurity=False).digest()[:8], "big")


def _reference(object_name: str) -> bytes:
    return struct.pack(">QQ", _BROKER_BANK, _numbered(object_name))


def _content(managed: ManagedObject, now: i64) -> bytes:
    """An object's properties and statistics."""
    stamp = _NS_PER_MS * int(now)
    optional = [each for each in managed.kind.properties if each.optional]
    masks = bytearray((len(optional) + 7) // 8)
    for number, each in enumerate(optional):
        if each.name in managed.values:
            masks[number // 8] |= 1 << number % 8
    present = [each for each in managed.kind.properties if not each.optional or each.name in managed.values]
    return b"".join(
        [
            managed.kind.key(),
            struct.pack(">QQQ", stamp, stamp, 0),
            _reference(managed.object_name),
            bytes(masks),
            *[_encoded(each, managed.values.get(each.name)) for each in present],
            *[_encoded(each, managed.values.get(each.name)) for each in managed.kind.statistics],
        ]
    )


def _encoded(each: Property, value: Any) -> bytes:
    """A value by the type that the schema says; what is not there is nothing of that type."""
    layout = _LAYOUTS.get(each.kind)
    if layout is not None:
        return struct.pack(layout, int(value or 0) if each.kind not in ("float", "double") else value or 0.0)
    if each.kind == "text":
        return short(str(value or ""))
    if each.kind == "long":
        told = str(value or "").encode()[:65535]
        return len(told).to_bytes(2, "big") + told
    if each.kind == "ref":
        return _reference(str((value or {}).get("_object_name", "")))
    if each.kind == "uuid":
        return value.bytes if isinstance(value, UUID) else bytes(16)
    return encode_list(list(value or [])) if each.kind == "list" else encode_map(value or {})
