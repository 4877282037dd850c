"""Which outcomes are told when: what is kept once the journal has flushed its turn's position."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import Accepted, DeliveryState
from lastvalue.frontends.amqp10.publishing import Publishing, Reconciling, Relaying
from lastvalue.frontends.sealing import Sealed
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.windows import SERIAL

ACCEPTED = Accepted()


@final
class Span:
    """Deliveries of one link with consecutive ids and one outcome, and all kept or none."""

    __slots__ = ("first", "kept", "last", "link", "state")

    def __init__(self, link: ReceiverLink, delivery_id: i64, kept: bool) -> None:  # noqa: FBT001 - hot
        self.link = link
        self.kept = kept
        self.state: DeliveryState = ACCEPTED
        self.first: i64 = delivery_id
        self.last: i64 = delivery_id


@final
class Confirmations:
    """The outcomes that one connection owes its peer."""

    __slots__ = ("_answers", "_last", "_sealed", "_sealed_answers", "_spans")

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._last: Span | None = None
        self._sealed: Sealed[Span] = Sealed()
        self._answers: list[Callable[[], None]] = []
        self._sealed_answers: Sealed[Callable[[], None]] = Sealed()

    @property
    def owed(self) -> bool:
        """Whether any outcome waits for the journal."""
        waits = self._sealed.waits or self._sealed_answers.waits
        return waits or bool(self._spans or self._answers)

    def answer(self, tell: Callable[[], None]) -> None:
        """Tell the peer something when what was done until now is safe."""
        self._answers.append(tell)

    def add(self, link: ReceiverLink, delivery_id: i64, kept: bool) -> None:  # noqa: FBT001 - hot
        """A delivery was taken, and its producer waits to hear so; where it is `kept`, until it is safe."""
        last = self._last
        if (
            last is not None
            and last.link is link
            and last.kept is kept
            and (last.last + 1) & SERIAL == delivery_id
        ):
            last.last = delivery_id
            return
        last = Span(link, delivery_id, kept)
        self._last = last
        self._spans.append(last)

    def refuse(self, link: ReceiverLink, delivery_id: i64, state: DeliveryState) -> None:
        """A delivery was refused for what came before it: its peer is told when that is safe."""
        span = Span(link, delivery_id, True)  # noqa: FBT003 - compiled, positional
        span.state = state
        # Nothing joins it.
        self._last = None
        self._spans.append(span)

    def seal(self, position: int) -> None:
        """What was added since the last call is in the journal up to this position, where it is kept."""
        if self._answers:
            self._sealed_answers.add(position, self._answers)
            self._answers = []
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
                _tell(span)
        if waiting:
            self._sealed.add(position, waiting)

    def confirm(self, flushed: int) -> None:
        """Send the outcomes of everything up to the flushed position, by the range."""
        for span in self._sealed.take(flushed):
            _tell(span)
        for tell in self._sealed_answers.take(flushed):
            tell()


def _tell(span: Span) -> None:
    link = span.link
    if not link.attached:
        return
    link.settle(span.first, span.last, span.state)
    node = link.context
    if isinstance(node, Publishing | Relaying | Reconciling) and node.retained is not None:
        node.retained.told(span.first, span.last, span.state)
