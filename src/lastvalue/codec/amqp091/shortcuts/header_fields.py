"""The headers that the fast path for publishes caches."""

from typing import Final, final

from mypy_extensions import i64

TEXT: Final = -1
OTHER: Final = -2


@final
class HeaderName:
    """A header's name; `seen` is the number of the last message with it."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen: i64 = 0


@final
class HeaderField:
    """A header's name and type.

    Attributes:
        name: the header's name.
        start: the name and the type in AMQP 1.0's encoding, with the constructor of a short text, which
            does not fit every text.
        width: the size of the value in bytes, if these are the same in both; or TEXT, for a text with its
            own size; or OTHER, for a value that is converted by itself.
    """

    __slots__ = ("name", "start", "width")

    def __init__(self, name: HeaderName, start: bytes, width: i64) -> None:
        self.name = name
        self.start = start
        self.width: i64 = width
