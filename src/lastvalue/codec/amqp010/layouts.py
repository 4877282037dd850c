"""What a control, a command or a struct consists of, and one with its values."""

from typing import Final, final

from lastvalue.codec.amqp10.values import Value

BIT: Final = "bit"
Ranges = list[tuple[int, int]]
"""A set of command ids: first and last of each run, in the order of the wire."""


@final
class Layout:
    """The fields of one of them.

    Attributes:
        name: as in the specification: class and name.
        code: class and number, in 16 bits; 0 for a struct that has none.
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
    """A control, a command or a struct: its layout and the fields that are there.

    A bit is there where it is set. Fields that are asked for and belong to another layout are a KeyError.
    """

    __slots__ = ("layout", "values")

    def __init__(self, layout: Layout, values: dict[str, Value] | None = None) -> None:
        self.layout = layout
        self.values: dict[str, Value] = {} if values is None else values

    def __repr__(self) -> str:
        return f"{self.layout.name}({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"

    def has(self, name: str) -> bool:
        """Whether the field is there; of a bit, whether it is set."""
        return name in self.values

    def text(self, name: str) -> str:
        """A text field, or "" where it is not there."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str, default: int = 0) -> int:
        """A number field, or the default where it is not there."""
        value = self.values.get(name)
        return value if isinstance(value, int) else default

    def binary(self, name: str) -> bytes | None:
        """A binary field, or None where it is not there."""
        value = self.values.get(name)
        return value if isinstance(value, bytes) else None

    def map(self, name: str) -> dict[str, Value]:
        """A map field, or an empty one where it is not there."""
        value = self.values.get(name)
        return value if isinstance(value, dict) else {}

    def ranges(self, name: str) -> Ranges:
        """A set of command ids, or an empty one where it is not there."""
        value = self.values.get(name)
        return value if isinstance(value, list) else []

    def record(self, name: str) -> "Record | None":
        """A struct field, or None where it is not there."""
        value = self.values.get(name)
        return value if isinstance(value, Record) else None
