"""Forwards messages that a queue removed without delivering them to the queue's alternate."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_warnings import LOST_LETTERS
from lastvalue.broker.routing.deaths import Death, death_note, deaths_of, died, is_cycle
from lastvalue.broker.routing.exchanges import DEFAULT, Exchanges
from lastvalue.broker.routing.router import Router
from lastvalue.codec.amqp10.values import UInt
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER, Message, PropertyName
from lastvalue.model.property_names import (
    COPIED_TO,
    DEATHS,
    EXCHANGE,
    ORIGINAL_QUEUE,
    ORIGINAL_SEQUENCE,
    REASON,
    ROUTING_KEY,
)
from lastvalue.queues.effects import EXPIRED, Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import DEFAULT_EXCHANGE, QueueSpec

_SUBJECT: Final = PropertyName("properties.subject")
_TO: Final = PropertyName("properties.to")
_EXPIRED: Final = "expired"


def _sequence(removal: tuple[Entry, Reason]) -> int:
    return removal[0].sequence


def routing_key(message: Message) -> str:
    """The key that exchanges route a message by: its subject."""
    return message.text(_SUBJECT) or ""


def copied_to(message: Message) -> list[str]:
    """[RabbitMQ] The routing keys that a message names besides its own."""
    keys = message.annotation(COPIED_TO)
    return [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []


@final
class Forwarder:
    """Forwards removed messages, each with its deaths, by which it finds those that go in a circle."""

    __slots__ = ("_exchanges", "_queues", "_router")

    def __init__(self, queues: dict[str, HostedQueue], exchanges: Exchanges, router: Router) -> None:
        self._queues = queues
        self._exchanges = exchanges
        self._router = router

    def forward(self, hosted: HostedQueue, now: i64) -> bool:
        """Forward the messages that left a queue since the last call; whether there were any."""
        removals = hosted.queue.take_removals()
        if hosted.ownership.ending:
            # A deleted queue releases acquired messages last; sorting puts them back in their order.
            removals.sort(key=_sequence)
        for entry, reason in removals:
            self._send_on(hosted, entry, reason, now)
        return bool(removals)

    def _send_on(self, hosted: HostedQueue, entry: Entry, reason: Reason, now: i64) -> None:
        spec = hosted.queue.spec
        name = spec.expiry_alternate if reason is EXPIRED else spec.alternate
        if name is None:
            return
        message = entry.message
        exchange, keys = self._published(message, spec.name)
        published: Death = {"exchange": exchange, "routing-keys": keys}
        if reason is EXPIRED and message.ttl_ms != NEVER:
            published["ttl"] = UInt(int(message.ttl_ms))
        deaths = died(deaths_of(message), spec.name, reason, published, now)
        notes: dict[str, object] = {
            ORIGINAL_QUEUE: spec.name,
            ORIGINAL_SEQUENCE: entry.sequence,
            REASON: reason.name.lower().replace("_", "-"),
            DEATHS: death_note(deaths),
        }
        if spec.alternate_key is not None:
            keys = [spec.alternate_key]
        if spec.alternate_key is not None or spec.alternate_is_queue:
            # [RabbitMQ] Where the queue says the routing key, the message no longer does.
            notes[COPIED_TO] = None
        lost = ""
        try:
            copy, targets, lost = self._addressed(spec, name, keys, message, notes)
            lost = lost or _enqueue(copy, targets, now)
        except LastvalueError as fault:
            lost = str(fault)
        if lost:
            hosted.counts.lost_letters += 1
            hosted.warnings.note(spec.name, LOST_LETTERS, lost)

    def _addressed(
        self, spec: QueueSpec, name: str, keys: list[str], message: Message, notes: dict[str, object]
    ) -> tuple[Message, list[HostedQueue], str]:
        """The copy for an alternate, the queues that it leads to, and why these are none, or ""."""
        exchange = self._exchanges.get(DEFAULT if name == DEFAULT_EXCHANGE else name)
        if spec.alternate_is_queue:
            exchange = None
        notes[EXCHANGE] = "" if exchange is None else exchange.name
        notes[ROUTING_KEY] = name if exchange is None else keys[0]
        copy = message.forwarded(notes, notes[REASON] != _EXPIRED)
        if exchange is None:
            hosted = self._queues.get(name)
            lost = "" if hosted is not None else f"there is no exchange and no queue named {name!r}"
            return copy, [] if hosted is None else [hosted.taker()], lost
        targets = self._router.destinations(exchange, keys[0], copy, keys[1:])
        lost = f"no binding of exchange {name!r} leads to a queue with the key {keys[0]!r}"
        return copy, targets, "" if targets else lost

    def _published(self, message: Message, queue: str) -> tuple[str, list[str]]:
        """The exchange and the routing keys by which a message came to a queue, as far as that is known."""
        exchange = message.annotation(EXCHANGE)
        key = message.annotation(ROUTING_KEY)
        if not isinstance(exchange, str) or not isinstance(key, str):
            exchange = message.text(_TO) or ""
            if self._exchanges.get(exchange) is None:
                exchange = ""
            subject = message.text(_SUBJECT)
            key = subject if subject is not None else "" if exchange else queue
        return str(exchange), [str(key), *copied_to(message)]


def _enqueue(copy: Message, targets: list[HostedQueue], now: i64) -> str:
    """Give a dead letter to the queues that may have it; why none of them got it, or "".

    Raises:
        LastvalueError: a queue cannot take such a message.
    """
    deaths = deaths_of(copy)
    lost = ""
    taken = False
    for target in targets:
        queue = target.queue
        if is_cycle(deaths, queue.spec.name):
            lost = f"it came in a circle to queue {queue.spec.name!r}, and no consumer has refused it"
            continue
        target.mark_changed()
        if queue.enqueue(copy, now):
            taken = True
        else:
            lost = f"queue {queue.spec.name!r} is full"
    return "" if taken else lost
