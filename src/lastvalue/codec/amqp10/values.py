"""AMQP 1.0 values that Python's own types cannot distinguish.

    AMQP type                  Python
    null, boolean              None, bool
    long                       int (above 2**63-1: encoded as ulong)
    ubyte ushort uint ulong    UByte UShort UInt ULong      (each is an int)
    byte short int             Byte Short Int               (each is an int)
    float, double              Float, float                 (Float is a float)
    timestamp                  Timestamp                    (an int: milliseconds since the epoch)
    char, string, symbol       Char, str, Symbol            (each is a str)
    binary, uuid               bytes, uuid.UUID
    decimal32/64/128           Decimal, the encoded bytes
    list, map, array           list, dict, Array
    described                  Described

A decoder gives exactly these types, so that encoding a decoded value gives an equal value of the same type.
Maps compare their keys as Python does: a map with the keys 1 and true is refused for a duplicate key.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from mypy_extensions import mypyc_attr

Value: TypeAlias = object
"""Any value of the table above."""


@mypyc_attr(native_class=False)
class UByte(int):
    """0 to 2**8-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class UShort(int):
    """0 to 2**16-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class UInt(int):
    """0 to 2**32-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class ULong(int):
    """0 to 2**64-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Byte(int):
    """-2**7 to 2**7-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Short(int):
    """-2**15 to 2**15-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Int(int):
    """-2**31 to 2**31-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Timestamp(int):
    """Milliseconds since the epoch, -2**63 to 2**63-1."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Float(float):
    """A floating point number of 32 bits; encoding rounds to that."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Char(str):
    """One Unicode character."""

    __slots__ = ()


@mypyc_attr(native_class=False)
class Symbol(str):
    """An ASCII name from a domain, such as a capability."""

    __slots__ = ()


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Decimal:
    """A decimal floating point number of 4, 8 or 16 bytes, never interpreted."""

    encoded: bytes


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Described:
    """A value with a descriptor that says what it means."""

    descriptor: Value
    value: Value


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class EncodedValue:
    """A value that is encoded already."""

    octets: bytes


@mypyc_attr(native_class=False)
class Array:
    """Values of one type.

    Attributes:
        kind: name of the elements' AMQP type, as in the specification ("symbol"); an empty array has one too.
        descriptor: the descriptor of every element, or None.
        items: the elements, without their descriptor.
    """

    __slots__ = ("descriptor", "items", "kind")

    def __init__(self, kind: str, items: Iterable[Value] = (), descriptor: Value = None) -> None:
        self.kind = kind
        self.items = tuple(items)
        self.descriptor = descriptor

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array):
            return NotImplemented
        return (self.kind, self.items, self.descriptor) == (other.kind, other.items, other.descriptor)

    def __hash__(self) -> int:
        return hash((self.kind, self.items, self.descriptor))

    def __repr__(self) -> str:
        return f"Array({self.kind!r}, {self.items!r}, {self.descriptor!r})"
