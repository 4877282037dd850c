"""An address: the name of a node, a subject and options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from lastvalue.addresses.parts import Value


class Side(Enum):
    """The end of a link that is opened."""

    SENDER = "sender"
    RECEIVER = "receiver"


class Policy(Enum):
    """For which end of a link an action is done, such as creating the node."""

    NEVER = "never"
    SENDER = "sender"
    RECEIVER = "receiver"
    ALWAYS = "always"

    def covers(self, side: Side) -> bool:
        """Whether the action is done when this end is opened."""
        return self is Policy.ALWAYS or self.value == side.value


class Mode(Enum):
    """Whether a receiver removes the messages."""

    CONSUME = "consume"
    BROWSE = "browse"


class NodeType(Enum):
    """The kind of a node."""

    QUEUE = "queue"
    TOPIC = "topic"


class Reliability(Enum):
    """The delivery guarantee of a link."""

    UNRELIABLE = "unreliable"
    AT_MOST_ONCE = "at-most-once"
    AT_LEAST_ONCE = "at-least-once"
    EXACTLY_ONCE = "exactly-once"


@dataclass(frozen=True, slots=True)
class Binding:
    """An element of x-bindings; a missing exchange or queue means the node of the address."""

    exchange: str | None = None
    queue: str | None = None
    key: str | None = None
    arguments: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """An AMQP 1.0 filter of a receiver."""

    name: str
    descriptor: str | int
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeOptions:
    """What the node is, or will be if it is created; None or empty if the address does not say."""

    type: NodeType | None = None
    durable: bool | None = None
    x_declare: Mapping[str, Value] = field(default_factory=dict)
    x_bindings: tuple[Binding, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOptions:
    """What the link is; None or empty if the address does not say. `timeout` is in seconds."""

    name: str | None = None
    durable: bool | None = None
    reliability: Reliability | None = None
    x_declare: Mapping[str, Value] = field(default_factory=dict)
    x_subscribe: Mapping[str, Value] = field(default_factory=dict)
    x_bindings: tuple[Binding, ...] = ()
    selector: str | None = None
    timeout: int | float | None = None
    filter: tuple[LinkFilter, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOptions:
    """The options of an address, after its `;`. A `mode` of None means consume."""

    create: Policy = Policy.NEVER
    assert_: Policy = Policy.NEVER
    delete: Policy = Policy.NEVER
    mode: Mode | None = None
    node: NodeOptions = NodeOptions()
    link: LinkOptions = LinkOptions()


@dataclass(frozen=True, slots=True)
class Address:
    """A node's name, the subject of messages to it or from it, and options."""

    name: str
    subject: str | None = None
    options: AddressOptions = AddressOptions()

    @property
    def is_temporary(self) -> bool:
        """Whether the name begins with #: each use creates its own node, which is deleted after the use."""
        return self.name.startswith("#")

    @property
    def browses(self) -> bool:
        """Whether a receiver leaves the messages on the node."""
        return self.options.mode is Mode.BROWSE
