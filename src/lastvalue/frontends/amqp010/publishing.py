"""Messages that a session publishes, and when their commands are complete."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.exchanges import DEFAULT
from lastvalue.broker.nodes import Node
from lastvalue.broker.permissions import WRITE
from lastvalue.broker.reading import HostedQueue, Publisher
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp010.shortcuts.message_decoder import KnownHeader, told_beside
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.exchange_traffic import ExchangeTraffic
from lastvalue.frontends.amqp010.faults import CommandError
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.frontends.output import Toucher
from lastvalue.frontends.sealing import Sealed
from lastvalue.protocols.amqp010.session import MessagesTransferred, Session

_FULL: Final = 506
_MOST_TTL_MS: Final = 2**32 - 1
_FOR_EVER_MS: Final = 2**52


@final
class Run:
    """Commands of one session, one after the other, of which all are complete at the same time.

    One that has a result is alone.
    """

    __slots__ = ("first", "last", "result", "session")

    def __init__(self, session: Session, number: i64, result: Record | None) -> None:
        self.session = session
        self.result = result
        self.first: i64 = number
        self.last: i64 = number


@final
class Completions:
    """Commands of one connection that are complete when the journal has what they did."""

    __slots__ = ("_fresh", "_last", "_sealed")

    def __init__(self) -> None:
        self._fresh: list[Run] = []
        self._last: Run | None = None
        self._sealed: Sealed[Run] = Sealed()

    @property
    def owed(self) -> bool:
        """Whether any waits for the journal."""
        return bool(self._fresh) or self._sealed.waits

    def add(self, session: Session, number: i64, result: Record | None = None) -> None:
        """What the command did is to be safe before it is complete, and its result is told."""
        last = self._last
        if last is not None and last.session is session and last.last + 1 == number and result is None:
            last.last = number
            return
        run = Run(session, number, result)
        self._last = run if result is None else None
        self._fresh.append(run)

    def seal(self, position: int) -> None:
        """What was added since the last call is in the journal up to this position."""
        if self._fresh:
            self._sealed.add(position, self._fresh)
            self._fresh = []
            self._last = None

    def confirm(self, flushed: int) -> None:
        """Complete what is flushed."""
        for run in self._sealed.take(flushed):
            if run.result is None:
                run.session.complete_all(run.first, run.last)
            elif run.session.attached:
                run.session.result(run.first, run.result)


def _bound_ttl(delivery: Record, now: i64) -> None:
    """Say by a time of expiry what is too long for a time to live of AMQP 1.0; the longest is for ever."""
    ttl_ms = delivery.number("ttl")
    if ttl_ms > _MOST_TTL_MS:
        del delivery.values["ttl"]
        if ttl_ms < _FOR_EVER_MS and not delivery.has("expiration"):
            delivery.values["expiration"] = Timestamp(now + ttl_ms)


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

    def take(
        self, state: SessionState, traffic: ExchangeTraffic, run: MessagesTransferred, at: i64, now: i64
    ) -> None:
        """One message.transfer of a run.

        Raises:
            LastvalueError: the message is malformed, has nowhere to go, or cannot be taken.
        """
        self.taken += 1
        header, body = run.headers[at], run.bodies[at]
        message = None if self._domain.stamps else traffic.decoder.message(header, body)
        if message is None:
            message = self._read(state, traffic, header, body, now)
            if message is None:
                state.session.complete(run.first + at)
                return
        message.origin = state.owner.container
        told: i64 = len(header) + traffic.decoder.known.told
        if body is not None:
            told += len(body)
        message.told_bytes = told
        if state.transaction is None and self._broker.gates.fault is None and run.destination == DEFAULT:
            hosted = self._hosted(state, traffic.decoder.known)
            if hosted is not None:
                self._enqueue(traffic, hosted, message, run.session, run.first + at, now)
                return
        self._route(state, traffic, message, run.first + at, now)

    def _route(
        self,
        state: SessionState,
        traffic: ExchangeTraffic,
        message: EncodedMessage,
        number: i64,
        now: i64,
    ) -> None:
        """Have a message go wherever its exchange says, at the commit where there is a transaction."""
        key = traffic.decoder.known.key
        node = self._node(state, traffic.exchange, key)
        self._check_disk(node, key, message)
        if state.transaction is not None:
            state.transaction.post(node, key, message, now)
            state.session.complete(number)
            return
        routed = self._broker.route(node, key, message, now)
        traffic.count(message.told_bytes, routed.queues)
        if routed.fault is not None:
            raise routed.fault
        if routed.full:
            raise CommandError(_FULL, f"queue {routed.full[0]!r} is full")
        if routed.blocked or self._broker.gates.stops(routed.kept):
            self._hold(state.session, number, routed.kept and message.durable, routed.blocked)
        else:
            self._complete(state.session, number, routed.kept and message.durable)

    def _read(
        self, state: SessionState, traffic: ExchangeTraffic, header: bytes, body: bytes | None, now: i64
    ) -> EncodedMessage | None:
        """A message that is like none before; None where it is a request, which is taken."""
        exchange = traffic.exchange
        properties = read_properties(header)
        delivery = properties.delivery
        key = delivery.text("routing_key")
        management = self._domain.management
        if management is not None and management.takes(exchange, key):
            management.request(properties, body or b"", state.owner)
            return None
        if delivery.number("ttl") <= _MOST_TTL_MS and not self._domain.stamps:
            traffic.decoder.learn(header, properties)
        traffic.decoder.known = KnownHeader(key, told_beside(exchange, properties), b"", b"")
        if self._domain.stamps and not delivery.has("timestamp"):
            delivery.values["timestamp"] = Timestamp(now)
        _bound_ttl(delivery, now)
        return read_message(encoded_message(exchange, properties, body, self._domain))

    def _hosted(self, state: SessionState, known: KnownHeader) -> HostedQueue | None:
        """The queue that the default exchange gives such a message to, where there is one."""
        hosted = known.context
        if not isinstance(hosted, HostedQueue) or hosted.tenure.ending:
            if not self._broker.has_queue(known.key):
                return None
            hosted = self._broker.lookup(known.key)
            known.context = hosted
        access = self._broker.access
        if access is not None:
            access.check(state.owner.principal, WRITE, known.key)
        return hosted

    def _enqueue(
        self,
        traffic: ExchangeTraffic,
        hosted: HostedQueue,
        message: EncodedMessage,
        session: Session,
        number: i64,
        now: i64,
    ) -> None:
        """Give a message to the one queue that it is for."""
        broker = self._broker
        broker.exchanges.default.received += 1
        traffic.received_bytes += message.told_bytes
        if not broker.publish(hosted, message, now):
            raise CommandError(_FULL, f"queue {hosted.queue.spec.name!r} is full")
        queue = hosted.queue
        kept = queue.spec.durable
        blocked = hosted.watched and queue.blocked
        if blocked or broker.gates.stops(kept):
            self._hold(session, number, kept and message.durable, [hosted] if blocked else [])
        else:
            self._complete(session, number, kept and message.durable)

    def _complete(self, session: Session, number: i64, kept: bool) -> None:  # noqa: FBT001 - compiled, positional
        """A message is on its queues: its transfer is complete now, or when it is safe."""
        if kept:
            self._completions.add(session, number)
        else:
            session.complete(number)

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
