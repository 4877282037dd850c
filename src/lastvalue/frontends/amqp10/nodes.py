"""The nodes that links attach to: found by their address, made on demand, or dynamic."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.addresses import Side
from lastvalue.addresses.address import Binding as AskedBinding
from lastvalue.broker.bindings import ANYCAST, MULTICAST, ROUTING_TYPE, Binding
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import ExchangeSpec, ExchangeType, exchange_from_arguments
from lastvalue.broker.nodes import Node
from lastvalue.broker.owner import Owner
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.subscriptions import anycast_queue, bind_subscription, unbind_others
from lastvalue.broker.verbs import Verb
from lastvalue.codec.amqp10.performatives import Source, Target
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.binding_filters import subscription_binding
from lastvalue.frontends.amqp10.node_request import (
    TOPIC_CAPABILITIES,
    NodeRequest,
    declared_node,
    lifetime_of,
    node_request,
    plain_arguments,
)
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import differences, spec_from_arguments, spec_to_arguments

SHARED: Final = "shared"
SHARED_SUBSCRIPTIONS: Final = "SHARED-SUBS"
"""The capability of connections whose shared subscriptions are as Qpid JMS means them."""
_GLOBAL: Final = "global"
_VOLATILE: Final = "volatile"
_COUNTER: Final = "|"
_NEVER: Final = "never"
_LINK_S_OWN: Final = ("auto-delete", "exclusive", "queue")
"""What an address may say of a subscription's queue that the link itself decides."""


@mypyc_attr(native_class=False)
class NodeError(LastvalueError):
    """A link asks for a node that this broker does not have."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


@final
class Attachment:
    """A link's node, and what is undone when the link ends.

    Attributes:
        node: what the link reads or publishes to; `owner` is whose link it is.
        address: what the peer is told.
        properties: node properties to be echoed; `filters` likewise.
        browse: the address asks that messages stay.
        private: the queue is a subscription's: whoever reads it takes, as each has a copy of its own.
        delete: the node is deleted with the link.
        subscription: a queue that a detach with `closed` deletes; "" is none.
        unbind: bindings that go with the link.
        fresh: a subscription's queue that was made for this link; it goes if the link is refused.
    """

    __slots__ = (
        "address",
        "browse",
        "delete",
        "dynamic",
        "filters",
        "fresh",
        "node",
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
        self.fresh = ""

    @property
    def lasts(self) -> bool:
        """Whether anything is undone when the link ends."""
        return self.dynamic or self.delete or bool(self.subscription or self.unbind or self.fresh)


@final
class Nodes:
    """Finds and makes the nodes that one connection's links ask for.

    Attributes:
        shares_by_client: its peer knows SHARED-SUBS: shared subscriptions are named as Qpid JMS means them.
    """

    __slots__ = ("_broker", "shares_by_client")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.shares_by_client = False

    # ------------------------------------------------------------------ targets

    def for_target(self, target: Target, owner: Owner, now: i64) -> Attachment:
        """The node that a producer's link asks for; the target has an address or is dynamic.

        Raises:
            LastvalueError: there is none, and none is to be made.
        """
        if target.dynamic:
            return self._dynamic(target.dynamic_node_properties, target.capabilities, owner)
        text = target.address or ""
        asked = node_request(text, Side.SENDER, target.capabilities, target.dynamic_node_properties)
        return self._attached(asked, owner, now, publishing=True)

    # ------------------------------------------------------------------ sources

    def for_source(self, source: Source, owner: Owner, link: str, now: i64) -> Attachment:
        """The queue that a reader's link asks for: named, dynamic, or made for it and bound to an exchange.

        Raises:
            LastvalueError: there is none, and none is to be made.
        """
        if source.dynamic:
            made = self._dynamic(source.dynamic_node_properties, source.capabilities, owner)
        else:
            text = source.address or ""
            asked = node_request(text, Side.RECEIVER, source.capabilities, source.dynamic_node_properties)
            made = self._attached(asked, owner, now, publishing=False)
            if asked.queue and made.node.exchange is not None:
                raise NodeError(Condition.NOT_FOUND, f"there is no queue named {made.node.name!r}")
            if made.node.hosted is None:
                self._subscribe(made, source, asked, owner, link, now)
            self._bind_link(made, asked.link_bindings, owner, now)
            return made
        if made.node.hosted is None:
            self._subscribe(made, source, NodeRequest(made.address, made.address), owner, link, now)
        return made

    def release(self, made: Attachment, now: i64, *, closed: bool) -> None:
        """The link has ended: undo what was to end with it, as far as it is still its owner's."""
        broker = self._broker
        for exchange, queue, key in made.unbind:
            self._try(lambda: broker.unbind(exchange, queue, key, made.owner))  # noqa: B023 - called at once
        node = made.node
        name = made.subscription if closed else ""
        if made.fresh and not name:
            unread = broker.resolve(made.fresh)
            if unread is not None and unread.hosted is not None and not unread.hosted.ownership.read:
                name = made.fresh
        if made.delete:
            if node.exchange is not None and broker.exchanges.get(node.name) is node.exchange:
                self._try(lambda: broker.delete_exchange(node.name, made.owner))
            name = name if node.hosted is None else node.hosted.queue.spec.name
        if name:
            self._try(lambda: broker.delete(name, now, made.owner))

    def _try(self, command: Callable[[], object]) -> None:
        try:
            command()
        except BrokerError:
            # It is gone, is somebody else's, or somebody's alternate: it stays as it is.
            return

    # ------------------------------------------------------------------ named nodes

    def _attached(self, asked: NodeRequest, owner: Owner, now: i64, *, publishing: bool) -> Attachment:
        node = self._found(asked, owner, now, publishing=publishing)
        if node is None:
            raise NodeError(Condition.NOT_FOUND, f"there is no queue or exchange named {asked.name!r}")
        if asked.delete:
            verb = Verb.DELETE_QUEUE if node.exchange is None else Verb.DELETE_EXCHANGE
            self._broker.authorize(owner, verb, node.name)
        made = Attachment(node, asked.text, owner)
        made.browse = asked.browse
        made.delete = asked.delete
        if asked.create:
            made.properties.update(asked.arguments)
        return made

    def _found(self, asked: NodeRequest, owner: Owner, now: i64, *, publishing: bool) -> Node | None:
        broker = self._broker
        # What looks like options may be part of a queue's name; a subject is never sought in it.
        meant = asked.text if broker.has_queue(asked.text) else asked.name
        node = broker.resolve(meant, asked.topic)
        wrong = node is not None and self._is_other(node, asked)
        if node is None or (wrong and asked.create):
            if asked.create:
                self._create(asked, owner, now, publishing=publishing)
            elif not broker.missing.create(asked.name, publishing=publishing, owner=owner):
                return None
            return broker.resolve(asked.name, asked.topic)
        if asked.assert_:
            self._assert(node, asked)
        return node

    def _is_other(self, node: Node, asked: NodeRequest) -> bool:
        """Whether the node is a queue where an exchange is meant that does not exist."""
        return asked.topic and asked.multicast is not None and node.hosted is not None

    def _authorize_creation(self, asked: NodeRequest, owner: Owner, name: str, *, publishing: bool) -> None:
        """Ask for every right that creating and using the node needs, so that a refusal leaves no trace."""
        broker = self._broker
        broker.authorize(owner, Verb.DECLARE_QUEUE, name, None, None, None)
        for each in asked.bindings:
            broker.authorize(owner, Verb.BIND, each.exchange or name, each.queue or name)
        if publishing:
            broker.authorize(owner, Verb.PUBLISH, name)
        else:
            broker.authorize(owner, Verb.BROWSE if asked.browse else Verb.CONSUME, name)

    def _create(self, asked: NodeRequest, owner: Owner, now: i64, *, publishing: bool) -> None:
        broker = self._broker
        address, qualified, queue = asked.name.partition("::")
        name = queue if qualified else asked.name.partition("/")[0]
        self._authorize_creation(asked, owner, name, publishing=publishing)
        if qualified:
            broker.authorize(owner, Verb.DECLARE_EXCHANGE, address, None)
            broker.authorize(owner, Verb.BIND, address, name)
        arguments = dict(asked.arguments)
        if asked.multicast is not None and (qualified or asked.topic):
            broker.declare_exchange(ExchangeSpec(address, ExchangeType.ADDRESS), owner)
            if not qualified:
                return
        elif asked.topic:
            if broker.exchanges.get(name) is None:
                arguments.setdefault("exchange-type", "topic")
                broker.declare_exchange(exchange_from_arguments(name, arguments), owner)
            self._bind_node(name, asked.bindings, owner, now)
            return
        elif qualified:
            broker.declare_exchange(ExchangeSpec(address, ExchangeType.ADDRESS), owner)
        if broker.resolve(name) is None:
            broker.declare(spec_from_arguments(name, arguments), owner)
        if qualified:
            routing = ANYCAST if asked.multicast is False else MULTICAST
            broker.bind(address, Binding(name, "", {ROUTING_TYPE: routing}), owner, now)
        self._bind_node(name, asked.bindings, owner, now)

    def _assert(self, node: Node, asked: NodeRequest) -> None:
        """Refuse a node that is of another kind, or declared otherwise in what the address says."""
        hosted = node.hosted
        if (asked.topic and hosted is not None) or (asked.queue and hosted is None):
            wanted = "an exchange" if asked.topic else "a queue"
            raise NodeError(Condition.PRECONDITION_FAILED, f"{node.name!r} exists and is not {wanted}")
        if hosted is None:
            exchange = node.exchange
            kind = asked.arguments.get("exchange-type")
            if exchange is not None and kind is not None and str(kind) != exchange.spec.type.value:
                text = f"exchange {node.name!r} is of type {exchange.spec.type.value!r}, not {kind!r}"
                raise NodeError(Condition.PRECONDITION_FAILED, text)
            return
        present = hosted.queue.spec
        wanted_spec = spec_from_arguments(present.name, asked.arguments)
        given, held = spec_to_arguments(wanted_spec), spec_to_arguments(present)
        if any(name != "type" and held.get(name) != value for name, value in given.items()):
            text = f"queue {present.name!r} differs: {differences(wanted_spec, present)}"
            raise NodeError(Condition.PRECONDITION_FAILED, text)

    # ------------------------------------------------------------------ bindings

    def _bind_node(self, name: str, wanted: tuple[AskedBinding, ...], owner: Owner, now: i64) -> None:
        for each in wanted:
            queue, exchange = each.queue or name, each.exchange or name
            self._bind(exchange, queue, each, owner, now)

    def _bind_link(self, made: Attachment, wanted: tuple[AskedBinding, ...], owner: Owner, now: i64) -> None:
        for each in wanted:
            hosted = made.node.hosted
            queue = each.queue or (hosted.queue.spec.name if hosted is not None else made.node.name)
            exchange = each.exchange or made.node.name
            if self._bind(exchange, queue, each, owner, now):
                made.unbind.append((exchange, queue, each.key or ""))

    def _bind(self, exchange: str, queue: str, wanted: AskedBinding, owner: Owner, now: i64) -> bool:
        arguments = plain_arguments(wanted.arguments)
        return self._broker.bind(exchange, Binding(queue, wanted.key or "", arguments), owner, now)

    # ------------------------------------------------------------------ dynamic nodes

    def _dynamic(self, properties: Any, capabilities: tuple[str, ...], owner: Owner) -> Attachment:
        broker = self._broker
        arguments, topic = declared_node(properties)
        lifetime = lifetime_of(properties)
        if topic or any(each in TOPIC_CAPABILITIES for each in capabilities):
            name = self._free("TempTopic")
            arguments.setdefault("exchange-type", "topic")
            scope = owner.link if lifetime is Lifetime.CREATING_LINK_CLOSE else owner.connection
            broker.declare_exchange(exchange_from_arguments(name, arguments), owner, scope)
        else:
            name = self._free("TempQueue")
            spec = spec_from_arguments(name, arguments)
            if "lifetime" not in arguments:
                spec = replace(spec, lifetime=lifetime)
            broker.declare(spec, owner)
        node = broker.resolve(name)
        if node is None:
            raise NodeError(Condition.INTERNAL_ERROR, f"{name!r} was made and is not there")
        made = Attachment(node, name, owner)
        made.dynamic = True
        made.properties.update(properties)
        return made

    def _free(self, prefix: str) -> str:
        name = f"{prefix}{self._broker.identify()}"
        while self._broker.resolve(name) is not None:
            name = f"{prefix}{self._broker.identify()}"
        return name

    # ------------------------------------------------------------------ subscriptions

    def _subscribe(
        self, made: Attachment, source: Source, asked: NodeRequest, owner: Owner, link: str, now: i64
    ) -> None:
        """Give the reader of an exchange or an address a queue of its own, or an address' anycast queue."""
        node = made.node
        exchange = node.exchange
        if exchange is None:
            anycast = None if asked.topic else anycast_queue(self._broker, node.name)
            if anycast is not None:
                made.node = Node(node.name, anycast)
                return
            exchange = self._broker.subscribable(node.name, owner)
        shared = SHARED in source.capabilities
        name = subscription_name(source.capabilities, owner, link, by_client=self.shares_by_client)
        spec = _subscription(name, source, asked, shared=shared)
        how = subscription_binding(node.subject, exchange.spec.type, source.filter)
        binding = Binding(name, how.key, how.arguments)
        if bind_subscription(self._broker, exchange, spec, binding, owner, now):
            made.fresh = name
        elif not shared:
            unbind_others(self._broker, exchange, binding, owner)
        made.node = Node(exchange.name, self._broker.lookup(name))
        made.private = True
        made.filters.update(how.filters)
        if spec.lifetime is Lifetime.PERMANENT:
            made.subscription = name

    def resumed(self, owner: Owner, link: str) -> Attachment:
        """The subscription that the link's name stands for.

        Raises:
            NodeError: there is none.
        """
        plain = link.partition(_COUNTER)[0]
        for container in (owner.container, ""):
            name = subscription_queue(owner.principal, container, plain)
            if self._broker.has_queue(name) and self._broker.exchanges.bindings_of(name):
                made = Attachment(Node(name, self._broker.lookup(name)), name, owner)
                made.subscription = name
                return made
        text = f"the source has no address, and there is no subscription {link!r} to resume"
        raise NodeError(Condition.INVALID_FIELD, text)


def subscription_name(capabilities: tuple[str, ...], owner: Owner, link: str, *, by_client: bool) -> str:
    """The queue of a subscription: always one of the user's own.

    One that is not shared is its client's. Of the shared ones [Qpid C++] that of every client of the user's
    that has the link's name is the same; but where a peer knows SHARED-SUBS [Qpid JMS] a client's are its
    own unless the link says `global`, what follows a bar in the link's name counts the subscription's links,
    and those that end with their readers are others than those that stay.
    """
    if SHARED not in capabilities:
        return subscription_queue(owner.principal, owner.container, link)
    if not by_client:
        return subscription_queue(owner.principal, "", link)
    name, _, counter = link.partition(_COUNTER)
    if _VOLATILE in counter:
        name += f".{_VOLATILE}"
    return subscription_queue(owner.principal, "" if _GLOBAL in capabilities else owner.container, name)


def _subscription(name: str, source: Source, asked: NodeRequest, *, shared: bool) -> QueueSpec:
    """[Qpid C++] Deleted with its last reader, `timeout` later, unless it never expires."""
    arguments = {key: value for key, value in asked.link_arguments.items() if key not in _LINK_S_OWN}
    spec = spec_from_arguments(name, plain_arguments(arguments))
    stays = source.expiry_policy == _NEVER
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
