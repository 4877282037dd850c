"""Which publishes are confirmed when: those of a turn once the journal has flushed the turn's position."""

from collections import deque
from typing import final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import Accepted
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.windows import SERIAL

ACCEPTED = Accepted()


@final
class Span:
    """Deliveries of one link with consecutive ids, all taken by their queue."""

    __slots__ = ("first", "last", "link")

    def __init__(self, link: ReceiverLink, delivery_id: i64) -> None:
        self.link = link
        self.first: i64 = delivery_id
        self.last: i64 = delivery_id


@final
class Confirmations:
    """The accepts that one connection owes its peer."""

    __slots__ = ("_last", "_sealed", "_spans")

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._last: Span | None = None
        self._sealed: deque[tuple[int, list[Span]]] = deque()

    @property
    def owed(self) -> bool:
        """Whether any accept waits for the journal."""
        return bool(self._spans or self._sealed)

    def add(self, link: ReceiverLink, delivery_id: i64) -> None:
        """A queue took this delivery, and its producer waits to hear so."""
        last = self._last
        if last is not None and last.link is link and (last.last + 1) & SERIAL == delivery_id:
            last.last = delivery_id
            return
        last = Span(link, delivery_id)
        self._last = last
        self._spans.append(last)

    def seal(self, position: int) -> None:
        """What was added since the last call is in the journal up to this position."""
        if self._spans:
            self._sealed.append((position, self._spans))
            self._spans = []
            self._last = None

    def confirm(self, flushed: int) -> None:
        """Send the accepts of everything up to the flushed position, by the range."""
        sealed = self._sealed
        while sealed and sealed[0][0] <= flushed:
            for span in sealed.popleft()[1]:
                if span.link.attached:
                    span.link.settle(span.first, span.last, ACCEPTED)
