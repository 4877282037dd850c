"""What a terminus asks of its node: a name, and how the node is created, checked and deleted."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.addresses import (
    Address,
    Binding,
    Destination,
    NodeType,
    Side,
    destination_arguments,
    is_plain,
    node_arguments,
    parse_address,
    parse_destination,
)
from lastvalue.codec.amqp10.composites import composed
from lastvalue.codec.amqp10.errors import FieldError
from lastvalue.codec.amqp10.performatives import (
    DeleteOnClose,
    DeleteOnNoLinks,
    DeleteOnNoLinksOrMessages,
    DeleteOnNoMessages,
)
from lastvalue.codec.amqp10.values import Array, Value
from lastvalue.queues.spec import Lifetime

CREATE_ON_DEMAND: Final = "create-on-demand"
TOPIC_CAPABILITIES: Final = ("topic", "temporary-topic")
_LIFETIME_POLICY: Final = "lifetime-policy"
_DISTRIBUTION: Final = "supported-dist-modes"
_DISTRIBUTION_MODES: Final = ("move", "copy")
_TOPIC_ARGUMENTS: Final = ("exchange-type", "exchange_type")


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class NodeRequest:
    """What a link asks of its node.

    Attributes:
        name: of the node, followed by `/` and the subject where the address has one.
        text: the address as the peer wrote it, which is looked up first.
        topic: the name means an exchange rather than a queue.
        queue: the name means a queue rather than an exchange.
        create: create the node where it is missing; `assert_`: refuse one that differs; `delete`: delete it
            when the link closes.
        arguments: of its declaration.
        multicast: with `address::queue`, how the queue is bound; None if the address does not say it.
        bindings: created with the node; `link_bindings`: created with the link, and removed with it.
        link_arguments: of the declaration of a subscription's queue.
        browse: the reader browses, whatever the link's distribution mode is.
    """

    name: str
    text: str
    topic: bool = False
    queue: bool = False
    create: bool = False
    assert_: bool = False
    delete: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    multicast: bool | None = None
    bindings: tuple[Binding, ...] = ()
    link_bindings: tuple[Binding, ...] = ()
    link_arguments: Mapping[str, Any] = field(default_factory=dict)
    browse: bool = False


def node_request(
    text: str, side: Side, capabilities: tuple[str, ...], properties: Mapping[str, Value]
) -> NodeRequest:
    """The request that an address, the terminus' capabilities and its node properties make together.

    Raises:
        InvalidAddressError: the address is malformed.
    """
    if is_plain(text):
        asked = NodeRequest(text, text)
    elif ";" in text or "?" not in text:
        # address::queue and names with a # have the syntax of addresses, but not their meaning.
        asked = _of_address(text, side) if ";" in text or " : {" in text else NodeRequest(text, text)
    else:
        asked = _of_destination(parse_destination(text), text)
    topic = asked.topic or any(each in TOPIC_CAPABILITIES for each in capabilities)
    queue = asked.queue or "queue" in capabilities
    if CREATE_ON_DEMAND in capabilities:
        arguments, is_topic = declared_node(properties)
        topic = topic or is_topic
        if not isinstance(properties.get(_LIFETIME_POLICY), str | None):
            lifetime = lifetime_of(properties).value
            if not topic:
                arguments["lifetime"] = lifetime
        return replace(
            asked, create=True, arguments={**arguments, **asked.arguments}, topic=topic, queue=queue
        )
    return replace(asked, topic=topic, queue=queue)


def _of_address(text: str, side: Side) -> NodeRequest:
    address: Address = parse_address(text)
    options = address.options
    name = address.name if address.subject is None else f"{address.name}/{address.subject}"
    link_arguments = options.link.x_declare.get("arguments")
    return NodeRequest(
        name,
        text,
        topic=options.node.type is NodeType.TOPIC,
        queue=options.node.type is NodeType.QUEUE,
        create=options.create.covers(side),
        assert_=options.assert_.covers(side),
        delete=options.delete.covers(side),
        arguments=node_arguments(address),
        bindings=options.node.x_bindings,
        link_bindings=options.link.x_bindings,
        link_arguments=plain_arguments(options.link.x_declare)
        | (plain_arguments(link_arguments) if isinstance(link_arguments, dict) else {}),
        browse=address.browses,
    )


def _of_destination(destination: Destination, text: str) -> NodeRequest:
    routing = destination.parameters.get("routing-type")
    name = text.partition("?")[0]
    multicast = None if routing is None else routing == "MULTICAST"
    return NodeRequest(
        name,
        text,
        topic=multicast is True and destination.queue is None,
        create=bool(destination.parameters),
        arguments=dict(destination_arguments(destination)),
        multicast=multicast,
    )


# ---------------------------------------------------------------------- node properties


def declared_node(properties: Mapping[str, Value]) -> tuple[dict[str, Any], bool]:
    """The arguments that a terminus' node properties declare, and whether they declare an exchange.

    Raises:
        FieldError: the lifetime policy or the distribution modes are not of their types [1.0 §3.5.9].
    """
    arguments: dict[str, Any] = {}
    topic = False
    for key, raw in properties.items():
        name = str(key)
        value = _plain(raw)
        if name == _DISTRIBUTION:
            topic = topic or _only_copies(raw)
        elif name == _LIFETIME_POLICY:
            # [Qpid C++] A node that is created on demand may have it as a string, a dynamic one may not.
            if isinstance(value, str):
                arguments["lifetime"] = value
        elif name == "exclusive" and isinstance(value, bool):
            # [Qpid C++] An exclusive queue belongs to the connection; in Artemis it has one live consumer.
            arguments["exclusive"] = "connection" if value else "none"
        elif name == "auto-delete" and isinstance(value, bool):
            if value:
                arguments["lifetime"] = Lifetime.NO_OUTBOUND_LINKS.value
        else:
            topic = topic or name in _TOPIC_ARGUMENTS
            arguments[name] = value
    if topic and "lifetime" in arguments:
        arguments["auto_delete"] = arguments.pop("lifetime") != Lifetime.PERMANENT.value
    return arguments, topic


def _only_copies(modes: Value) -> bool:
    """Whether the node's readers get copies alone; [Qpid C++] a mode may be a string, too."""
    named = modes.items if isinstance(modes, Array) else [modes]
    if not all(isinstance(mode, str) and mode in _DISTRIBUTION_MODES for mode in named):
        fault = f"is one or more of {', '.join(_DISTRIBUTION_MODES)}, not {modes!r:.80}"
        raise FieldError("dynamic-node-properties", _DISTRIBUTION, fault)
    return bool(named) and all(mode == "copy" for mode in named)


def lifetime_of(properties: Mapping[str, Value]) -> Lifetime:
    """The lifetime of a dynamic node: as its properties say, else that of its connection.

    Raises:
        FieldError: the lifetime policy is none of the four that there are [1.0 §3.5.9].
    """
    policy = composed(properties.get(_LIFETIME_POLICY))
    if policy is None:
        return Lifetime.CONNECTION_CLOSE
    if isinstance(policy, DeleteOnClose):
        return Lifetime.CREATING_LINK_CLOSE
    if isinstance(policy, DeleteOnNoLinks):
        return Lifetime.NO_LINKS
    if isinstance(policy, (DeleteOnNoMessages, DeleteOnNoLinksOrMessages)):
        return Lifetime.NO_LINKS_OR_MESSAGES
    raise FieldError("dynamic-node-properties", _LIFETIME_POLICY, f"is a lifetime-policy, not {policy!r:.80}")


def _plain(value: Value) -> Any:
    """The Python value of an AMQP value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


def plain_arguments(values: Mapping[Any, Any]) -> dict[str, Any]:
    """Arguments as Python values, without the nested map `arguments`."""
    return {str(name): _plain(value) for name, value in values.items() if name != "arguments"}
