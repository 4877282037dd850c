"""Messages that a session publishes, and when their commands are complete."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.exchanges import DEFAULT
from lastvalue.broker.nodes import Node
from lastvalue.broker.permissions import WRITE
from lastvalue.broker.reading import HostedQueue, Publisher
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.faults import CommandError
from lastvalue.frontends.amqp010.messages import Properties, encoded, read_properties
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.frontends.output import Toucher
from lastvalue.protocols.amqp010.session import Command, Session

_FULL: Final = 506
_MOST_TTL_MS: Final = 2**32 - 1
_FOR_EVER_MS: Final = 2**52


@final
class Completions:
    """Commands of one connection that are complete when the journal has what they did."""

    __slots__ = ("_fresh", "_sealed")

    def __init__(self) -> None:
        self._fresh: list[tuple[Session, int, Record | None]] = []
        self._sealed: deque[tuple[int, list[tuple[Session, int, Record | None]]]] = deque()

    @property
    def owed(self) -> bool:
        """Whether any waits for the journal."""
        return bool(self._fresh or self._sealed)

    def add(self, session: Session, number: i64, result: Record | None = None) -> None:
        """What the command did is to be safe before it is complete, and its result is told."""
        self._fresh.append((session, int(number), result))

    def seal(self, position: int) -> None:
        """What was added since the last call is in the journal up to this position."""
        if self._fresh:
            self._sealed.append((position, self._fresh))
            self._fresh = []

    def confirm(self, flushed: int) -> None:
        """Complete what is flushed."""
        sealed = self._sealed
        while sealed and sealed[0][0] <= flushed:
            for session, number, result in sealed.popleft()[1]:
                if result is None:
                    session.complete(number)
                elif session.attached:
                    session.result(number, result)


def _bound_ttl(delivery: Record, now: i64) -> None:
    """Say by a time of expiry what is too long for a time to live of AMQP 1.0; the longest is for ever."""
    ttl_ms = delivery.number("ttl")
    if ttl_ms > _MOST_TTL_MS:
        del delivery.values["ttl"]
        if ttl_ms < _FOR_EVER_MS and not delivery.has("expiration"):
            delivery.values["expiration"] = Timestamp(now + ttl_ms)


def _told_bytes(exchange: str, properties: Properties, command: Command) -> int:
    """[Qpid C++] The header segment, with the exchange that it was published to, and the body."""
    told = len(command.header or b"") + (0 if command.body is None else len(command.body))
    return told if properties.delivery.has("exchange") else told + 1 + len(exchange)


@final
class Posting(Publisher):
    """What a connection publishes: flow control holds the completion of its transfers.

    Attributes:
        taken: how many messages came.
    """

    __slots__ = ("_broker", "_completions", "_domain", "_held", "_touch", "taken")

    def __init__(self, domain: Domain, completions: Completions, touch: Toucher) -> None:
        self._domain = domain
        self._broker: Broker = domain.broker
        self._completions = completions
        self._touch = touch
        self._held: list[tuple[Session, int, bool]] = []
        self.taken = 0
        self._broker.gates.join(self)

    def leave(self) -> None:
        """The connection is over."""
        self._broker.gates.leave(self)
        self._held = []

    def take(self, state: SessionState, command: Command, now: i64) -> None:
        """message.transfer.

        Raises:
            LastvalueError: the message is malformed, has nowhere to go, or cannot be taken.
        """
        exchange = command.record.text("destination")
        properties = read_properties(command.header or b"")
        key = properties.delivery.text("routing_key")
        self.taken += 1
        management = self._domain.management
        if management is not None and management.takes(exchange, key):
            management.request(properties, command.body or b"", state.owner)
            state.session.complete(command.number)
            return
        if self._domain.stamps and not properties.delivery.has("timestamp"):
            properties.delivery.values["timestamp"] = Timestamp(now)
        _bound_ttl(properties.delivery, now)
        node = self._node(state, exchange, key)
        message = read_message(encoded(exchange, properties, command.body, self._domain))
        message.origin = state.owner.container
        message.told_bytes = _told_bytes(exchange, properties, command)
        self._check_disk(node, key, message)
        if state.transaction is not None:
            state.transaction.post(node, key, message, now)
            state.session.complete(command.number)
            return
        routed = self._broker.route(node, key, message, now)
        self._domain.routed(exchange, message.told_bytes, routed.queues)
        if routed.fault is not None:
            raise routed.fault
        if routed.full:
            raise CommandError(_FULL, f"queue {routed.full[0]!r} is full")
        kept = routed.kept and message.durable
        if routed.blocked or self._broker.gates.stops(routed.kept):
            self._hold(state.session, command.number, kept, routed.blocked)
        elif kept:
            self._completions.add(state.session, command.number)
        else:
            state.session.complete(command.number)

    def _node(self, state: SessionState, exchange: str, key: str) -> Node:
        found = self._broker.exchanges.find(exchange)
        name = key if exchange == DEFAULT else exchange
        access = self._broker.access
        if access is not None:
            access.check(state.owner.principal, WRITE, name)
        if exchange == DEFAULT and key and not self._broker.has_queue(key):
            self._broker.create_missing(key, publishing=True, owner=state.owner)
        return Node(exchange, None, found)

    def _check_disk(self, node: Node, key: str, message: EncodedMessage) -> None:
        """Refuse what cannot be kept now."""
        fault = self._broker.gates.fault
        if fault is None or not message.durable:
            return
        if any(hosted.queue.spec.durable for hosted in self._broker.reached(node, key, message)):
            raise fault.with_traceback(None)

    # ------------------------------------------------------------------ flow control

    def _hold(self, session: Session, number: i64, kept: bool, blocked: list[HostedQueue]) -> None:  # noqa: FBT001 - compiled, positional
        """[Qpid C++] A producer that is to wait is not told that its message is done with."""
        self._held.append((session, int(number), kept))
        for hosted in blocked:
            hosted.hold(self)

    def may_send(self) -> None:
        """See Publisher."""
        held = self._held
        self._held = []
        for session, number, kept in held:
            if kept:
                self._completions.add(session, number)
            else:
                session.complete(number)
        if held:
            self._touch.touch()

    def hold(self) -> None:
        """See Publisher; the next transfer looks."""

    def queue_deleted(self) -> None:
        """See Publisher."""
        self.may_send()
