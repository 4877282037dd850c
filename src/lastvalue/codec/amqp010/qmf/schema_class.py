"""Classes of a schema of QMF, and how the schema encodes them.

Consoles ask for every class when they connect, so that they know which property is what.
"""

import hashlib
from typing import Final
from uuid import UUID

from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp10.values import UByte, Value

PACKAGE: Final = "org.apache.qpid.broker"
TABLE: Final = 1
EVENT: Final = 2

_TYPES: Final = {
    "u8": 1, "u16": 2, "u32": 3, "u64": 4, "text": 6, "long": 7, "time": 8, "duration": 9, "ref": 10,
    "bool": 11, "float": 12, "double": 13, "uuid": 14, "map": 15, "s32": 18, "s64": 19, "list": 21,
}  # fmt: skip
"""By our name for it, the code of a type."""


class Property:
    """A field of a class: its name, its type, whether it may be left out."""

    def __init__(self, text: str) -> None:
        self.name, _, kind = text.partition(":")
        self.optional = kind.endswith("?")
        self.kind = kind.rstrip("?")
        self.code = _TYPES[self.kind]


class Method:
    """A method of a class, and its arguments: those that begin with `<` are results, `<>` both."""

    def __init__(self, text: str) -> None:
        self.name, _, arguments = text.partition("(")
        self.arguments: list[tuple[str, Property]] = []
        for each in arguments.rstrip(")").split():
            direction = "IO" if each.startswith("<>") else "O" if each.startswith("<") else "I"
            self.arguments.append((direction, Property(each.lstrip("<>"))))


class SchemaClass:
    """A class of objects, or of events."""

    def __init__(
        self,
        name: str,
        properties: str,
        statistics: str = "",
        methods: tuple[str, ...] = (),
        kind: int = TABLE,
    ) -> None:
        self.name = name
        self.kind = kind
        self.properties = [Property(text) for text in properties.split()]
        self.statistics = [Property(text) for text in statistics.split()]
        self.methods = [Method(text) for text in methods]
        # It names this form of the class: another form, another number.
        text = f"{name} {kind} {properties} {statistics} {methods}"
        self.hash = UUID(bytes=hashlib.md5(text.encode(), usedforsecurity=False).digest())

    def identity(self) -> dict[str, Value]:
        """The map that names the class."""
        return {
            "_package_name": PACKAGE,
            "_class_name": self.name,
            "_type": "_data" if self.kind == TABLE else "_event",
            "_hash": self.hash,
        }

    def key(self) -> bytes:
        """The same in v1's encoding."""
        return short_text(PACKAGE) + short_text(self.name) + self.hash.bytes

    def encoded(self) -> bytes:
        """What the class consists of, in v1's encoding."""
        head = bytes((self.kind,)) + self.key()
        if self.kind == EVENT:
            arguments = b"".join([encode_map(_argument(each)) for each in self.properties])
            return head + len(self.properties).to_bytes(2, "big") + arguments
        counts = (len(self.properties), len(self.statistics), len(self.methods))
        parts = [head, *[count.to_bytes(2, "big") for count in counts]]
        for each in self.properties:
            entries: dict[str, Value] = {**_argument(each), "access": UByte(1)}
            entries["index"] = UByte(each.name == "name")
            entries["optional"] = UByte(each.optional)
            parts.append(encode_map(entries))
        parts += [encode_map(_argument(each)) for each in self.statistics]
        for method in self.methods:
            parts.append(encode_map({"name": method.name, "argCount": UByte(len(method.arguments))}))
            for direction, argument in method.arguments:
                parts.append(encode_map({**_argument(argument), "dir": direction}))
        return b"".join(parts)


def _argument(each: Property) -> dict[str, Value]:
    return {"name": each.name, "type": UByte(each.code)}


def short_text(text: str) -> bytes:
    """A text of at most 255 bytes behind its size."""
    content = text.encode()[:255]
    return bytes((len(content),)) + content
