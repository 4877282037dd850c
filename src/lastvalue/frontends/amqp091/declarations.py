"""Queues and exchanges: declared, bound, emptied and deleted [0-9-1 §1.6, §1.7]."""

from collections.abc import Callable, Mapping
from typing import Any, Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.alternates import check_equal
from lastvalue.broker.routing.bindings import MATCH_ARGUMENT, Binding
from lastvalue.broker.routing.exchange_spec import (
    RESERVED_PREFIXES,
    ExchangeType,
    exchange_from_arguments,
    knows_exchange_argument,
)
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.codec.amqp091.dialects import EXCHANGE_BOUND_OK, Method, OldMethod
from lastvalue.codec.amqp091.errors import (
    ACCESS_REFUSED,
    COMMAND_INVALID,
    NOT_ALLOWED,
    PRECONDITION_FAILED,
    RESOURCE_LOCKED,
    ReplyError,
)
from lastvalue.codec.amqp091.methods import QueueDeclareOk
from lastvalue.codec.amqp091.plain_values import plain
from lastvalue.codec.amqp091.reply_to import REPLY_TO
from lastvalue.frontends.amqp091.connection_state import Amqp091ConnectionState
from lastvalue.frontends.amqp091.consumers import ChannelConsumers
from lastvalue.queues.spec import DEFAULT_HOST, Exclusive, Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import knows_argument, spec_from_arguments
from lastvalue.queues.subscription import Mode

_EXPIRES: Final = "x-expires"
_TYPES: Final = tuple(kind.value for kind in ExchangeType if kind is not ExchangeType.ADDRESS)


@final
class Declarations:
    """The methods of the classes queue and exchange on one channel.

    Attributes:
        durable: the last answer waits until the journal has what the method changed.
    """

    __slots__ = ("_consumers", "_number", "_state", "durable")

    def __init__(self, state: Amqp091ConnectionState, consumers: ChannelConsumers, number: i64) -> None:
        self._state = state
        self._consumers = consumers
        self._number: i64 = number
        self.durable = False

    def take(self, method: Method, now: i64) -> Method | None:
        """Carry out a method; its answer, or None if the peer asked for none.

        Raises:
            ReplyError, LastvalueError: the method is refused.
        """
        self.durable = False
        carry_out = _METHODS.get(type(method))
        if carry_out is None:
            raise ReplyError(COMMAND_INVALID, f"{method.name} is out of place")
        answer = carry_out(self, method, now)
        return None if getattr(method, "nowait", False) else answer

    # ------------------------------------------------------------------ queues

    def declare_queue(self, method: commands.Queue.Declare, now: i64) -> Method:
        """Declare a queue, or check that it exists."""
        name = self._on_one_line(method.queue)
        broker = self._state.broker
        owner = self._state.owner(self._number)
        if method.passive and name == REPLY_TO:
            # Clients check in this way whether the broker supports direct replies.
            return QueueDeclareOk(name, 0, 1)
        if method.passive:
            hosted = self._consumers.find(name, Verb.QUERY)
            broker.check_owner(hosted, owner)
        else:
            if name.startswith("amq.") and broker.authorization.visible_queue(owner, name) is None:
                raise ReplyError(ACCESS_REFUSED, f"{name!r}: names that begin with amq. are reserved")
            hosted = self._declared(name or self._new_name(), method, owner)
        broker.count_unused(hosted, now)
        self._consumers.queue = hosted.queue.spec.name
        return QueueDeclareOk(hosted.queue.spec.name, int(hosted.queue.available), int(hosted.consumers))

    def _declared(self, name: str, method: commands.Queue.Declare, owner: Owner) -> HostedQueue:
        broker = self._state.broker

        def suits(present: HostedQueue) -> None:
            if not self._state.qpid:
                _check_exclusive(present.queue.spec, spec)
            broker.check_owner(present, owner)
            if self._state.qpid:
                _check_flags(present.queue.spec, method)
            else:
                check_equal(spec, present.queue.spec)

        if self._state.qpid and broker.authorization.visible_queue(owner, name) is not None:
            # [Broker-J] One that exists need not be described.
            spec = QueueSpec(name)
        else:
            spec = self._spec(name, method)
        self.durable = broker.declare(spec, owner, suits) and spec.durable
        return broker.lookup(name)

    def _on_one_line(self, name: str) -> str:
        """[RabbitMQ] A name that is declared or deleted loses its ends of lines, which come from files."""
        return name if self._state.qpid else name.replace("\r", "").replace("\n", "")

    def _new_name(self) -> str:
        broker = self._state.broker
        while True:
            name = f"amq.gen-{broker.identify()}"
            if not broker.has_queue(name):
                return name

    def _spec(self, name: str, method: commands.Queue.Declare) -> QueueSpec:
        arguments = plain(method.arguments)
        if self._state.unknown_ignored:
            arguments = known_arguments(arguments)
        implied: dict[str, Any] = {"virtual_host": self._state.engine.vhost or DEFAULT_HOST}
        if method.durable and (self._state.qpid or not method.exclusive):
            implied["durable"] = True
        if method.exclusive and method.durable and self._state.qpid:
            # [Broker-J] The queue stays for the user's next connection.
            implied["exclusive"] = "principal"
        elif method.exclusive:
            # [Broker-J] A queue that goes with its connection does not survive a restart.
            implied["exclusive"] = "connection"
            if _EXPIRES not in arguments and not method.auto_delete:
                implied["lifetime"] = "delete-on-connection-close"
        if method.auto_delete:
            implied["lifetime"] = "delete-on-no-outbound-links"
        return spec_from_arguments(name, {**implied, **arguments})

    def bind_queue(self, method: commands.Queue.Bind, now: i64) -> Method:
        """Bind a queue to an exchange."""
        name = self._consumers.named(method.queue)
        self._state.broker.authorize(self._state.owner(self._number), Verb.BIND, method.exchange, name)
        self._state.broker.lookup(name)
        # [0-9-1 queue.bind] Without a queue and a key, the key is the queue's name.
        key = method.routing_key or ("" if method.queue else name)
        self._bind(method.exchange, name, key, method.arguments, now, to_exchange=False)
        return commands.Queue.BindOk()

    def unbind_queue(self, method: commands.Queue.Unbind, now: i64) -> Method:
        """Remove a queue's binding, if it exists."""
        del now
        name = self._consumers.named(method.queue)
        self._unbind(method.exchange, name, method.routing_key, to_exchange=False)
        return commands.Queue.UnbindOk()

    def purge_queue(self, method: commands.Queue.Purge, now: i64) -> Method:
        """Remove the available messages of a queue."""
        del now
        hosted = self._consumers.find(method.queue, Verb.PURGE_QUEUE)
        name = hosted.queue.spec.name
        state = self._state
        count = state.broker.purge(name, state.owner(self._number))
        self.durable = (count > 0 and hosted.queue.spec.durable) or state.broker.long_commands.runs_for(
            state.number
        )
        return commands.Queue.PurgeOk(count)

    def delete_queue(self, method: commands.Queue.Delete, now: i64) -> Method:
        """Delete a queue; [RabbitMQ] that there is none is no fault."""
        broker = self._state.broker
        owner = self._state.owner(self._number)
        name = self._consumers.named(self._on_one_line(method.queue))
        if not self._state.qpid and not broker.has_queue(name):
            broker.authorize(owner, Verb.DELETE_QUEUE, name)
            return commands.Queue.DeleteOk(0)
        hosted = self._consumers.find(name, Verb.DELETE_QUEUE)
        # [0-9-1 queue.delete] Browsers are no consumers.
        modes = (Mode.CONSUME,) if method.if_unused else ()
        if_empty = method.if_empty is True
        if if_empty and not self._state.qpid:
            # [RabbitMQ] Messages that consumers hold do not count.
            if_empty = hosted.queue.available > 0
        count = broker.delete(name, now, owner, modes, if_empty, not self._state.qpid)
        self.durable = hosted.queue.spec.durable or broker.long_commands.runs_for(self._state.number)
        return commands.Queue.DeleteOk(count)

    # ------------------------------------------------------------------ exchanges

    def declare_exchange(self, method: commands.Exchange.Declare, now: i64) -> Method:
        """Declare an exchange, or check that it exists."""
        del now
        name = self._on_one_line(method.exchange)
        broker = self._state.broker
        exchanges = broker.exchanges
        owner = self._state.owner(self._number)
        if method.passive:
            if name:
                broker.authorize(owner, Verb.QUERY, name)
            exchanges.find(name)
            return commands.Exchange.DeclareOk()
        present = exchanges.get(name)
        if not name or (name.startswith(RESERVED_PREFIXES) and present is None):
            code = ACCESS_REFUSED if self._state.modern else NOT_ALLOWED
            raise ReplyError(code, f"{name!r}: this name is reserved")
        if method.exchange_type not in _TYPES:
            known = ", ".join(_TYPES)
            # [RabbitMQ 4] It ends the channel alone; in Broker-J the connection, as in the specification.
            raise ReplyError(
                COMMAND_INVALID if self._state.qpid else PRECONDITION_FAILED,
                f"unknown exchange type {method.exchange_type!r}; expected one of {known}",
                (40, 10),
            )
        # [Broker-J] Only the types of exchanges are compared.
        alike = self._state.qpid and present is not None and present.spec.type.value == method.exchange_type
        arguments = {} if alike else plain(method.arguments)
        if self._state.unknown_ignored:
            arguments = {name: arguments[name] for name in arguments if knows_exchange_argument(name)}
        arguments["type"] = method.exchange_type
        if method.durable:
            arguments["durable"] = True
        if method.auto_delete:
            arguments["auto_delete"] = True
        if method.internal:
            arguments["internal"] = True
        spec = exchange_from_arguments(name, arguments)
        suits = _does if alike else None
        self.durable = broker.declare_exchange(spec, owner, suits=suits) and spec.durable
        return commands.Exchange.DeclareOk()

    def delete_exchange(self, method: commands.Exchange.Delete, now: i64) -> Method:
        """Delete an exchange; [RabbitMQ] that there is none is no fault."""
        del now
        name = self._on_one_line(method.exchange)
        broker = self._state.broker
        owner = self._state.owner(self._number)
        broker.authorize(owner, Verb.DELETE_EXCHANGE, name)
        if not self._state.qpid and broker.exchanges.get(name) is None:
            return commands.Exchange.DeleteOk()
        exchange = broker.exchanges.find(name)
        if not name or name.startswith(RESERVED_PREFIXES):
            raise ReplyError(ACCESS_REFUSED, f"exchange {name!r} is predeclared and cannot be deleted")
        broker.delete_exchange(name, owner, method.if_unused is True, not self._state.qpid)
        self.durable = exchange.spec.durable
        return commands.Exchange.DeleteOk()

    def bind_exchange(self, method: commands.Exchange.Bind, now: i64) -> Method:
        """Bind an exchange to another one."""
        self._bind(
            method.source, method.destination, method.routing_key, method.arguments, now, to_exchange=True
        )
        return commands.Exchange.BindOk()

    def unbind_exchange(self, method: commands.Exchange.Unbind, now: i64) -> Method:
        """Remove an exchange's binding, if it exists."""
        del now
        self._unbind(method.source, method.destination, method.routing_key, to_exchange=True)
        return commands.Exchange.UnbindOk()

    # ------------------------------------------------------------------ bindings

    def is_bound(self, fields: dict[str, Any]) -> OldMethod:
        """[Broker-J] Whether an exchange has bindings: any, to a queue, by a key, or to a queue by a key."""
        authorization = self._state.broker.authorization
        owner = self._state.owner(self._number)
        exchange = authorization.visible_exchange(owner, fields["exchange"])
        queue, key = fields["queue"], fields["routing_key"]
        code, text = 0, ""
        if exchange is None:
            code, text = 1, "the exchange does not exist"
        elif queue and authorization.visible_queue(owner, queue) is None:
            code, text = 2, "the queue does not exist"
        else:
            bindings = authorization.visible_bindings(owner, exchange, queue or key)
            of_queue = [each for each in bindings if not queue or each.destination == queue]
            if not of_queue and not key:
                code, text = (4, "the queue is not bound") if queue else (3, "the exchange has no bindings")
            elif key and not any(each.key == key for each in of_queue):
                code, text = (
                    (6, "the queue is not bound by the key") if queue else (5, "no queue is bound by the key")
                )
        return OldMethod(EXCHANGE_BOUND_OK, {"reply_code": code, "reply_text": text})

    def _bind(
        self, source: str, destination: str, key: str, table: Any, now: i64, *, to_exchange: bool
    ) -> None:
        broker = self._state.broker
        owner = self._state.owner(self._number)
        broker.authorize(owner, Verb.BIND, source, destination)
        exchange = self._exchange(source)
        arguments = plain(table)
        if exchange.spec.type is ExchangeType.HEADERS:
            # [RabbitMQ] By default all conditions must hold.
            arguments.setdefault(MATCH_ARGUMENT, "all")
        new = broker.bind(source, Binding(destination, key, arguments, to_exchange), owner, now)
        self.durable = new and exchange.spec.durable

    def _unbind(self, source: str, destination: str, key: str, *, to_exchange: bool) -> None:
        broker = self._state.broker
        owner = self._state.owner(self._number)
        broker.authorize(owner, Verb.UNBIND, source, destination)
        if self._state.qpid and not to_exchange:
            broker.lookup(destination)
        if not self._state.qpid and source and broker.exchanges.get(source) is None:
            # [RabbitMQ] What is not there has no binding.
            return
        exchange = self._exchange(source)
        self.durable = broker.unbind(source, destination, key, owner) and exchange.spec.durable

    def _exchange(self, name: str) -> Any:
        if not name:
            raise ReplyError(ACCESS_REFUSED, "the default exchange cannot be bound or unbound")
        return self._state.broker.exchanges.find(name)


def _does(present: Exchange) -> None:
    """An exchange that exists does for the declaration, as it is."""


def _check_exclusive(present: QueueSpec, spec: QueueSpec) -> None:
    """[RabbitMQ] Who asks for a queue of its own, and whose queue it is, must agree before other options."""
    if (present.exclusive is Exclusive.NONE) != (spec.exclusive is Exclusive.NONE):
        kind = "not exclusive" if present.exclusive is Exclusive.NONE else "exclusive"
        raise ReplyError(RESOURCE_LOCKED, f"queue {spec.name!r} exists, and is {kind}")


def _check_flags(spec: QueueSpec, method: commands.Queue.Declare) -> None:
    """[Broker-J] Of a queue that exists only these flags are compared."""
    # [Qpid's tests] The owner of an exclusive queue need not say so again.
    if method.exclusive and spec.exclusive is Exclusive.NONE:
        raise ReplyError(RESOURCE_LOCKED, f"queue {spec.name!r} exists, and is not exclusive")
    differs = spec.lifetime is Lifetime.PERMANENT
    if not method.auto_delete:
        differs = spec.lifetime not in (Lifetime.PERMANENT, Lifetime.CONNECTION_CLOSE)
    if differs:
        raise ReplyError(
            RESOURCE_LOCKED,
            f"queue {spec.name!r} exists with lifetime {spec.lifetime.value!r}, "
            f"not auto-delete {method.auto_delete}",
        )


_METHODS: Final[dict[type, Callable[[Declarations, Any, i64], Method]]] = {
    commands.Queue.Declare: Declarations.declare_queue,
    commands.Queue.Bind: Declarations.bind_queue,
    commands.Queue.Unbind: Declarations.unbind_queue,
    commands.Queue.Purge: Declarations.purge_queue,
    commands.Queue.Delete: Declarations.delete_queue,
    commands.Exchange.Declare: Declarations.declare_exchange,
    commands.Exchange.Delete: Declarations.delete_exchange,
    commands.Exchange.Bind: Declarations.bind_exchange,
    commands.Exchange.Unbind: Declarations.unbind_exchange,
}


def known_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a queue's declaration that some dialect has."""
    return {name: value for name, value in arguments.items() if knows_argument(name)}
