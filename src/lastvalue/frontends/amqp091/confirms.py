"""What a publisher is told of its messages [confirm.select], and when."""

from typing import final

from mypy_extensions import i64

from lastvalue.frontends.sealing import Sealed
from lastvalue.protocols.amqp091.channel import Channel


@final
class Span:
    """Messages with consecutive numbers and one outcome, and all kept or none."""

    __slots__ = ("first", "kept", "last", "taken")

    def __init__(self, number: i64, taken: bool, kept: bool) -> None:  # noqa: FBT001 - hot
        self.first: i64 = number
        self.last: i64 = number
        self.taken = taken
        self.kept = kept


@final
class Confirms:
    """The confirms that one channel owes its peer: of what is kept, once the journal has flushed it."""

    __slots__ = ("_channel", "_last", "_next", "_sealed", "_spans", "_told", "_unconfirmed")

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._next: i64 = 1
        self._last: Span | None = None
        self._spans: list[Span] = []
        self._sealed: Sealed[Span] = Sealed()
        # All below that number have been told; of those behind it, by their first, what was.
        self._unconfirmed: i64 = 1
        self._told: dict[int, int] = {}

    @property
    def owed(self) -> bool:
        """Whether any confirm waits for the journal."""
        return bool(self._spans) or self._sealed.waits

    def add(self, taken: bool, kept: bool) -> None:  # noqa: FBT001 - hot
        """The next message was taken, and where it is `kept` is to be safe first; or it was refused."""
        number = self._next
        self._next = number + 1
        last = self._last
        if last is not None and last.taken is taken and last.kept is kept:
            last.last = number
            return
        last = Span(number, taken, kept)
        self._last = last
        self._spans.append(last)

    def seal(self, position: int) -> None:
        """What was added since the last call is in the journal up to this position, where it is kept."""
        spans = self._spans
        if not spans:
            return
        self._spans = []
        self._last = None
        waiting: list[Span] = []
        for span in spans:
            if span.kept:
                waiting.append(span)
            else:
                self._tell(span)
        if waiting:
            self._sealed.add(position, waiting)

    def confirm(self, flushed: int) -> None:
        """Confirm everything up to the flushed position, by the range where none before it is open."""
        for span in self._sealed.take(flushed):
            self._tell(span)

    def _tell(self, span: Span) -> None:
        channel = self._channel
        if not channel.open:
            return
        if span.first != self._unconfirmed:
            for number in range(span.first, span.last + 1):
                channel.confirm(number, False, span.taken)  # noqa: FBT003 - compiled, positional
            self._told[span.first] = span.last
            return
        channel.confirm(span.last, span.last > span.first, span.taken)
        self._unconfirmed = span.last + 1
        while self._told:
            last = self._told.pop(self._unconfirmed, None)
            if last is None:
                return
            self._unconfirmed = last + 1
