"""The nodes that links attach to: looked up by address, created on demand, or dynamic."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.addresses import Side
from lastvalue.addresses.address import Binding as RequestedBinding
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import ANYCAST, MULTICAST, ROUTING_TYPE, Binding
from lastvalue.broker.routing.exchange_spec import ExchangeType, created_address, exchange_from_arguments
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.subscriptions import anycast_queue, bind_subscription, subscribable
from lastvalue.codec.amqp10.performatives import Attach, Source, Target
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.binding_filters import NEVER_EXPIRES, remembered_source, subscription_binding
from lastvalue.frontends.amqp10.node_request import (
    TOPIC_CAPABILITIES,
    NodeRequest,
    declared_node,
    lifetime_of,
    node_request,
    plain_arguments,
)
from lastvalue.frontends.amqp10.reader_terms import conflating_arguments
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import contradictions, spec_from_arguments
from lastvalue.queues.subscription import Mode

SHARED: Final = "shared"
SHARED_SUBSCRIPTIONS: Final = "SHARED-SUBS"
"""The capability of connections whose shared subscriptions follow Qpid JMS."""
_GLOBAL: Final = "global"
_VOLATILE: Final = "volatile"
_COUNTER: Final = "|"
_COUNTERS: Final = re.compile(f"(?:{_GLOBAL})?-?(?:{_VOLATILE})?[0-9]*")
_OWN_ARGUMENTS: Final = ("auto-delete", "exclusive", "queue")
"""Arguments of a subscription's queue that the link decides, whatever the address says."""


@mypyc_attr(native_class=False)
class NodeError(LastvalueError):
    """A link cannot have the node that it asks for."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


@final
class Attachment:
    """A link's node, and what ends with the link.

    Attributes:
        node: what the link reads or publishes to.
        owner: of the link.
        address: of the node in the answer; `properties` and `filters` are the answer's, too.
        browse: the address asks that messages stay on the queue.
        private: the queue is a subscription's: its readers consume even where the link asks for copies.
        delete: the node is deleted with the link.
        subscription: a queue that a detach with `closed` deletes, or "".
        unbind: bindings that are removed with the link, each an exchange, a queue and a key.
        dynamic: the node was created for the link; `on_demand`: it may have been created by the link.
        fresh: a subscription's queue that is new; it is deleted if the link is refused.
    """

    __slots__ = (
        "address",
        "browse",
        "delete",
        "dynamic",
        "filters",
        "fresh",
        "node",
        "on_demand",
        "owner",
        "private",
        "properties",
        "subscription",
        "unbind",
    )

    def __init__(self, node: Node, address: str, owner: Owner) -> None:
        self.node = node
        self.owner = owner
        self.address = address
        self.properties: dict[str, Value] = {}
        self.filters: dict[str, Value] = {}
        self.browse = False
        self.private = False
        self.delete = False
        self.subscription = ""
        self.unbind: list[tuple[str, str, str]] = []
        self.dynamic = False
        self.on_demand = False
        self.fresh = ""

    @property
    def lasts(self) -> bool:
        """Whether anything ends with the link."""
        ends = self.dynamic or self.on_demand or self.delete
        return ends or bool(self.subscription or self.unbind or self.fresh)


@final
class Nodes:
    """Looks up and creates the nodes that one connection's links ask for.

    Attributes:
        shares_by_client: the peer has SHARED-SUBS: shared subscriptions are named as in Qpid JMS.
    """

    __slots__ = ("_broker", "shares_by_client")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.shares_by_client = False

    # ------------------------------------------------------------------ targets

    def for_target(self, target: Target, owner: Owner, now: i64) -> Attachment:
        """The node that a producer's link asks for; the target has an address or is dynamic.

        Raises:
            LastvalueError: the node does not exist and is not created.
        """
        if target.dynamic:
            return self._dynamic(target.dynamic_node_properties, target.capabilities, owner)
        text = target.address or ""
        request = node_request(text, Side.SENDER, target.capabilities, target.dynamic_node_properties)
        return self._attached(request, owner, now, publishing=True)

    # ------------------------------------------------------------------ sources

    def for_source(self, attach: Attach, source: Source, owner: Owner, now: i64) -> Attachment:
        """The queue that a reader's link asks for: named, dynamic, or a subscription's.

        Raises:
            LastvalueError: the node does not exist and is not created.
        """
        if source.dynamic:
            attachment = self._dynamic(source.dynamic_node_properties, source.capabilities, owner)
            request = NodeRequest(attachment.address, attachment.address)
        else:
            text = source.address or ""
            request = node_request(text, Side.RECEIVER, source.capabilities, source.dynamic_node_properties)
            attachment = self._attached(request, owner, now, publishing=False)
            if request.queue and attachment.node.exchange is not None:
                raise NodeError(Condition.NOT_FOUND, f"there is no queue named {attachment.node.name!r}")
        admission: Mapping[str, Any] = {}
        if attachment.node.hosted is None:
            admission = self._subscribe(attachment, attach, source, request, now)
        self._bind_link(attachment, request.link_bindings, admission, now)
        return attachment

    def release(self, attachment: Attachment, now: i64, *, closed: bool) -> None:
        """The link has ended: end what goes with it, as far as the owner still has the right to."""
        broker = self._broker
        for exchange, queue, key in attachment.unbind:
            self._try(partial(broker.unbind, exchange, queue, key, attachment.owner))
        node = attachment.node
        name = attachment.subscription if closed else ""
        if attachment.fresh and not name:
            unread = broker.resolve(attachment.fresh)
            if unread is not None and unread.hosted is not None and not unread.hosted.ownership.read:
                name = attachment.fresh
        if attachment.delete:
            if node.exchange is not None and broker.exchanges.get(node.name) is node.exchange:
                self._try(lambda: broker.delete_exchange(node.name, attachment.owner))
            name = name if node.hosted is None else node.hosted.queue.spec.name
        if name:
            # [JMS 2.0 §8.3.5] Nobody unsubscribes while others read.
            in_use = () if attachment.delete else (Mode.CONSUME, Mode.BROWSE)
            self._try(lambda: broker.delete(name, now, attachment.owner, in_use))

    def _try(self, command: Callable[[], object]) -> None:
        try:
            command()
        except BrokerError:
            # The node is gone, or has another owner, or is an alternate: it stays.
            return

    # ------------------------------------------------------------------ named nodes

    def _attached(self, request: NodeRequest, owner: Owner, now: i64, *, publishing: bool) -> Attachment:
        node = self._find(request, owner, now, publishing=publishing)
        if node is None:
            raise NodeError(Condition.NOT_FOUND, f"there is no queue or exchange named {request.name!r}")
        if request.delete:
            verb = Verb.DELETE_QUEUE if node.exchange is None else Verb.DELETE_EXCHANGE
            self._broker.authorize(owner, verb, node.name)
        attachment = Attachment(node, request.text, owner)
        attachment.browse = request.browse
        attachment.delete = request.delete
        attachment.on_demand = request.create
        if request.create:
            attachment.properties.update(request.arguments)
        return attachment

    def _find(self, request: NodeRequest, owner: Owner, now: i64, *, publishing: bool) -> Node | None:
        broker = self._broker
        # A queue's name may contain what looks like options, but never a subject.
        name = request.text if broker.has_queue(request.text) else request.name
        node = broker.resolve(name, request.topic)
        verb = Verb.PUBLISH if publishing else Verb.CONSUME
        broker.authorization.check_address(owner, verb, name, node)
        differs = node is not None and self._is_queue_for_exchange(node, request)
        if node is None or (differs and request.create):
            if request.create:
                self._create(request, owner, now, publishing=publishing)
            elif not broker.missing.create(request.name, publishing=publishing, owner=owner):
                return None
            return broker.resolve(request.name, request.topic)
        if request.assert_:
            self._assert(node, request)
        return node

    def _is_queue_for_exchange(self, node: Node, request: NodeRequest) -> bool:
        """Whether the node is a queue but the request is for an exchange, which does not exist."""
        return request.topic and request.multicast is not None and node.hosted is not None

    def _authorize_creation(self, request: NodeRequest, owner: Owner, name: str, *, publishing: bool) -> None:
        """Check every right that creating and using the node needs, so that a refusal leaves no trace."""
        broker = self._broker
        broker.authorize(owner, Verb.DECLARE_QUEUE, name, None, None, None)
        for each in request.bindings:
            broker.authorize(owner, Verb.BIND, each.exchange or name, each.queue or name)
        if publishing:
            broker.authorize(owner, Verb.PUBLISH, name)
        else:
            broker.authorize(owner, Verb.BROWSE if request.browse else Verb.CONSUME, name)

    def _create(self, request: NodeRequest, owner: Owner, now: i64, *, publishing: bool) -> None:
        broker = self._broker
        address, qualified, queue = request.name.partition("::")
        name = queue if qualified else request.name.partition("/")[0]
        self._authorize_creation(request, owner, name, publishing=publishing)
        if qualified:
            broker.authorize(owner, Verb.DECLARE_EXCHANGE, address, None)
            broker.authorize(owner, Verb.BIND, address, name)
        arguments = dict(request.arguments)
        if qualified or (request.topic and request.multicast is not None):
            present = broker.exchanges.get(address)
            if present is None or present.spec.type is not ExchangeType.ADDRESS:
                broker.declare_exchange(created_address(address), owner)
        elif request.topic and broker.exchanges.get(name) is None:
            arguments.setdefault("exchange-type", "topic")
            broker.declare_exchange(exchange_from_arguments(name, arguments), owner)
        if (qualified or not request.topic) and broker.resolve(name) is None:
            broker.declare(spec_from_arguments(name, arguments), owner)
        if qualified:
            routing = ANYCAST if request.multicast is False else MULTICAST
            broker.bind(address, Binding(name, "", {ROUTING_TYPE: routing}), owner, now)
        self._bind_node(name, request.bindings, owner, now)

    def _assert(self, node: Node, request: NodeRequest) -> None:
        """Refuse a node of another kind, or one that differs in an argument of the address."""
        hosted = node.hosted
        if (request.topic and hosted is not None) or (request.queue and hosted is None):
            kind_name = "an exchange" if request.topic else "a queue"
            raise NodeError(Condition.PRECONDITION_FAILED, f"{node.name!r} exists and is not {kind_name}")
        if hosted is None:
            exchange = node.exchange
            kind = request.arguments.get("exchange-type")
            if exchange is not None and kind is not None and str(kind) != exchange.spec.type.value:
                text = f"exchange {node.name!r} is of type {exchange.spec.type.value!r}, not {kind!r}"
                raise NodeError(Condition.PRECONDITION_FAILED, text)
            return
        differing = contradictions(request.arguments, hosted.queue.spec)
        if differing:
            raise NodeError(Condition.PRECONDITION_FAILED, f"queue {node.name!r} differs: {differing}")

    # ------------------------------------------------------------------ bindings

    def _bind_node(self, name: str, bindings: tuple[RequestedBinding, ...], owner: Owner, now: i64) -> None:
        for each in bindings:
            binding = Binding(each.queue or name, each.key or "", plain_arguments(each.arguments))
            self._broker.bind(each.exchange or name, binding, owner, now)

    def _bind_link(
        self,
        attachment: Attachment,
        bindings: tuple[RequestedBinding, ...],
        admission: Mapping[str, Any],
        now: i64,
    ) -> None:
        """Bind what the address says for the link; `admission` are the arguments that filter its queue."""
        hosted = attachment.node.hosted
        own = attachment.node.name if hosted is None else hosted.queue.spec.name
        for each in bindings:
            queue = each.queue or own
            exchange = each.exchange or attachment.node.name
            arguments = {**plain_arguments(each.arguments), **(admission if queue == own else {})}
            binding = Binding(queue, each.key or "", arguments)
            if self._broker.bind(exchange, binding, attachment.owner, now):
                attachment.unbind.append((exchange, queue, binding.key))

    # ------------------------------------------------------------------ dynamic nodes

    def _dynamic(self, properties: Any, capabilities: tuple[str, ...], owner: Owner) -> Attachment:
        broker = self._broker
        arguments, topic = declared_node(properties)
        lifetime = lifetime_of(properties)
        if topic or any(each in TOPIC_CAPABILITIES for each in capabilities):
            name = self._unused_name("TempTopic")
            arguments.setdefault("exchange-type", "topic")
            scope = owner.link if lifetime is Lifetime.CREATING_LINK_CLOSE else owner.connection
            broker.declare_exchange(exchange_from_arguments(name, arguments), owner, scope)
        else:
            name = self._unused_name("TempQueue")
            spec = spec_from_arguments(name, arguments)
            if "lifetime" not in arguments:
                spec = replace(spec, lifetime=lifetime)
            if "exclusive" not in arguments:
                # [JMS 2.0 §6.2.2] Only the connection that made it reads it.
                spec = replace(spec, exclusive=Exclusive.CONNECTION)
            broker.declare(spec, owner)
        node = broker.resolve(name)
        if node is None:
            raise NodeError(Condition.INTERNAL_ERROR, f"the new node {name!r} cannot be found")
        attachment = Attachment(node, name, owner)
        attachment.dynamic = True
        attachment.properties.update(properties)
        return attachment

    def _unused_name(self, prefix: str) -> str:
        name = f"{prefix}{self._broker.identify()}"
        while self._broker.resolve(name) is not None:
            name = f"{prefix}{self._broker.identify()}"
        return name

    # ------------------------------------------------------------------ subscriptions

    def _subscribe(
        self, attachment: Attachment, attach: Attach, source: Source, request: NodeRequest, now: i64
    ) -> Mapping[str, Any]:
        """Attach a reader of an exchange or an address to a subscription, or to an anycast queue.

        Returns the arguments of the subscription's binding that filter messages.
        """
        node = attachment.node
        owner = attachment.owner
        exchange = node.exchange
        if exchange is None:
            anycast = None if request.topic else anycast_queue(self._broker, node.name)
            if anycast is not None:
                attachment.node = Node(node.name, anycast)
                return {}
            exchange = subscribable(self._broker, node.name, owner)
        shared = SHARED in source.capabilities
        name = subscription_name(source.capabilities, owner, attach.name, by_client=self.shares_by_client)
        spec = _subscription(name, source, request, shared=shared)
        wanted = {**attach.properties, **source.filter}
        selected = subscription_binding(node.subject, exchange.spec.type, wanted)
        binding = Binding(name, selected.key, selected.arguments)
        if bind_subscription(self._broker, exchange, spec, binding, owner, now):
            attachment.fresh = name
        attachment.node = Node(exchange.name, self._broker.lookup(name))
        attachment.private = True
        attachment.filters.update(selected.filters)
        if spec.lifetime is Lifetime.PERMANENT:
            attachment.subscription = name
        return selected.admission

    def resumed(self, owner: Owner, link: str) -> tuple[Attachment, Source]:
        """The subscription that the link's name identifies, and the source that it was made with.

        Raises:
            NodeError: the subscription does not exist.
        """
        for container, subscription in product((owner.container, ""), (link, _shared_name(link))):
            name = subscription_queue(owner.principal, container, subscription)
            bindings = self._broker.exchanges.bindings_of(name)
            if self._broker.has_queue(name) and bindings:
                exchange, binding = bindings[0]
                hosted = self._broker.lookup(name)
                capabilities = ["topic"]
                if hosted.queue.spec.exclusive is not Exclusive.LINK:
                    capabilities.append(SHARED)
                    if not container:
                        capabilities.append(_GLOBAL)
                source = remembered_source(exchange, binding, tuple(capabilities))
                attachment = Attachment(Node(exchange.spec.name, hosted), source.address or "", owner)
                attachment.subscription = name
                attachment.private = True
                bound = subscription_binding(None, exchange.spec.type, source.filter)
                attachment.filters.update(bound.filters)
                return attachment, source
        text = f"the source has no address, and there is no subscription {link!r} to resume"
        raise NodeError(Condition.NOT_FOUND, text)


def subscription_name(capabilities: tuple[str, ...], owner: Owner, link: str, *, by_client: bool) -> str:
    """The name of a subscription's queue; all are in the user's namespace.

    A subscription that is not shared belongs to its container. [Qpid C++] A shared one belongs to all
    containers of the user. [Qpid JMS] With SHARED-SUBS it belongs to its container unless the link has the
    capability `global`.
    """
    if SHARED not in capabilities:
        return subscription_queue(owner.principal, owner.container, link)
    container = owner.container if by_client and _GLOBAL not in capabilities else ""
    return subscription_queue(owner.principal, container, _shared_name(link))


def _shared_name(link: str) -> str:
    """[Qpid JMS] The name that the links of a shared subscription have in common.

    What follows the last bar counts them, as in `name|2` or `name|global-volatile1`; a volatile subscription
    has a name of its own. Broker-J and Artemis read it so without SHARED-SUBS, too.
    """
    name, _, counter = link.rpartition(_COUNTER)
    if not name or _COUNTERS.fullmatch(counter) is None:
        return link
    return f"{name}.{_VOLATILE}" if _VOLATILE in counter else name


def _subscription(name: str, source: Source, request: NodeRequest, *, shared: bool) -> QueueSpec:
    """[Qpid C++] A queue that is deleted `timeout` after its last reader, unless it never expires."""
    arguments = {key: value for key, value in request.link_arguments.items() if key not in _OWN_ARGUMENTS}
    arguments = conflating_arguments(source) | arguments
    spec = spec_from_arguments(name, plain_arguments(arguments))
    stays = source.expiry_policy == NEVER_EXPIRES
    exclusive = spec.exclusive
    if exclusive is Exclusive.NONE and not shared:
        exclusive = Exclusive.LINK
    return replace(
        spec,
        durable=stays and source.durable != 0,
        exclusive=exclusive,
        lifetime=Lifetime.PERMANENT if stays else Lifetime.NO_OUTBOUND_LINKS,
        auto_delete_delay_ms=spec.auto_delete_delay_ms or source.timeout * 1000,
    )
