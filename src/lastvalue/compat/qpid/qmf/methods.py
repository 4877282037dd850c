"""What consoles may have done: the methods of the objects."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.message_walk import Choice
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.message_requests import delete_messages, move_messages, reroute_messages
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import UInt, Value
from lastvalue.compat.qpid.qmf.managed_object import ManagedObject
from lastvalue.compat.qpid.qmf.objects import Objects
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.declarations import exchange_spec, queue_spec
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message, PropertyName
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import ALL_MODES, UNBOUNDED

UNKNOWN_OBJECT: Final = 1
UNKNOWN_METHOD: Final = 2
NOT_IMPLEMENTED: Final = 3
INVALID: Final = 4
FORBIDDEN: Final = 6
FAILED: Final = 7

CHANGING: Final = frozenset(("create", "delete", "purge", "queueMoveMessages", "queueRedirect", "reroute"))
"""What these do is to be safe before they are answered."""

Arguments = Mapping[str, Any]
Results = dict[str, Value]

_TRACE: Final = "x-qpid.trace"
_SUBJECT: Final = PropertyName("properties.subject")
_LEVELS: Final = {
    "trace": "debug", "debug": "debug", "info": "info", "notice": "info", "warning": "warning",
    "error": "error", "critical": "error",
}  # fmt: skip


class MethodError(Exception):
    """A method is refused, with a code of QMF's."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


_MOST: Final = 2**32 - 1
"""Of a number: QMF's schema has them with 32 bits."""


class Methods:
    """Carries methods out."""

    def __init__(self, broker_state: BrokerState, objects: Objects) -> None:
        self._broker_state = broker_state
        self._broker = broker_state.broker
        self._objects = objects
        self._log_level = "notice+"
        self._of_broker: dict[str, Callable[[Arguments, Owner, i64], Results]] = {
            "echo": self._echo,
            "create": self._create,
            "delete": self._delete,
            "query": self._query,
            "queueMoveMessages": self._move,
            "queueRedirect": self._redirect,
            "getLogLevel": self._tell_log_level,
            "setLogLevel": self._set_log_level,
            "getTimestampConfig": self._tell_stamps,
            "setTimestampConfig": self._set_stamps,
        }
        self._of_queue: dict[str, Callable[[str, Arguments, Owner, i64], Results]] = {
            "purge": self._purge,
            "reroute": self._reroute,
        }

    def call(self, target: ManagedObject, name: str, arguments: Arguments, owner: Owner, now: i64) -> Results:
        """Carry a method of an object out; what it tells back.

        Raises:
            MethodError, LastvalueError: it is refused.
        """
        if all(method.name != name for method in target.kind.methods):
            raise MethodError(UNKNOWN_METHOD, f"{target.kind.name} has no method {name!r}")
        if target.kind.name == "broker" and name in self._of_broker:
            return self._of_broker[name](arguments, owner, now)
        if target.kind.name == "queue" and name in self._of_queue:
            return self._of_queue[name](target.name, arguments, owner, now)
        if target.kind.name == "connection" and name == "close":
            return self._close(target.name, owner)
        raise MethodError(NOT_IMPLEMENTED, f"{name} is not carried out here")

    # ------------------------------------------------------------------ the broker

    def _echo(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        del owner, now
        return {"sequence": UInt(_count(arguments, "sequence")), "body": str(arguments.get("body", ""))}

    def _tell_log_level(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        del arguments, owner, now
        return {"level": self._log_level}

    def _set_log_level(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        """The level of the text, as in `debug+:Broker`; what it is for is not looked at."""
        del now
        self._broker.authorize(owner, Verb.CHANGE_LOGGING)
        text = str(arguments.get("level", ""))
        name = text.partition(":")[0].rstrip("+-").lower()
        if name not in _LEVELS:
            raise MethodError(INVALID, f"{text!r} is no level; there are {', '.join(_LEVELS)}")
        self._log_level = text
        self._broker_state.on_log_level(_LEVELS[name])
        self._broker.authorization.note(owner, Verb.CHANGE_LOGGING, "log level", "", text)
        return {}

    def _tell_stamps(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        del arguments, owner, now
        return {"receive": self._broker_state.stamps}

    def _set_stamps(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        del now
        self._broker.authorize(owner, Verb.CHANGE_LOGGING)
        stamps = self._broker_state.stamps = arguments.get("receive") is True
        self._broker.authorization.note(owner, Verb.CHANGE_LOGGING, "arrival stamps", "", str(stamps))
        return {}

    # ------------------------------------------------------------------ nodes

    def _create(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        kind, name = str(arguments.get("type", "")), str(arguments.get("name", ""))
        properties = dict(_map(arguments, "properties"))
        if not name:
            raise MethodError(INVALID, "a name is needed")
        match kind:
            case "queue":
                self._create_queue(name, properties, owner)
            case "exchange" | "topic":
                self._create_exchange(name, properties, owner)
            case "binding":
                exchange, queue, key = _binding_parts(name)
                self._broker.bind(exchange, Binding(queue, key, properties), owner, now)
            case "QueuePolicy" | "TopicPolicy":
                made = "queue" if kind == "QueuePolicy" else "exchange"
                self._broker.missing.add(NodePolicy(name, made, properties), owner)
            case _:
                raise MethodError(INVALID, f"unknown object type: {kind}")
        return {}

    def _create_queue(self, name: str, properties: dict[str, Any], owner: Owner) -> None:
        durable, auto_delete = _flag(properties, "durable"), _flag(properties, "auto-delete")
        alternate = str(properties.pop("alternate-exchange", None) or "")
        spec = queue_spec(name, properties, alternate, durable, exclusive=False, auto_delete=auto_delete)
        self._broker.declare(spec, owner, _refuse_queue)
        self._broker_state.declared(name, properties)

    def _create_exchange(self, name: str, properties: dict[str, Any], owner: Owner) -> None:
        durable, auto_delete = _flag(properties, "durable"), _flag(properties, "auto-delete")
        kind = str(properties.pop("exchange-type", "topic"))
        alternate = str(properties.pop("alternate-exchange", None) or "")
        spec = exchange_spec(name, kind, properties, alternate, durable, auto_delete)
        self._broker.declare_exchange(spec, owner, suits=_refuse_exchange)
        self._broker_state.exchange_arguments[name] = properties

    def _delete(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        kind, name = str(arguments.get("type", "")), str(arguments.get("name", ""))
        options = _map(arguments, "options")
        match kind:
            case "queue":
                modes = ALL_MODES if options.get("if_unused") else ()
                self._broker.delete(name, now, owner, modes, bool(options.get("if_empty")))
                self._broker_state.queue_arguments.pop(name, None)
            case "exchange" | "topic":
                self._broker.delete_exchange(name, owner)
                self._broker_state.exchange_arguments.pop(name, None)
            case "binding":
                exchange, queue, key = _binding_parts(name)
                self._broker.unbind(exchange, queue, key, owner)
            case "QueuePolicy" | "TopicPolicy":
                self._broker.missing.remove(name, owner)
            case _:
                raise MethodError(INVALID, f"unknown object type: {kind}")
        return {}

    def _redirect(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        """Redirect a queue to another, or end that where the other one is not named."""
        source, target = (str(arguments.get(each) or "") for each in ("sourceQueue", "targetQueue"))
        spec = self._broker.show(source, owner).queue.spec
        if not target and spec.redirect is None:
            raise MethodError(INVALID, f"queue {source!r} is not redirected")
        self._broker.reconfigure(replace(spec, redirect=target or None), now, owner)
        return {}

    def _query(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        del now
        kind, name = str(arguments.get("type", "")), str(arguments.get("name", ""))
        if kind != "queue":
            raise MethodError(INVALID, f"unknown object type: {kind}")
        queue = self._broker.show(name, owner).queue
        grouping = queue.spec.grouping
        if grouping is None:
            return {"results": {}}
        members: dict[str, list[Entry]] = {}
        for entry in queue.entries():
            if entry.group is not None:
                members.setdefault(entry.group.name, []).append(entry)
        states: list[Value] = []
        for group, entries in members.items():
            known = entries[0].group
            number = 0 if known is None else int(known.owner)
            states.append(
                {
                    "group_id": group,
                    "msg_count": len(entries),
                    "consumer": f"{queue.spec.name}:{number}" if number else "",
                    "timestamp": 0,
                }
            )
        groups: Results = {"group_header_key": grouping.key or "", "group_state": states}
        return {"results": {"qpid.message_group_queue": groups}}

    def _close(self, name: str, owner: Owner) -> Results:
        self._broker.connections.close(name, "the connection was closed by management", owner)
        return {}

    # ------------------------------------------------------------------ messages

    def _purge(self, queue: str, arguments: Arguments, owner: Owner, now: i64) -> Results:
        delete_messages(self._broker, queue, _chosen(arguments, "request"), now, owner)
        return {}

    def _move(self, arguments: Arguments, owner: Owner, now: i64) -> Results:
        names = [str(arguments.get(each, "")) for each in ("srcQueue", "destQueue")]
        self._broker.authorize(owner, Verb.MOVE, *names)
        for name in names:
            if not self._broker.has_queue(name):
                raise MethodError(INVALID, f"there is no queue {name!r}")
        move_messages(self._broker, names[0], names[1], _chosen(arguments, "qty"), now, owner)
        return {}

    def _reroute(self, queue: str, arguments: Arguments, owner: Owner, now: i64) -> Results:
        name = str(arguments.get("exchange") or "")
        if arguments.get("useAltExchange"):
            alternate = self._broker.lookup(queue).queue.spec.alternate
            if alternate is None:
                raise MethodError(INVALID, f"queue {queue!r} has no alternate exchange")
            name = alternate
        self._broker.authorize(owner, Verb.MOVE, queue, name)
        exchange = self._broker.exchanges.get(name)
        if exchange is None:
            raise MethodError(INVALID, f"there is no exchange {name!r}")
        chosen = _chosen(arguments, "request")
        target = self._broker.target(Node(name, None, exchange), owner)
        reroute_messages(self._broker, queue, target, chosen, self._routed, now)
        return {}

    def _routed(self, target: Target, entry: Entry, now: i64) -> bool:
        """Give a message to an exchange; false where a queue behind it does not take it."""
        try:
            message = self._untraced(entry, now)
            key = message.text(_SUBJECT) or ""
            routed = self._broker.route(target, key, message, now)
        except LastvalueError:
            return False
        return routed.fault is None and not routed.full

    def _untraced(self, entry: Entry, now: i64) -> Message:
        """[Qpid C++] The message without the trace of the brokers that it came through."""
        message = entry.message
        if not message.field(_TRACE):
            return message
        header, body = header_and_body(
            message.encoded, self._broker_state, {}, entry.delivery_count, entry.expires_ms, now
        )
        properties = read_properties(header)
        headers = properties.message.map("application_headers")
        properties.message.values["application_headers"] = {**headers, _TRACE: ""}
        exchange = properties.delivery.text("exchange")
        copy = read_message(encoded_message(exchange, properties, body, self._broker_state))
        copy.wire_bytes = len(encode_struct(properties.delivery)) + len(encode_struct(properties.message))
        copy.origin = message.origin
        return copy


def _flag(properties: dict[str, Any], name: str) -> bool:
    return properties.pop(name, None) in (True, 1, "true", "True", "1")


def _count(arguments: Arguments, name: str) -> int:
    value = arguments.get(name) or 0
    if not isinstance(value, int) or not 0 <= value <= _MOST:
        raise MethodError(INVALID, f"{name} is {value!r:.80}; expected a number from 0 to {_MOST}")
    return int(value)


def _map(arguments: Arguments, name: str) -> Mapping[str, Any]:
    value = arguments.get(name) or {}
    if not isinstance(value, Mapping):
        raise MethodError(INVALID, f"{name} is {value!r:.80}; expected a map")
    return value


def _refuse_queue(present: HostedQueue) -> None:
    raise MethodError(FAILED, f"object already exists: {present.queue.spec.name}")


def _refuse_exchange(present: Exchange) -> None:
    raise MethodError(FAILED, f"object already exists: {present.name}")


def _binding_parts(name: str) -> tuple[str, str, str]:
    parts = name.split("/", 2)
    if len(parts) < 2:
        raise MethodError(INVALID, f"{name!r} names no binding; expected exchange/queue/key")
    return parts[0], parts[1], parts[2] if len(parts) > 2 else ""


def _chosen(arguments: Arguments, count: str) -> Choice:
    """The available entries that a filter names, at most this many if the number is not 0."""
    wanted = _filter(_map(arguments, "filter"))
    return Choice(lambda entry: wanted(entry.message), _count(arguments, count) or UNBOUNDED)


def _filter(terms: Mapping[str, Any]) -> Callable[[Message], bool]:
    if not terms:
        return lambda _: True
    kind, parameters = terms.get("filter_type"), _map(terms, "filter_params")
    if kind != "header_match_str":
        raise MethodError(INVALID, f"{kind!r} is no filter; there is header_match_str")
    name, value = str(parameters.get("header_key", "")), str(parameters.get("header_value", ""))

    def matches(message: Message) -> bool:
        try:
            return message.field(name) == value
        except LastvalueError:
            return False

    return matches
