"""Messages that a session publishes, and when their commands are complete."""

from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.exchanges import DEFAULT
from lastvalue.broker.nodes import Node
from lastvalue.broker.permissions import WRITE
from lastvalue.broker.reading import HostedQueue, Publisher
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.output import Output
from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.faults import CommandError
from lastvalue.frontends.amqp010.inward import Entrance, Known, told_beside
from lastvalue.frontends.amqp010.messages import encoded, read_properties
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.protocols.amqp010.session import MessagesTransferred, Session

_FULL: Final = 506
_MOST_TTL_MS: Final = 2**32 - 1
_FOR_EVER_MS: Final = 2**52


CommandConfirmations: TypeAlias = Confirmations[Session, Record | None]
"""Commands that are complete, and their results, by sessions and command numbers."""


def complete_run(run: Run[Session, Record | None]) -> None:
    """Complete commands of a session; one that has a result is alone."""
    session = run.source
    if run.outcome is None:
        session.complete_all(run.first, run.last)
    elif session.attached:
        session.result(run.first, run.outcome)


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

    __slots__ = ("_broker", "_confirmations", "_domain", "_held", "_output", "taken")

    def __init__(self, domain: Domain, confirmations: CommandConfirmations, output: Output) -> None:
        self._domain = domain
        self._broker: Broker = domain.broker
        self._confirmations = confirmations
        self._output = output
        self._held: list[tuple[Session, int, bool]] = []
        self.taken = 0
        self._broker.gates.join(self)

    def leave(self) -> None:
        """The connection is over."""
        self._broker.gates.leave(self)
        self._held = []

    def take(
        self, state: SessionState, entrance: Entrance, run: MessagesTransferred, at: i64, now: i64
    ) -> None:
        """One message.transfer of a run.

        Raises:
            LastvalueError: the message is malformed, has nowhere to go, or cannot be taken.
        """
        self.taken += 1
        header, body = run.headers[at], run.bodies[at]
        message = None if self._domain.stamps else entrance.message(header, body)
        if message is None:
            message = self._read(state, entrance, header, body, now)
            if message is None:
                state.session.complete(run.first + at)
                return
        message.origin = state.owner.container
        told: i64 = len(header) + entrance.known.told
        if body is not None:
            told += len(body)
        message.told_bytes = told
        if state.transaction is None and self._broker.gates.fault is None and run.destination == DEFAULT:
            hosted = self._hosted(state, entrance.known)
            if hosted is not None:
                self._enqueue(entrance, hosted, message, run.session, run.first + at, now)
                return
        self._route(state, entrance, message, run.first + at, now)

    def _route(
        self,
        state: SessionState,
        entrance: Entrance,
        message: EncodedMessage,
        number: i64,
        now: i64,
    ) -> None:
        """Have a message go wherever its exchange says, at the commit where there is a transaction."""
        key = entrance.known.key
        node = self._node(state, entrance.exchange, key)
        self._check_disk(node, key, message)
        if state.transaction is not None:
            state.transaction.post(node, key, message, now)
            state.session.complete(number)
            return
        routed = self._broker.route(node, key, message, now)
        entrance.count(message.told_bytes, routed.queues)
        if routed.fault is not None:
            raise routed.fault
        if routed.full:
            raise CommandError(_FULL, f"queue {routed.full[0]!r} is full")
        if routed.blocked or self._broker.gates.stops(routed.kept):
            self._hold(state.session, number, routed.kept and message.durable, routed.blocked)
        else:
            self._complete(state.session, number, routed.kept and message.durable)

    def _read(
        self, state: SessionState, entrance: Entrance, header: bytes, body: bytes | None, now: i64
    ) -> EncodedMessage | None:
        """A message that is like none before; None where it is a request, which is taken."""
        exchange = entrance.exchange
        properties = read_properties(header)
        delivery = properties.delivery
        key = delivery.text("routing_key")
        management = self._domain.management
        if management is not None and management.takes(exchange, key):
            management.request(properties, body or b"", state.owner)
            return None
        if delivery.number("ttl") <= _MOST_TTL_MS and not self._domain.stamps:
            entrance.learn(header, properties)
        entrance.known = Known(key, told_beside(exchange, properties), b"", b"")
        if self._domain.stamps and not delivery.has("timestamp"):
            delivery.values["timestamp"] = Timestamp(now)
        _bound_ttl(delivery, now)
        return read_message(encoded(exchange, properties, body, self._domain))

    def _hosted(self, state: SessionState, known: Known) -> HostedQueue | None:
        """The queue that the default exchange gives such a message to, where there is one."""
        hosted = known.hosted
        if hosted is None or hosted.tenure.ending:
            if not self._broker.has_queue(known.key):
                return None
            hosted = self._broker.lookup(known.key)
            known.hosted = hosted
        access = self._broker.access
        if access is not None:
            access.check(state.owner.principal, WRITE, known.key)
        return hosted

    def _enqueue(
        self,
        entrance: Entrance,
        hosted: HostedQueue,
        message: EncodedMessage,
        session: Session,
        number: i64,
        now: i64,
    ) -> None:
        """Give a message to the one queue that it is for."""
        broker = self._broker
        broker.exchanges.default.received += 1
        entrance.received_bytes += message.told_bytes
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
            self._confirmations.add(session, number, None, True)  # noqa: FBT003 - compiled, positional
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
                self._confirmations.add(session, number, None, True)  # noqa: FBT003 - compiled, positional
            else:
                session.complete(number)
        if held:
            self._output.schedule_write()

    def hold(self) -> None:
        """See Publisher; the next transfer looks."""

    def queue_deleted(self) -> None:
        """See Publisher."""
        self.may_send()
