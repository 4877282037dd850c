"""What a connection publishes over AMQP 0-10, and when its transfers are complete."""

from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.exchanges import DEFAULT, Exchange
from lastvalue.broker.nodes import Node
from lastvalue.broker.owner import Owner
from lastvalue.broker.targets import Targets
from lastvalue.broker.verbs import Verb
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp010.shortcuts.message_decoder import KnownHeader, extra_size
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.output import Output
from lastvalue.delivery.producer import Producer, queue_full, refusal
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.exchange_traffic import ExchangeTraffic
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.protocols.amqp010.session import MessagesTransferred, Session

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
class ConnectionProducer(Producer):
    """What a connection publishes; its peer is stopped by transfers that are not completed.

    Attributes:
        names_queues: a destination that is no exchange may be a queue [Broker-J].
    """

    __slots__ = ("_broker_state", "_confirmations", "_last", "_uncompleted", "names_queues")

    def __init__(
        self, broker_state: BrokerState, owner: Owner, confirmations: CommandConfirmations, output: Output
    ) -> None:
        super().__init__(broker_state.broker, owner, output)
        self._broker_state = broker_state
        self._confirmations = confirmations
        self.names_queues = False
        self._last: Target | None = None
        # Transfers that wait for flow control or a gate, and whether they wait for the journal then.
        self._uncompleted: list[tuple[Session, int, bool]] = []
        self.join_gates()

    def begin(self, owner: Owner) -> None:
        """A session publishes: all of a connection's are of one user, who is known by then."""
        if self.targets.owner.principal != owner.principal:
            self.targets = Targets(self.broker, owner)

    def close(self) -> None:
        """The connection is over."""
        self.stop()
        self._last = None
        self._uncompleted = []

    def check(self, exchange: str, header: bytes) -> None:
        """Check whether the peer may publish a message to an exchange, by its header.

        Raises:
            LastvalueError: it may not, or the header is malformed.
        """
        key = read_properties(header).delivery.text("routing_key")
        management = self._broker_state.management
        if management is not None and management.takes(exchange, key):
            return
        exchange, key = self._place(exchange, key)
        if exchange != DEFAULT or self._queue_target(key) is None:
            self._target(exchange, key)

    def take(
        self, state: SessionState, traffic: ExchangeTraffic, run: MessagesTransferred, at: i64, now: i64
    ) -> None:
        """One message.transfer of a run.

        Raises:
            LastvalueError: the message is malformed, has nowhere to go, or cannot be taken.
        """
        self.traffic.receive(1, now)
        header, body = run.headers[at], run.bodies[at]
        message = None if self._broker_state.stamps else traffic.decoder.message(header, body)
        if message is None:
            message = self._read(state, traffic, header, body, now)
            if message is None:
                state.session.complete(run.first + at)
                return
        self.sign(message)
        wire_bytes: i64 = len(header) + traffic.decoder.known.extra_bytes
        if body is not None:
            wire_bytes += len(body)
        message.wire_bytes = wire_bytes
        if state.transaction is None and self.broker.alarms.fault is None and run.destination == DEFAULT:
            target = self._queue_target(traffic.decoder.known.key)
            if target is not None:
                self._enqueue(traffic, target, message, run.session, run.first + at, now)
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
        exchange, key = self._place(traffic.exchange, traffic.decoder.known.key)
        target = self._exchange_target(state, exchange, key)
        fault = self.store_fault(target.node, key, message)
        if fault is not None:
            raise fault
        if state.transaction is not None:
            state.transaction.post(target, key, message, now)
            state.session.complete(number)
            return
        routed = self.publish(target, key, message, now)
        traffic.count(message.wire_bytes, routed.queues)
        error = refusal(routed)
        if error is not None:
            raise error
        self._complete(state.session, number, message.durable, bool(routed.blocked))

    def _place(self, exchange: str, key: str) -> tuple[str, str]:
        """The exchange and the key of a message; Qpid's Java client may name a queue instead."""
        broker = self.broker
        if self.names_queues and broker.exchanges.get(exchange) is None and broker.has_queue(exchange):
            return DEFAULT, exchange
        return exchange, key

    def _read(
        self, state: SessionState, traffic: ExchangeTraffic, header: bytes, body: bytes | None, now: i64
    ) -> EncodedMessage | None:
        """A message that is like none before; None where it is a request, which is taken."""
        exchange = traffic.exchange
        properties = read_properties(header)
        delivery = properties.delivery
        key = delivery.text("routing_key")
        management = self._broker_state.management
        if management is not None and management.takes(exchange, key):
            management.request(properties, body or b"", state.owner)
            return None
        if delivery.number("ttl") <= _MOST_TTL_MS and not self._broker_state.stamps:
            traffic.decoder.learn(header, properties)
        traffic.decoder.known = KnownHeader(key, extra_size(exchange, properties), b"", b"")
        if self._broker_state.stamps and not delivery.has("timestamp"):
            delivery.values["timestamp"] = Timestamp(now)
        _bound_ttl(delivery, now)
        return read_message(encoded_message(exchange, properties, body, self._broker_state))

    def _queue_target(self, key: str) -> Target | None:
        """The queue that the default exchange gives a message of that key to, where there is one."""
        target = self._last
        if target is not None and target.name == key:
            hosted = target.node.hosted
            if hosted is not None and not hosted.ownership.ending:
                return target
        if not self.broker.has_queue(key):
            return None
        target = self.targets.of(Node(key, self.broker.lookup(key)))
        self._last = target
        return target

    def _enqueue(
        self,
        traffic: ExchangeTraffic,
        target: Target,
        message: EncodedMessage,
        session: Session,
        number: i64,
        now: i64,
    ) -> None:
        """Give a message to the one queue that it is for."""
        self.broker.exchanges.default.received += 1
        traffic.received_bytes += message.wire_bytes
        if not self.enqueue(target, message, now):
            raise queue_full(target.name)
        hosted = None if target.node.hosted is None else target.node.hosted.taker()
        blocked = hosted is not None and hosted.watched and hosted.queue.blocked
        self._complete(session, number, message.durable, blocked)

    def _complete(self, session: Session, number: i64, durable: bool, blocked: bool) -> None:
        """A message is on its queues: its transfer is complete now, or when it is safe.

        [Qpid C++] A producer that is to wait is not told that its message is done with.
        """
        durable = durable and self.reached_durable
        if blocked or self.broker.alarms.stops(self.reached_durable):
            self._uncompleted.append((session, int(number), durable))
        elif durable:
            self._confirmations.add(session, number, None, True)
        else:
            session.complete(number)

    def _exchange_target(self, state: SessionState, exchange: str, key: str) -> Target:
        target = self._target(exchange, key)
        if exchange == DEFAULT and key and not self.broker.has_queue(key):
            self.broker.missing.create(key, publishing=True, owner=state.owner)
        return target

    def _exchange(self, name: str) -> Exchange:
        return self.broker.authorization.find_exchange(self.targets.owner, Verb.PUBLISH, name)

    def _target(self, exchange: str, key: str) -> Target:
        node = Node(exchange, None, self._exchange(exchange))
        if exchange != DEFAULT:
            return self.targets.of(node)
        # The queue's own target may be released for this one.
        self._last = None
        return self.targets.of(node, key)

    # ------------------------------------------------------------------ flow control

    def regulate(self) -> None:
        """See Producer: complete the transfers that waited."""
        uncompleted = self._uncompleted
        self._uncompleted = []
        for session, number, durable in uncompleted:
            if durable:
                self._confirmations.add(session, number, None, True)
            else:
                session.complete(number)
        if uncompleted:
            self.output.schedule_write()
