"""An address: which node, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from lastvalue.addresses.parts import Value


class Side(Enum):
    """Which end of a link is opened."""

    SENDER = "sender"
    RECEIVER = "receiver"


class Policy(Enum):
    """Whether something is done for the end that is opened."""

    NEVER = "never"
    SENDER = "sender"
    RECEIVER = "receiver"
    ALWAYS = "always"

    def covers(self, side: Side) -> bool:
        """Whether it is done when that end is opened."""
        return self is Policy.ALWAYS or self.value == side.value


class Mode(Enum):
    """What a receiver does with the messages."""

    CONSUME = "consume"
    BROWSE = "browse"


class NodeType(Enum):
    """What kind of node a name stands for."""

    QUEUE = "queue"
    TOPIC = "topic"


class Reliability(Enum):
    """How sure the delivery over a link is."""

    UNRELIABLE = "unreliable"
    AT_MOST_ONCE = "at-most-once"
    AT_LEAST_ONCE = "at-least-once"
    EXACTLY_ONCE = "exactly-once"


@dataclass(frozen=True, slots=True)
class Binding:
    """An element of x-bindings; what is left out is the node of the address."""

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
    """What the node is, or is to be when it is created; None and empty where the address does not say."""

    type: NodeType | None = None
    durable: bool | None = None
    x_declare: Mapping[str, Value] = field(default_factory=dict)
    x_bindings: tuple[Binding, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOptions:
    """What the link is; None and empty where the address does not say. `timeout` is in seconds."""

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
    """What an address says behind its `;`. `mode` is None where it says none, which means consume."""

    create: Policy = Policy.NEVER
    assert_: Policy = Policy.NEVER
    delete: Policy = Policy.NEVER
    mode: Mode | None = None
    node: NodeOptions = NodeOptions()
    link: LinkOptions = LinkOptions()


@dataclass(frozen=True, slots=True)
class Address:
    """A node's name, the subject of what is sent to it or read from it, and options."""

    name: str
    subject: str | None = None
    options: AddressOptions = AddressOptions()

    @property
    def is_temporary(self) -> bool:
        """The name begins with #: each use makes a node of its own, which ends with the use."""
        return self.name.startswith("#")

    @property
    def browses(self) -> bool:
        """A receiver leaves the messages where they are."""
        return self.options.mode is Mode.BROWSE
