"""What the AMQP 0-10 connections of one broker share."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final, final
from uuid import UUID

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import Properties
from lastvalue.codec.amqp010.shortcuts.transfer_encoder import TransferEncoder
from lastvalue.codec.amqp10.values import Value
from lastvalue.delivery.branches import Branches
from lastvalue.frontends.amqp010.exchange_traffic import ExchangeTraffic
from lastvalue.frontends.amqp010.queue_events import QueueEvents
from lastvalue.model.message import NEVER
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_to_arguments

NO_INSTANCE: Final = UUID(int=0)


def _ignore(level: str) -> None:
    """The log of an embedded broker is its program's."""


@final
class Answer:
    """The answer to a request: an encoded message to an exchange, with the rights of who asked."""

    __slots__ = ("exchange", "key", "owner", "payload")

    def __init__(self, exchange: str, key: str, payload: bytes, owner: Owner) -> None:
        self.owner = owner
        self.exchange = exchange
        self.key = key
        self.payload = payload


@mypyc_attr(allow_interpreted_subclasses=True)
class Management:
    """Takes what is sent to those who manage the broker."""

    __slots__ = ()

    @abstractmethod
    def begin(self) -> None:
        """The first connection has come: there is somebody who may ask."""
        raise NotImplementedError

    @abstractmethod
    def takes(self, exchange: str, key: str) -> bool:
        """Whether a message to an exchange is a request; it is not routed then."""
        raise NotImplementedError

    @abstractmethod
    def request(self, properties: Properties, body: bytes, owner: Owner) -> None:
        """Take a request; it is answered at the end of the turn."""
        raise NotImplementedError

    @abstractmethod
    def answer(self, connection: i64, now: i64) -> list[Answer]:
        """Carry out the requests that came on a connection, and answer them.

        Given back are the answers that are sent when what was done is safe.
        """
        raise NotImplementedError

    @abstractmethod
    def send(self, answer: Answer, now: i64) -> None:
        """Send an answer that waited."""
        raise NotImplementedError

    @abstractmethod
    def tell(self, event: str, values: dict[str, Any]) -> None:
        """Something happened; it is published at the end of the turn."""
        raise NotImplementedError

    @abstractmethod
    def publish(self, now: int) -> bool:
        """Publish what `tell` took; whether there was anything."""
        raise NotImplementedError

    @abstractmethod
    def next_deadline(self) -> i64:
        """When `advance` next has something to do, by the time of connections, or NEVER."""
        raise NotImplementedError

    @abstractmethod
    def advance(self, wire_now: i64, now: i64) -> bool:
        """Publish what is due; whether there was anything."""
        raise NotImplementedError


@final
class BrokerState(Names):
    """Sessions by name, and what declarations said that the broker has no word for.

    Attributes:
        broker: whose it is.
        instance: the number of this run of the broker.
        queue_arguments: by queue: the arguments it was declared with, as its client wrote them.
        exchange_arguments: the same by exchange.
        branches: of distributed transactions.
        management: who manages the broker over this protocol, or None.
        writer: writes what is delivered.
        on_log_level: called with the level that the log is to have.
        stamps: messages get the time at which they came.
    """

    __slots__ = (
        "_begun",
        "_events",
        "_names",
        "_traffic",
        "branches",
        "broker",
        "exchange_arguments",
        "instance",
        "management",
        "on_log_level",
        "queue_arguments",
        "stamps",
        "writer",
    )

    def __init__(self, broker: Broker, instance: UUID = NO_INSTANCE) -> None:
        self.broker = broker
        self.instance = instance
        self.queue_arguments: dict[str, dict[str, object]] = {}
        self.exchange_arguments: dict[str, dict[str, object]] = {}
        self.branches = Branches(broker)
        self.management: Management | None = None
        self._events = QueueEvents(self.tell, self._publish_events)
        self.stamps = False
        self.on_log_level: Callable[[str], object] = _ignore
        self._begun = False
        self._names: dict[tuple[str, bytes], object] = {}
        self.writer = TransferEncoder(self)
        self._traffic: dict[str, ExchangeTraffic] = {}

    def begin(self) -> None:
        """A connection comes: from the first one on, there are events and the broker can be managed."""
        if not self._begun:
            self._begun = True
            for name, arguments in self.queue_arguments.items():
                self._set_alerts(name, arguments)
            self.broker.observers.append(self._events)
            if self.management is not None:
                self.management.begin()

    def tell(self, event: str, values: dict[str, Any]) -> None:
        """Something happened that whoever manages the broker may want to know."""
        if self.management is not None:
            self.management.tell(event, values)

    def _publish_events(self, now: int) -> bool:
        return self.management is not None and self.management.publish(now)

    # ------------------------------------------------------------------ time

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, by the time of connections, or NEVER."""
        return NEVER if self.management is None else self.management.next_deadline()

    def advance(self, wire_now: i64, now: i64) -> bool:
        """Do what is due; whether there was anything."""
        return self.management is not None and self.management.advance(wire_now, now)

    # ------------------------------------------------------------------ declarations

    def declared(self, name: str, arguments: dict[str, object]) -> None:
        """A queue was made with these arguments."""
        self.queue_arguments[name] = arguments
        self._set_alerts(name, arguments)

    def _set_alerts(self, name: str, arguments: dict[str, object]) -> None:
        if self._events.set_alerts(name, arguments) and self.broker.has_queue(name):
            hosted = self.broker.lookup(name)
            hosted.alerts = True
            hosted.choose_effects()

    def arguments_of(self, spec: QueueSpec) -> dict[str, Value]:
        """The arguments of a queue's declaration, as a query answers them."""
        declared = self.queue_arguments.get(spec.name)
        if declared is not None:
            return dict(declared)
        shown = {name: value for name, value in spec_to_arguments(spec).items() if name not in _FIELDS}
        return {_QPID_NAMES.get(name, name): value for name, value in shown.items()}

    def exchange_arguments_of(self, spec: ExchangeSpec) -> dict[str, Value]:
        """The arguments of an exchange's declaration, as a query answers them."""
        declared = self.exchange_arguments.get(spec.name)
        if declared is not None:
            return dict(declared)
        shown: dict[str, Value] = {"qpid.ive": 1} if spec.initial_value else {}
        return {**shown, "qpid.msg_sequence": 1} if spec.numbered else shown

    def exchange_bytes(self, name: str) -> tuple[int, int]:
        """The bytes that came to an exchange over this protocol, and those that no queue got."""
        traffic = self._traffic.get(name)
        return (0, 0) if traffic is None else (traffic.received_bytes, traffic.dropped_bytes)

    def traffic(self, exchange: str) -> ExchangeTraffic:
        """What came to an exchange."""
        traffic = self._traffic.get(exchange)
        if traffic is None:
            traffic = ExchangeTraffic(exchange, self)
            if self.broker.exchanges.get(exchange) is not None:
                self._traffic[exchange] = traffic
        return traffic

    def claim(self, identity: str, name: bytes, owner: object) -> bool:
        """Let somebody have a session of a user's by name; false where somebody else has it."""
        place = (identity, name)
        if place in self._names:
            return False
        self._names[place] = owner
        return True

    def let_go(self, identity: str, name: bytes, owner: object) -> None:
        """A session is over."""
        if self._names.get((identity, name)) is owner:
            del self._names[(identity, name)]

    def is_exchange(self, name: str) -> bool:
        """Whether there is an exchange of that name."""
        return self.broker.exchanges.get(name) is not None

    def is_queue(self, name: str) -> bool:
        """Whether there is a queue of that name."""
        return self.broker.has_queue(name)


_FIELDS: Final = ("type", "durable", "exclusive", "lifetime", "alternate")
_QPID_NAMES: Final = {
    "lvq_key": "qpid.last_value_queue_key",
    "max_messages": "qpid.max_count",
    "max_bytes": "qpid.max_size",
    "priorities": "qpid.priorities",
    "group_key": "qpid.group_header_key",
}
"""Qpid's names for options of queues that were declared over other protocols."""
