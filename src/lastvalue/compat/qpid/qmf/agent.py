"""The broker's agent: takes requests, answers them, publishes events.

Requests and answers are messages on the exchanges `qmf.default.direct` and `qmf.default.topic`, in maps and
lists; consoles of QMF v1 ask for the schema on `qpid.management`, in bytes.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import Steps
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.broker.rights.permissions import NotPermittedError
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp010.properties import Properties
from lastvalue.codec.amqp010.qmf.agent_messages import (
    BROKER_KEY,
    DIRECT,
    HEARTBEAT_S,
    TOPIC,
    AgentMessages,
    ConsoleRequest,
)
from lastvalue.codec.amqp010.qmf.broker_classes import EVENTS, SEVERITIES
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import MOST_STRUCTURE_BYTES
from lastvalue.codec.amqp10.values import Value
from lastvalue.compat.qpid.qmf.managed_object import ManagedObject
from lastvalue.compat.qpid.qmf.methods import (
    CHANGING,
    FAILED,
    FORBIDDEN,
    INVALID,
    UNKNOWN_OBJECT,
    MethodError,
    Methods,
)
from lastvalue.compat.qpid.qmf.objects import Objects
from lastvalue.compat.qpid.qmf.qmf_v1 import QmfV1
from lastvalue.compat.qpid.qmf.schema import CLASSES
from lastvalue.frontends.amqp010.broker_state import Answer, BrokerState, Management
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER

MANAGEMENT: Final = "qpid.management"
_LOCATE: Final = "console.request.agent_locate"
_AT_ONCE: Final = 10
"""Objects in one message of an answer, and in a step; a few milliseconds."""


@final
class Agent(Management):
    """The management of one broker.

    Args:
        broker_state: of the broker.
        version: of the broker.
        started_ms: when the broker started, by the time of its queues.
    """

    def __init__(self, broker_state: BrokerState, version: str, started_ms: int) -> None:
        self._broker_state = broker_state
        self._broker = broker_state.broker
        # [QMF] Consoles take an agent of this vendor and product for the broker they are connected to.
        self._messages = AgentMessages(f"apache.org:qpidd:{broker_state.instance}", started_ms)
        self.objects = Objects(broker_state, version, started_ms)
        self._methods = Methods(broker_state, self.objects)
        self._old = QmfV1(broker_state.instance, self.objects, self._methods)
        self._requests: list[tuple[ConsoleRequest, Owner]] = []
        self._waiting: list[Answer] = []
        self._events: list[tuple[str, dict[str, Any]]] = []
        self._published_ms = 0
        self._begun = False
        self._indicating = False
        broker_state.management = self

    # ------------------------------------------------------------------ Management

    def begin(self) -> None:
        """See Management."""
        self._begun = True
        for name, kind in (
            (DIRECT, ExchangeType.DIRECT),
            (TOPIC, ExchangeType.TOPIC),
            (MANAGEMENT, ExchangeType.TOPIC),
        ):
            self._broker.exchanges.provide(ExchangeSpec(name, kind))

    def takes(self, exchange: str, key: str) -> bool:
        """See Management."""
        if exchange == DIRECT:
            return key in (BROKER_KEY, self._messages.name, "0")
        if exchange == TOPIC:
            return key.startswith(_LOCATE)
        return exchange == MANAGEMENT and (key == BROKER_KEY or key.startswith(("agent.", "schema.")))

    def request(self, properties: Properties, body: bytes, owner: Owner) -> None:
        """See Management."""
        self._requests.append((ConsoleRequest(properties, body), owner))

    def tell(self, event: str, values: dict[str, Any]) -> None:
        """See Management."""
        if self._begun and self._broker.exchanges.find(TOPIC).bindings:
            self._events.append((event, values))

    def answer(self, connection: i64, now: i64) -> list[Answer]:
        """See Management."""
        requests = self._requests
        if not requests:
            return []
        self._requests = [each for each in requests if each[1].connection != connection]
        for request, owner in requests:
            if owner.connection == connection and request.reply_exchange is not None:
                self._answer(request, owner, now)
        waiting = self._waiting
        self._waiting = []
        return waiting

    def send(self, answer: Answer, now: i64) -> None:
        """See Management."""
        exchange = self._broker.exchanges.get(answer.exchange)
        if exchange is None:
            # Without the exchange nobody can receive the answer.
            return
        try:
            target = self._broker.target(
                Node(answer.exchange, None, exchange), answer.owner, answer.exchange or answer.key
            )
        except NotPermittedError:
            # A request is no way to write where its sender may not; the refusal is in the audit log.
            return
        try:
            self._broker.route(target, answer.key, read_message(answer.payload), now)
        except LastvalueError:
            # A queue that cannot hold the answer misses it; what is answered in steps continues.
            pass
        finally:
            self._broker.release(target)

    def publish(self, now: int) -> bool:
        """Publish the events that were reported."""
        events = self._events
        self._events = []
        for name, values in events:
            self._publish(name, values, now)
        return bool(events)

    def next_deadline(self) -> i64:
        """See Management."""
        if not self._listened("agent.ind.heartbeat", "agent.ind.data"):
            return NEVER
        return self._published_ms + 1000 * HEARTBEAT_S

    def advance(self, wire_now: i64, now: i64) -> bool:
        """See Management: a heartbeat, and every object where somebody listens for objects."""
        if wire_now < self.next_deadline():
            return False
        self._published_ms = int(wire_now)
        key = self._messages.key("heartbeat")
        headers = {"qmf.opcode": "_agent_heartbeat_indication"}
        for _, listening in self._listeners(key):
            self._indicate(key, headers, self._messages.presence(int(now)), listening, now)
        self._indicate_objects(now)
        return True

    def _listened(self, *prefixes: str) -> bool:
        bindings = self._broker.exchanges.find(TOPIC).bindings.values()
        return any(each.key.startswith((*prefixes, "#", "agent.#")) for each in bindings)

    def _indicate_objects(self, now: i64) -> None:
        """[QMF] Who listens for objects is sent them unasked, in steps; not again before that is over."""
        if self._listened("agent.ind.data") and not self._indicating:
            self._indicating = True
            self._broker.long_commands.begin(Steps(self._indications(now), 0, _AT_ONCE), now)

    def _indications(self, now: i64) -> Iterator[None]:
        headers = {"qmf.opcode": "_data_indication", "qmf.content": "_data"}
        for kind, objects in groupby(self.objects.every(BROKER, now), lambda each: each.kind.name):
            key = self._messages.package_key("data", kind)
            page: list[ManagedObject] = []
            for each in objects:
                page.append(each)
                if len(page) == _AT_ONCE:
                    self._indicate_page(key, headers, page, now)
                    page = []
                yield
            self._indicate_page(key, headers, page, now)
        self._indicating = False

    def _indicate_page(
        self, key: str, headers: Mapping[str, Value], page: list[ManagedObject], now: i64
    ) -> None:
        for listener, listening in self._listeners(key):
            visible = [each for each in page if each.is_visible(self._broker.authorization, listener)]
            if visible:
                self._indicate(key, headers, [self._shown(each, now) for each in visible], listening, now)

    # ------------------------------------------------------------------ requests

    def _answer(self, request: ConsoleRequest, owner: Owner, now: i64) -> None:
        if len(request.body) > MOST_STRUCTURE_BYTES:
            text = f"a request has {len(request.body)} bytes; at most {MOST_STRUCTURE_BYTES} are decoded"
            self._refuse(request, owner, INVALID, text, now)
            return
        if request.is_v1:
            steps = self._old_answers(request, owner, now)
            if request.body[3:4] == b"M":
                for _ in steps:
                    pass
            else:
                self._broker.long_commands.begin(Steps(steps, owner.connection, _AT_ONCE), now)
            return
        try:
            if request.opcode == "_method_request":
                self._call(request, request.content(), owner, now)
            elif request.opcode == "_query_request":
                self._query(request, request.content(), owner, now)
            elif request.opcode == "_agent_locate_request":
                self._locate(request, owner, now)
            else:
                raise MethodError(FAILED, f"there is no opcode {request.opcode!r}")
        except MethodError as fault:
            self._refuse(request, owner, fault.code, str(fault), now)
        except LastvalueError as fault:
            self._refuse(request, owner, _code(fault), str(fault), now)

    def _old_answers(self, request: ConsoleRequest, owner: Owner, now: i64) -> Iterator[None]:
        changing = request.body[3:4] == b"M"
        for each in self._old.answer(request.body, owner, now):
            self._reply(request, owner, each, {}, now, changing)
            yield

    def _refuse(self, request: ConsoleRequest, owner: Owner, code: int, text: str, now: i64) -> None:
        body = {"_values": {"error_code": code, "error_text": text}}
        self._reply(request, owner, body, {"qmf.opcode": "_exception"}, now)

    def _call(self, request: ConsoleRequest, body: Mapping[str, Any], owner: Owner, now: i64) -> None:
        identity, method = body.get("_object_id"), body.get("_method_name")
        if not isinstance(identity, Mapping) or not isinstance(method, str):
            raise MethodError(INVALID, "a method request has _object_id and _method_name")
        name = str(identity.get("_object_name", ""))
        target = self.objects.named(name, owner, now)
        if target is None:
            raise MethodError(UNKNOWN_OBJECT, f"No object found with ID={name}")
        arguments = body.get("_arguments")
        results = self._methods.call(
            target, method, arguments if isinstance(arguments, Mapping) else {}, owner, now
        )
        headers: dict[str, Value] = {"qmf.opcode": "_method_response"}
        self._reply(request, owner, {"_arguments": results}, headers, now, method in CHANGING)

    def _query(self, request: ConsoleRequest, body: Mapping[str, Any], owner: Owner, now: i64) -> None:
        what = body.get("_what")
        if what == "SCHEMA_ID":
            known = (each.identity() for each in (*CLASSES, *EVENTS.values()))
            self._reply_in_parts(request, owner, known, "_schema_id", now)
            return
        if what != "OBJECT":
            raise MethodError(FAILED, f"a query for {what!r} is not answered; ask for OBJECT or SCHEMA_ID")
        identity, kind = body.get("_object_id"), body.get("_schema_id")
        if isinstance(identity, Mapping):
            target = self.objects.named(str(identity.get("_object_name", "")), owner, now)
            chosen: Iterator[ManagedObject] = iter(() if target is None else (target,))
        elif isinstance(kind, Mapping):
            package = kind.get("_package_name", PACKAGE)
            chosen = (
                self.objects.of_class(str(kind.get("_class_name", "")), owner, now)
                if package == PACKAGE
                else iter(())
            )
        else:
            chosen = self.objects.every(owner, now)
        self._reply_in_parts(request, owner, (self._shown(each, now) for each in chosen), "_data", now)

    def _shown(self, managed: ManagedObject, now: i64) -> Value:
        return self._messages.object(managed.kind, managed.object_name, managed.values, int(now))

    def _locate(self, request: ConsoleRequest, owner: Owner, now: i64) -> None:
        name = self._messages.name
        headers: dict[str, Value] = {"qmf.opcode": "_agent_locate_response", "qmf.agent": name}
        self._reply(request, owner, self._messages.presence(int(now)), headers, now)
        self._indicate_objects(now)

    # ------------------------------------------------------------------ answers

    def _reply_in_parts(
        self, request: ConsoleRequest, owner: Owner, items: Iterator[Value], content: str, now: i64
    ) -> None:
        parts = self._parts(request, owner, items, content, now)
        self._broker.long_commands.begin(Steps(parts, owner.connection, _AT_ONCE), now)

    def _parts(
        self, request: ConsoleRequest, owner: Owner, items: Iterator[Value], content: str, now: i64
    ) -> Iterator[None]:
        headers: dict[str, Value] = {"qmf.opcode": "_query_response", "qmf.content": content}
        part: list[Value] = []
        for item in items:
            if len(part) == _AT_ONCE:
                self._reply(request, owner, part, {**headers, "partial": None}, now)
                part = []
            part.append(item)
            yield
        self._reply(request, owner, part, headers, now)

    def _reply(
        self,
        request: ConsoleRequest,
        owner: Owner,
        body: Value,
        headers: dict[str, Value],
        now: i64,
        waits: bool = False,
    ) -> None:
        payload = request.answer(self._messages.name, body, headers)
        answer = Answer(request.reply_exchange or "", request.reply_key, payload, owner)
        if waits:
            self._waiting.append(answer)
        else:
            self.send(answer, now)

    def _publish(self, name: str, values: dict[str, Any], now: int) -> None:
        kind = EVENTS[name]
        severity = SEVERITIES.get(name, "inform")
        event = self._messages.event(kind, values, severity, now)
        key = self._messages.package_key("event", name, severity)
        headers = {"qmf.opcode": "_data_indication", "qmf.content": "_event"}
        about = ManagedObject(kind, name, values, _nodes_of(values), values.get("user"))
        for listener, listening in self._listeners(key):
            if about.is_visible(self._broker.authorization, listener):
                self._indicate(key, headers, [event], listening, now)

    def _listeners(self, key: str) -> list[tuple[Owner, list[HostedQueue]]]:
        """The queues that get an indication of this key, by who declared them: each sees its own objects."""
        exchange = self._broker.exchanges.find(TOPIC)
        probe = read_message(encode_content(MessageContent(to=TOPIC, subject=key)))
        by_user: dict[str, tuple[Owner, list[HostedQueue]]] = {}
        for hosted in self._broker.router.destinations(exchange, key, probe):
            creator = hosted.creator
            by_user.setdefault(creator.principal, (creator, []))[1].append(hosted)
        exchange.received += 1
        return list(by_user.values())

    def _indicate(
        self, key: str, headers: Mapping[str, Value], body: Value, listening: list[HostedQueue], now: i64
    ) -> None:
        payload = self._messages.indication(key, headers, body)
        for hosted in listening:
            target = self._broker.queue_target(hosted.queue.spec.name, BROKER)
            try:
                self._broker.publish(target, read_message(payload), now)
            except LastvalueError:
                # A listener's queue that cannot hold it misses it; the others do not.
                continue


def _nodes_of(values: dict[str, Any]) -> tuple[str, ...]:
    """The queues and exchanges that an event names."""
    return tuple(str(values[each]) for each in ("qName", "exName", "altEx") if values.get(each))


def _code(fault: LastvalueError) -> int:
    if fault.condition is Condition.UNAUTHORIZED_ACCESS:
        return FORBIDDEN
    return INVALID if fault.condition in (Condition.INVALID_FIELD, Condition.DECODE_ERROR) else FAILED
