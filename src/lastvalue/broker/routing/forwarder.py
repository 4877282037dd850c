"""Forwards messages that a queue removed without delivering them to the queue's alternate."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.exchanges import Exchanges
from lastvalue.broker.routing.router import Router
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message, PropertyName
from lastvalue.model.property_names import ORIGINAL_QUEUE, ORIGINAL_SEQUENCE, REASON
from lastvalue.queues.effects import EXPIRED, Reason
from lastvalue.queues.entry import Entry

_SUBJECT: Final = PropertyName("properties.subject")


def _sequence(removal: tuple[Entry, Reason]) -> int:
    return removal[0].sequence


def routing_key(message: Message) -> str:
    """The key that exchanges route a message by: its subject."""
    return message.text(_SUBJECT) or ""


@final
class Forwarder:
    """Forwards removed messages. In one turn no message returns to a queue that it has left.

    Attributes:
        lost: messages that no alternate took.
    """

    __slots__ = ("_exchanges", "_queues", "_router", "_trails", "lost")

    def __init__(self, queues: dict[str, HostedQueue], exchanges: Exchanges, router: Router) -> None:
        self._queues = queues
        self._exchanges = exchanges
        self._router = router
        # The queues that a message has left, by its id(); the reference to the message keeps the id unique.
        self._trails: dict[int, tuple[Message, list[str]]] = {}
        self.lost = 0

    def forward(self, hosted: HostedQueue, now: i64) -> bool:
        """Forward the messages that left a queue since the last call; whether there were any."""
        removals = hosted.queue.take_removals()
        if hosted.ownership.ending:
            # A deleted queue releases acquired messages last; sorting puts them back in their order.
            removals.sort(key=_sequence)
        for entry, reason in removals:
            self._send_on(hosted, entry, reason, now)
        return bool(removals)

    def end_turn(self) -> None:
        """Forget which queues the messages have left."""
        if self._trails:
            self._trails = {}

    def _send_on(self, hosted: HostedQueue, entry: Entry, reason: Reason, now: i64) -> None:
        spec = hosted.queue.spec
        name = spec.expiry_alternate if reason is EXPIRED else spec.alternate
        if name is None:
            return
        message = entry.message
        known = self._trails.get(id(message))
        trail = [spec.name] if known is None else [*known[1], spec.name]
        notes: dict[str, str | int] = {
            ORIGINAL_QUEUE: spec.name,
            ORIGINAL_SEQUENCE: entry.sequence,
            REASON: reason.name.lower().replace("_", "-"),
        }
        taken = False
        try:
            copy = message.forwarded(notes, reason is not EXPIRED)
            self._trails[id(copy)] = (copy, trail)
            for target in self._targets(name, spec.alternate_key, copy):
                if target.queue.spec.name not in trail:
                    target.mark_changed()
                    taken = target.queue.enqueue(copy, now) or taken
        except LastvalueError:
            # The alternate's queue cannot take such a message, and it is lost.
            taken = False
        if not taken:
            self.lost += 1

    def _targets(self, name: str, key: str | None, message: Message) -> list[HostedQueue]:
        exchange = self._exchanges.get(name)
        if exchange is not None:
            key = routing_key(message) if key is None else key
            return self._router.destinations(exchange, key, message)
        hosted = self._queues.get(name)
        return [] if hosted is None else [hosted.taker()]
