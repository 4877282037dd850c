"""What a connection publishes over AMQP 0-10, and when its transfers are complete."""

from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.exchanges import DEFAULT, Exchange
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.targets import Targets
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp010.shortcuts.message_decoder import KnownHeader, MessageDecoder, extra_size
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import ShapeLearner
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.output import Output
from lastvalue.delivery.producer import Producer
from lastvalue.delivery.sender import Sender
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.exchange_traffic import ExchangeTraffic
from lastvalue.model.message import Message, MessageExtras
from lastvalue.protocols.amqp010.session import Session

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
        shapes: of its messages.
    """

    __slots__ = (
        "_broker_state", "_confirmations", "_extras", "_last", "_uncompleted", "names_queues", "shapes",
    )  # fmt: skip

    def __init__(
        self, broker_state: BrokerState, owner: Owner, confirmations: CommandConfirmations, output: Output
    ) -> None:
        super().__init__(broker_state.broker, owner, output)
        self._broker_state = broker_state
        self._confirmations = confirmations
        self.names_queues = False
        self.shapes = ShapeLearner()
        # Of the last message that had no others.
        self._extras: MessageExtras | None = None
        self._last: Target | None = None
        # Transfers that wait for flow control or a gate, and whether they wait for the journal then.
        self._uncompleted: list[tuple[Session, int, int, bool]] = []
        self.join_gates()

    def begin(self, owner: Owner) -> None:
        """A session publishes: all of a connection's are of one user, who is known by then."""
        if self.targets.owner.principal != owner.principal:
            self.targets = Targets(self.broker, owner)
            self.sender = Sender(self.broker.authorization, owner)

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

    def quickly_read(
        self, decoder: MessageDecoder, header: bytes, body: bytes | None
    ) -> EncodedMessage | None:
        """A message that is like one before, or None."""
        return None if self._broker_state.stamps else decoder.message(header, body)

    def note_size(self, message: Message, wire_bytes: i64) -> None:
        """Note on a message how large it was; those of one size share that, if they have nothing else."""
        if message.extras is not None:
            message.wire_bytes = wire_bytes
            return
        extras = self._extras
        if extras is None or extras.wire_bytes != wire_bytes:
            extras = self._extras = MessageExtras(origin=self.origin, wire_bytes=wire_bytes)
        message.extras = extras

    def destination(self, owner: Owner, exchange: str, key: str, in_transaction: bool) -> tuple[Target, str]:
        """The target of a message, and its routing key there: a queue that the default exchange has for it.

        What a transaction publishes is routed at its commit.

        Raises:
            LastvalueError: there is no such exchange, or the peer may not publish there.
        """
        exchange, key = self._place(exchange, key)
        target = None if in_transaction or exchange != DEFAULT else self._queue_target(key)
        return self._exchange_target(owner, exchange, key) if target is None else target, key

    def read(
        self, owner: Owner, traffic: ExchangeTraffic, header: bytes, body: bytes | None, now: i64
    ) -> EncodedMessage | None:
        """A message that is like none before; None if it is a request, which is taken.

        Raises:
            LastvalueError: it is malformed.
        """
        exchange = traffic.exchange
        properties = read_properties(header)
        delivery = properties.delivery
        key = delivery.text("routing_key")
        management = self._broker_state.management
        if management is not None and management.takes(exchange, key):
            management.request(properties, body or b"", owner)
            return None
        if delivery.number("ttl") <= _MOST_TTL_MS and not self._broker_state.stamps:
            traffic.decoder.learn(header, properties)
        traffic.decoder.known = KnownHeader(key, extra_size(exchange, properties), b"", b"")
        if self._broker_state.stamps and not delivery.has("timestamp"):
            delivery.values["timestamp"] = Timestamp(now)
        _bound_ttl(delivery, now)
        return read_message(encoded_message(exchange, properties, body, self._broker_state))

    def _place(self, exchange: str, key: str) -> tuple[str, str]:
        """The exchange and the key of a message; Qpid's Java client may name a queue instead."""
        broker = self.broker
        if self.names_queues and broker.exchanges.get(exchange) is None and broker.has_queue(exchange):
            return DEFAULT, exchange
        return exchange, key

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

    def complete(self, session: Session, first: i64, last: i64, durable: bool, stops: bool) -> None:
        """Messages are on their queues: their transfers are complete now, or when they are safe.

        [Qpid C++] A producer that is to wait does not hear that its messages are done with.
        """
        if stops:
            self._uncompleted.append((session, int(first), int(last), durable))
        elif durable:
            self._confirmations.add(session, first, None, True, last)
        else:
            session.complete_all(first, last)

    def _exchange_target(self, owner: Owner, exchange: str, key: str) -> Target:
        target = self._target(exchange, key)
        if exchange == DEFAULT and key and not self.broker.has_queue(key):
            self.broker.missing.create(key, publishing=True, owner=owner)
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
        """See Producer: its peer is stopped by transfers that are not completed."""
        self.regulated = False

    def may_send(self) -> None:
        """See Publisher: complete the transfers that waited."""
        super().may_send()
        uncompleted = self._uncompleted
        self._uncompleted = []
        for session, first, last, durable in uncompleted:
            self.complete(session, first, last, durable, False)
        if uncompleted:
            self.output.schedule_write()
