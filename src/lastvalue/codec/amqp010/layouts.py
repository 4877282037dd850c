"""The layout of a control, command or struct, and a record with its values."""

from typing import Final, final

from lastvalue.codec.amqp10.values import Value

BIT: Final = "bit"
Ranges = list[tuple[int, int]]
"""A set of command ids: the first and last of each run, in wire order."""


@final
class Layout:
    """The fields of a control, command or struct.

    Attributes:
        name: class and name, as in the specification.
        code: class and number in 16 bits; 0 for a struct without a code.
        fields: name and type, in their order on the wire.
    """

    __slots__ = ("code", "fields", "index", "name")

    def __init__(self, name: str, code: int, fields: tuple[tuple[str, str], ...]) -> None:
        self.name = name
        self.code = code
        self.fields = fields
        self.index = {field[0]: number for number, field in enumerate(fields)}


@final
class Record:
    """A control, command or struct: its layout and its present fields.

    A bit is present if it is set. A field of another layout raises KeyError.
    """

    __slots__ = ("layout", "values")

    def __init__(self, layout: Layout, values: dict[str, Value] | None = None) -> None:
        self.layout = layout
        self.values: dict[str, Value] = {} if values is None else values

    def __repr__(self) -> str:
        return f"{self.layout.name}({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"

    def has(self, name: str) -> bool:
        """Whether the field is present; a bit, whether it is set."""
        return name in self.values

    def text(self, name: str) -> str:
        """A text field, or "" if it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str, default: int = 0) -> int:
        """A number field, or the default if it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, int) else default

    def binary(self, name: str) -> bytes | None:
        """A binary field, or None if it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, bytes) else None

    def map(self, name: str) -> dict[str, Value]:
        """A map field, or an empty map if it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, dict) else {}

    def ranges(self, name: str) -> Ranges:
        """A set of command ids, or an empty one if it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, list) else []

    def record(self, name: str) -> "Record | None":
        """A struct field, or None if it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, Record) else None
