"""The commands about queues and exchanges."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import (
    RESERVED_PREFIXES,
    ExchangeSpec,
    ExchangeType,
    exchange_from_arguments,
)
from lastvalue.broker.routing.exchanges import DEFAULT, Exchange
from lastvalue.codec.amqp010.command_layouts import (
    EXCHANGE_EXCHANGE_BOUND_RESULT,
    EXCHANGE_EXCHANGE_QUERY_RESULT,
    QUEUE_QUEUE_QUERY_RESULT,
)
from lastvalue.codec.amqp010.errors import (
    ILLEGAL_ARGUMENT,
    INTERNAL_ERROR,
    INVALID_ARGUMENT,
    LOCKED,
    NOT_ALLOWED,
    NOT_FOUND,
    CommandError,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.options import BY_SPELLING
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import knows_argument, spec_from_arguments
from lastvalue.queues.subscription import ALL_MODES

_EXCHANGE_ARGUMENTS: Final = ("qpid.ive", "qpid.msg_sequence", "alternate-exchange", "unroutable")
_TYPES: Final = ("direct", "topic", "fanout", "headers")


def known_arguments(arguments: Mapping[str, Value]) -> dict[str, object]:
    """The arguments that mean something to a queue; [Qpid C++] others are kept, and do nothing."""
    return {name: value for name, value in arguments.items() if knows_argument(name)}


def queue_spec(
    name: str,
    arguments: Mapping[str, Value],
    alternate: str,
    durable: bool,
    exclusive: bool,
    auto_delete: bool,
) -> QueueSpec:
    """A queue's declaration by the fields of queue.declare and its arguments; "" is no alternate.

    Raises:
        InvalidSpecError: the arguments contradict each other or are out of range.
    """
    options = known_arguments(arguments)
    if alternate:
        options["alternate"] = alternate
    if durable:
        options.setdefault("durable", True)
    if exclusive:
        options.setdefault("exclusive", Exclusive.SESSION.value)
    chosen = {BY_SPELLING[each].name for each in options if each in BY_SPELLING}
    if auto_delete and "lifetime" not in chosen:
        lifetime = Lifetime.SESSION_END if exclusive else Lifetime.NO_OUTBOUND_LINKS
        options["lifetime"] = lifetime.value
    return spec_from_arguments(name, options)


class Declarations:
    """Carries the commands out for one session's owner."""

    __slots__ = ("_broker", "_broker_state")

    def __init__(self, broker_state: BrokerState) -> None:
        self._broker_state = broker_state
        self._broker = broker_state.broker

    def take(self, record: Record, owner: Owner, now: i64) -> Record | None:
        """Carry out a command of the classes queue and exchange; its result, or None if it has none.

        Raises:
            LastvalueError: it is refused.
        """
        return _COMMANDS[record.layout.name](self, record, owner, now)

    # ------------------------------------------------------------------ queues

    def declare_queue(self, record: Record, owner: Owner) -> None:
        """queue.declare."""
        name = record.text("queue")
        if not name:
            raise CommandError(ILLEGAL_ARGUMENT, "queue.declare names no queue; it needs one")
        if record.has("passive"):
            hosted = self._broker.show(name, owner)
            if record.has("exclusive"):
                self._check_exclusive(hosted, owner)
            return
        alternate = record.text("alternate_exchange")
        self._check_alternate(alternate, owner)
        arguments = dict(record.map("arguments"))
        if self._broker.authorization.visible_queue(owner, name) is not None:
            # [Qpid C++] One that exists need not be described.
            spec = QueueSpec(name, alternate=alternate or None)
        else:
            flags = [record.has(each) for each in ("durable", "exclusive", "auto_delete")]
            spec = queue_spec(name, arguments, alternate, *flags)

        def suits(present: HostedQueue) -> None:
            self._check_same(present, record, owner)

        if self._broker.declare(spec, owner, suits):
            self._broker_state.declared(name, arguments)

    def _check_alternate(self, name: str, owner: Owner) -> None:
        """Refuse an alternate that does not exist, unless the command refuses a caller who may not know."""
        if name and self._broker.authorization.reaches(owner, name):
            self._broker.exchanges.find(name)

    def _check_same(self, hosted: HostedQueue, record: Record, owner: Owner) -> None:
        """[Qpid C++] A queue that exists is as good as a new one, but for its owner and its alternate."""
        name = hosted.queue.spec.name
        self._broker.check_owner(hosted, owner)
        if record.has("exclusive"):
            self._check_exclusive(hosted, owner)
        alternate = record.text("alternate_exchange")
        if alternate and hosted.queue.spec.alternate != alternate:
            present = hosted.queue.spec.alternate
            raise CommandError(
                NOT_ALLOWED, f"queue {name!r} exists with the alternate {present!r}, not {alternate!r}"
            )

    def _check_exclusive(self, hosted: HostedQueue, owner: Owner) -> None:
        self._broker.check_owner(hosted, owner)
        if hosted.ownership.owner is None and hosted.queue.spec.exclusive is Exclusive.SESSION:
            # Its owner is gone, as after a client has reconnected.
            self._broker.own(hosted, owner)
        if hosted.ownership.owner is None:
            raise CommandError(
                LOCKED, f"queue {hosted.queue.spec.name!r} exists and is not this session's alone"
            )

    def delete_queue(self, record: Record, owner: Owner, now: i64) -> None:
        """queue.delete."""
        name = record.text("queue")
        if not name:
            raise CommandError(ILLEGAL_ARGUMENT, "queue.delete names no queue; it needs one")
        modes = ALL_MODES if record.has("if_unused") else ()
        self._broker.delete(name, now, owner, modes, record.has("if_empty"))
        self._broker_state.queue_arguments.pop(name, None)

    def purge_queue(self, record: Record, owner: Owner) -> None:
        """queue.purge."""
        name = record.text("queue")
        if not name:
            raise CommandError(ILLEGAL_ARGUMENT, "queue.purge names no queue; it needs one")
        self._broker.purge(name, owner)

    def query_queue(self, record: Record, owner: Owner) -> Record:
        """queue.query; the result is empty for a queue that does not exist or that the peer may not see."""
        name = record.text("queue")
        hosted = self._broker.authorization.visible_queue(owner, name)
        if hosted is None:
            return Record(QUEUE_QUEUE_QUERY_RESULT)
        spec = hosted.queue.spec
        values: dict[str, Value] = {
            "queue": name,
            "arguments": self._broker_state.arguments_of(spec),
            "message_count": min(int(hosted.queue.available), 2**32 - 1),
            "subscriber_count": len(hosted.readers),
        }
        if spec.alternate is not None:
            values["alternate_exchange"] = spec.alternate
        if spec.durable:
            values["durable"] = True
        if spec.exclusive is not Exclusive.NONE:
            values["exclusive"] = True
        if spec.lifetime is not Lifetime.PERMANENT:
            values["auto_delete"] = True
        return Record(QUEUE_QUEUE_QUERY_RESULT, values)

    # ------------------------------------------------------------------ exchanges

    def declare_exchange(self, record: Record, owner: Owner) -> None:
        """exchange.declare."""
        name = record.text("exchange")
        kind = record.text("type")
        alternate = record.text("alternate_exchange")
        if record.has("passive"):
            if name != DEFAULT:
                self._broker.authorize(owner, Verb.QUERY, name)
            present = self._broker.exchanges.get(name)
            if present is None:
                raise CommandError(NOT_FOUND, f"there is no exchange {name!r}")
            _check_exchange(present, kind, alternate)
            return
        self._check_alternate(alternate, owner)
        arguments = dict(record.map("arguments"))
        known = self._broker.authorization.visible_exchange(owner, name)
        if known is not None:
            # [Qpid C++] One that exists need not be described.
            spec = replace(known.spec, alternate=alternate or None)
        elif kind in _TYPES:
            flags = [record.has(each) for each in ("durable", "auto_delete")]
            spec = exchange_spec(name, kind, arguments, alternate, *flags)
        else:
            raise CommandError(
                NOT_FOUND, f"there is no exchange type {kind!r}; there are {', '.join(_TYPES)}"
            )

        def suits(present: Exchange) -> None:
            _check_exchange(present, kind, alternate)

        if not self._broker.declare_exchange(spec, owner, suits=suits):
            return
        self._broker_state.exchange_arguments[name] = arguments
        self._broker_state.tell(
            "exchangeDeclare",
            {
                "exName": name,
                "exType": kind,
                "altEx": alternate,
                "durable": record.has("durable"),
                "autoDel": record.has("auto_delete"),
                "args": arguments,
                "disp": "created",
            },
        )

    def delete_exchange(self, record: Record, owner: Owner) -> None:
        """exchange.delete."""
        name = record.text("exchange")
        if not name:
            raise CommandError(INVALID_ARGUMENT, "the default exchange cannot be deleted")
        self._broker.delete_exchange(name, owner, record.has("if_unused"))
        self._broker_state.exchange_arguments.pop(name, None)
        self._broker_state.tell("exchangeDelete", {"exName": name})

    def query_exchange(self, record: Record, owner: Owner) -> Record:
        """exchange.query."""
        exchange = self._broker.authorization.visible_exchange(owner, record.text("name"))
        if exchange is None:
            return Record(EXCHANGE_EXCHANGE_QUERY_RESULT, {"not_found": True})
        values: dict[str, Value] = {
            "type": exchange.spec.type.value,
            "arguments": self._broker_state.exchange_arguments_of(exchange.spec),
        }
        if exchange.spec.durable:
            values["durable"] = True
        return Record(EXCHANGE_EXCHANGE_QUERY_RESULT, values)

    def bind(self, record: Record, owner: Owner, now: i64) -> None:
        """exchange.bind."""
        exchange, queue = record.text("exchange"), record.text("queue")
        if not queue:
            raise CommandError(ILLEGAL_ARGUMENT, "exchange.bind names no queue; it needs one")
        self._broker.authorize(owner, Verb.BIND, exchange, queue)
        self._broker.lookup(queue)
        bound_to = self._broker.exchanges.find(exchange)
        arguments = record.map("arguments")
        if bound_to.spec.type is ExchangeType.HEADERS and "x-match" not in arguments:
            # [Qpid C++] This code, not that of an invalid argument.
            raise CommandError(INTERNAL_ERROR, "a binding to a headers exchange needs x-match: all or any")
        binding = Binding(queue, record.text("binding_key"), arguments)
        if self._broker.bind(exchange, binding, owner, now):
            event = {"exName": exchange, "qName": queue, "key": binding.key, "args": arguments}
            self._broker_state.tell("bind", event)

    def unbind(self, record: Record, owner: Owner) -> None:
        """exchange.unbind."""
        exchange, queue = record.text("exchange"), record.text("queue")
        if not queue:
            raise CommandError(ILLEGAL_ARGUMENT, "exchange.unbind names no queue; it needs one")
        self._broker.authorize(owner, Verb.UNBIND, exchange, queue)
        self._broker.lookup(queue)
        self._broker.exchanges.find(exchange)
        key = record.text("binding_key")
        if self._broker.unbind(exchange, queue, key, owner):
            self._broker_state.tell("unbind", {"exName": exchange, "qName": queue, "key": key})

    def bound(self, record: Record, owner: Owner) -> Record:
        """exchange.bound: what of the question is not so."""
        authorization = self._broker.authorization
        exchange = authorization.visible_exchange(owner, record.text("exchange"))
        queue = record.text("queue")
        values: dict[str, Value] = {}
        if exchange is None:
            values["exchange_not_found"] = True
        if queue and authorization.visible_queue(owner, queue) is None:
            values["queue_not_found"] = True
        if exchange is not None and "queue_not_found" not in values:
            key = record.text("binding_key")
            bindings = authorization.visible_bindings(owner, exchange, queue or key)
            of_queue = [each for each in bindings if each.destination == queue]
            if queue and not of_queue:
                values["queue_not_matched"] = True
            bindings = of_queue or bindings
            if record.has("binding_key") and not any(each.key == key for each in bindings):
                values["key_not_matched"] = True
            wanted = record.map("arguments")
            if wanted and not any(each.arguments == wanted for each in bindings):
                values["args_not_matched"] = True
        return Record(EXCHANGE_EXCHANGE_BOUND_RESULT, values)


def exchange_spec(
    name: str,
    kind: str,
    arguments: Mapping[str, Value],
    alternate: str,
    durable: bool,
    auto_delete: bool,
) -> ExchangeSpec:
    """An exchange's declaration; arguments that mean nothing to it are left out."""
    if name.startswith(RESERVED_PREFIXES):
        raise CommandError(
            NOT_ALLOWED, f"{name!r}: names that begin with {' or '.join(RESERVED_PREFIXES)} are reserved"
        )
    options: dict[str, object] = {
        each: value for each, value in arguments.items() if each in _EXCHANGE_ARGUMENTS and value is not None
    }
    options["type"] = kind
    if alternate:
        options["alternate"] = alternate
    if durable:
        options["durable"] = True
    if auto_delete:
        options["auto_delete"] = True
    return exchange_from_arguments(name, options)


def _check_exchange(present: Exchange, kind: str, alternate: str) -> None:
    """Refuse a declaration of an exchange that exists otherwise."""
    spec = present.spec
    if kind and kind != spec.type.value:
        if kind not in _TYPES:
            raise CommandError(NOT_FOUND, f"there is no exchange type {kind!r}")
        raise CommandError(NOT_ALLOWED, f"exchange {spec.name!r} is of type {spec.type.value}, not {kind}")
    if alternate and alternate != spec.alternate:
        raise CommandError(
            NOT_ALLOWED, f"exchange {spec.name!r} has the alternate {spec.alternate!r}, not {alternate!r}"
        )


_COMMANDS: Final[dict[str, Callable[[Declarations, Record, Owner, i64], Record | None]]] = {
    "queue.declare": lambda it, record, owner, _: it.declare_queue(record, owner),
    "queue.delete": lambda it, record, owner, now: it.delete_queue(record, owner, now),
    "queue.purge": lambda it, record, owner, _: it.purge_queue(record, owner),
    "queue.query": lambda it, record, owner, _: it.query_queue(record, owner),
    "exchange.declare": lambda it, record, owner, _: it.declare_exchange(record, owner),
    "exchange.delete": lambda it, record, owner, _: it.delete_exchange(record, owner),
    "exchange.query": lambda it, record, owner, _: it.query_exchange(record, owner),
    "exchange.bind": lambda it, record, owner, now: it.bind(record, owner, now),
    "exchange.unbind": lambda it, record, owner, _: it.unbind(record, owner),
    "exchange.bound": lambda it, record, owner, _: it.bound(record, owner),
}
