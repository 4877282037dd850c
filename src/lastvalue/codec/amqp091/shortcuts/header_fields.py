"""What the short ways, in and out, remember of headers that they have met."""

from typing import Final, final

from mypy_extensions import i64

TEXT: Final = -1
OTHER: Final = -2


@final
class HeaderName:
    """A header's name; `seen` is the number of the message that had it last."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen: i64 = 0


@final
class HeaderField:
    """A header's name and type.

    Attributes:
        name: its name.
        start: the name and the type as the other protocol writes them. In: with a short text's constructor
            where the value is not always encoded as one. Out: with all of a text's size but its last octet.
        width: bytes of the value, which are the same in both; or that it is a TEXT, whose octets tell their
            number, or some OTHER, which is converted by itself.
    """

    __slots__ = ("name", "start", "width")

    def __init__(self, name: HeaderName, start: bytes, width: i64) -> None:
        self.name = name
        self.start = start
        self.width: i64 = width
