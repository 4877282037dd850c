"""AMQP 1.0 values and bytes to test with: any value, each way to write it, and bytes that are broken."""

import struct
from typing import Any
from uuid import UUID

from example_counts import example_count
from hypothesis import strategies as st

from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Decimal,
    Described,
    Float,
    Int,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
    Value,
)

EXAMPLES = example_count(100)
"""Examples a property is tried with."""


def exactly(value: Value) -> Value:
    """The value with the type of everything in it, so that == tells 1, UInt(1), 1.0 and True apart."""
    match value:
        case Described(descriptor, inner):
            return ("described", exactly(descriptor), exactly(inner))
        case Array():
            return ("array", value.kind, exactly(value.descriptor), [exactly(item) for item in value.items])
        case list():
            return [exactly(item) for item in value]
        case dict():
            return [(exactly(key), exactly(item)) for key, item in value.items()]
        case float():
            return (type(value), struct.pack(">d", value))
        case _:
            return (type(value), value)


def listed(code: int, *items: str) -> str:
    """The described list8 of these items, all in hexadecimal."""
    body = "".join(items)
    return f"0053{code:02x}c0{len(body) // 2 + 1:02x}{len(items):02x}{body}"


def mapped(code: int, *entries: str) -> str:
    """The described map8 of these keys and values, all in hexadecimal."""
    body = "".join(entries)
    return f"0053{code:02x}c1{len(body) // 2 + 1:02x}{len(entries):02x}{body}"


def hex_text(value: str) -> str:
    """A str8 in hexadecimal."""
    return f"a1{len(value.encode()):02x}{value.encode().hex()}"


def hex_symbol(value: str) -> str:
    """A sym8 in hexadecimal."""
    return f"a3{len(value):02x}{value.encode().hex()}"


# ---- Values

symbols = st.text(st.characters(codec="ascii"), max_size=12).map(Symbol)

BY_KIND: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "ubyte": st.integers(0, 2**8 - 1).map(UByte),
    "ushort": st.integers(0, 2**16 - 1).map(UShort),
    "uint": st.integers(0, 2**32 - 1).map(UInt) | st.integers(0, 300).map(UInt),
    "ulong": st.integers(0, 2**64 - 1).map(ULong) | st.integers(0, 300).map(ULong),
    "byte": st.integers(-(2**7), 2**7 - 1).map(Byte),
    "short": st.integers(-(2**15), 2**15 - 1).map(Short),
    "int": st.integers(-(2**31), 2**31 - 1).map(Int) | st.integers(-150, 150).map(Int),
    "long": st.integers(-(2**63), 2**63 - 1) | st.integers(-150, 150),
    "float": st.floats(width=32, allow_nan=False).map(Float),
    "double": st.floats(allow_nan=False),
    "decimal32": st.binary(min_size=4, max_size=4).map(Decimal),
    "decimal64": st.binary(min_size=8, max_size=8).map(Decimal),
    "decimal128": st.binary(min_size=16, max_size=16).map(Decimal),
    "char": st.characters(codec="utf-8").map(Char),
    "timestamp": st.integers(-(2**63), 2**63 - 1).map(Timestamp),
    "uuid": st.uuids(),
    "binary": st.binary(max_size=12) | st.binary(min_size=250, max_size=260),
    "string": st.text(max_size=12) | st.text("ab", min_size=250, max_size=260),
    "symbol": symbols,
}

scalars: st.SearchStrategy[Value] = st.one_of(*BY_KIND.values())
descriptors: st.SearchStrategy[Value] = symbols | BY_KIND["ulong"]


def arrays_of(kind: str) -> st.SearchStrategy[Value]:
    return st.builds(Array, st.just(kind), st.lists(BY_KIND[kind], max_size=6), st.none() | descriptors)


def containers(items: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    lists = st.lists(items, max_size=5)
    maps = st.dictionaries(scalars, items, max_size=4)
    return st.one_of(
        lists,
        maps,
        st.lists(items, min_size=254, max_size=258).map(lambda each: [each[0]] * len(each)),
        st.builds(Described, descriptors, items),
        st.sampled_from(sorted(BY_KIND)).flatmap(arrays_of),
        st.builds(Array, st.just("list"), st.lists(lists, max_size=3)),
        st.builds(Array, st.just("map"), st.lists(maps, max_size=3)),
        st.builds(Array, st.just("array"), st.lists(arrays_of("long"), max_size=3)),
    )


values: st.SearchStrategy[Value] = st.recursive(scalars, containers, max_leaves=12)
"""Any value, of every type."""


# ---- The ways to write a value; this encoder knows nothing of ours.

_FIXED = {
    UByte: [(0x50, ">B")],
    UShort: [(0x60, ">H")],
    UInt: [(0x43, ""), (0x52, ">B"), (0x70, ">I")],
    ULong: [(0x44, ""), (0x53, ">B"), (0x80, ">Q")],
    Byte: [(0x51, ">b")],
    Short: [(0x61, ">h")],
    Int: [(0x54, ">b"), (0x71, ">i")],
    int: [(0x55, ">b"), (0x81, ">q")],
    bool: [(0x56, ">?")],
    Float: [(0x72, ">f")],
    float: [(0x82, ">d")],
    Timestamp: [(0x83, ">q")],
}
_SIZED = {bytes: 0xA0, str: 0xA1, Symbol: 0xA3}
_DECIMALS = {4: 0x74, 8: 0x84, 16: 0x94}


def _numbers(value: Any) -> list[bytes]:
    forms = []
    for code, layout in _FIXED[type(value)]:
        if layout == "":
            forms += [bytes((code,))] if value == 0 else []
            continue
        try:
            forms.append(bytes((code,)) + struct.pack(layout, value))
        except struct.error:
            continue
    return forms


def _sized(code: int, content: bytes, count: int | None) -> list[bytes]:
    wide = b"" if count is None else count.to_bytes(4, "big")
    forms = [bytes((code + 0x10,)) + (len(wide) + len(content)).to_bytes(4, "big") + wide + content]
    narrow = b"" if count is None else bytes((min(count, 255),))
    if len(narrow) + len(content) < 256 and (count is None or count < 256):
        forms.append(bytes((code, len(narrow) + len(content))) + narrow + content)
    return forms


@st.composite
def written(draw: st.DrawFn, value: Value) -> bytes:
    """One of the encodings that the specification allows of a value without arrays."""

    def many(items: list[Value]) -> bytes:
        return b"".join([draw(written(item)) for item in items])

    match value:
        case None:
            return b"\x40"
        case bool():
            return draw(st.sampled_from([b"\x41" if value else b"\x42", *_numbers(value)]))
        case Described(descriptor, inner):
            return b"\x00" + draw(written(descriptor)) + draw(written(inner))
        case Char():
            return b"\x73" + value.encode("utf-32-be")
        case UUID():
            return b"\x98" + value.bytes
        case Decimal(encoded):
            return bytes((_DECIMALS[len(encoded)],)) + encoded
        case bytes() | str():
            content = value if isinstance(value, bytes) else value.encode()
            return draw(st.sampled_from(_sized(_SIZED[type(value)], content, None)))
        case list():
            forms = _sized(0xC0, many(value), len(value))
            return draw(st.sampled_from(forms if value else [b"\x45", *forms]))
        case dict():
            flat = [each for pair in value.items() for each in pair]
            return draw(st.sampled_from(_sized(0xC1, many(flat), len(flat))))
        case _:
            return draw(st.sampled_from(_numbers(value)))


def _plain_containers(items: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        st.lists(items, max_size=4),
        st.dictionaries(scalars, items, max_size=3),
        st.builds(Described, descriptors, items),
    )


plain_values: st.SearchStrategy[Value] = st.recursive(scalars, _plain_containers, max_leaves=8)
"""Any value without an array, for `written`."""


# ---- Broken bytes


@st.composite
def mutated(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """Bytes that were right, then had some changed, cut out, put in or cut off."""
    data = bytearray(draw(whole))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.integers(0, 3))
        if kind == 0 and at < len(data):
            data[at] = draw(st.integers(0, 255))
        elif kind == 1:
            data[at:at] = draw(st.binary(min_size=1, max_size=4))
        elif kind == 2:
            del data[at : at + draw(st.integers(1, 4))]
        else:
            del data[at:]
    return bytes(data)
