"""The configuration: the result of reading a file or of an import."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lastvalue.addresses.name_pattern import name_matches
from lastvalue.broker.partitions import Partition, Partitions
from lastvalue.broker.routing.exchanges import DEFAULT
from lastvalue.broker.routing.exchanges import PREDECLARED as PREDECLARED_SPECS
from lastvalue.config.address_settings import AddressSettings, Wildcards
from lastvalue.config.arguments import overlaid
from lastvalue.config.pipeline_settings import PipelineDeclaration
from lastvalue.config.setting_fields import created_arguments, creation_policy, queue_arguments
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

EXCHANGE_TYPES: Final = ("direct", "topic", "fanout", "headers", "address")
UNROUTABLE: Final = ("discard", "refuse")
PREDECLARED: Final = tuple(spec.name for spec in PREDECLARED_SPECS if spec.name != DEFAULT)
"""Exchanges with a name that every broker has from the start."""


@dataclass(frozen=True, slots=True)
class ConfiguredQueue:
    """A queue.

    Attributes:
        address: the name whose settings apply to it.
        arguments: its own options.
    """

    name: str
    address: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ConfiguredExchange:
    """An exchange.

    Attributes:
        type: one of EXCHANGE_TYPES.
        alternate: the exchange or queue that gets messages that no binding matches.
        unroutable: what the exchange does with them otherwise, one of UNROUTABLE.
        auto_delete: it is deleted with its last binding.
        initial_value: it sends its last message to each new binding.
        numbered: it gives each message a number.
        internal: no client publishes to it.
    """

    name: str
    type: str
    durable: bool = False
    alternate: str | None = None
    unroutable: str = "discard"
    auto_delete: bool = False
    initial_value: bool = False
    numbered: bool = False
    internal: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class ConfiguredBinding:
    """A binding of a queue, or of an exchange, to an exchange.

    Attributes:
        arguments: texts, numbers, flags, and lists and tables of them.
        octets: arguments that are octets, in Base64.
        nulls: the names of arguments that are null.
    """

    exchange: str
    queue: str
    key: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    octets: Mapping[str, str] = field(default_factory=dict)
    nulls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddressSetting:
    """Fields of the addresses that a pattern matches."""

    match: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AutoCreate:
    """A node that is created when a missing name is used.

    Attributes:
        pattern: matches whole names; `*` stands for any text without a dot, `#` for any text.
        node: "queue" or "exchange".
        options: the options of the queue; or type, durable, alternate and unroutable of the exchange.
    """

    pattern: str
    node: str = "queue"
    on_publish: bool = False
    on_consume: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConfiguredPartition:
    """Which brokers have the queues of a pattern.

    Attributes:
        queues: the pattern; `*` stands for any text without a dot, `#` for any text.
        leaders: their addresses, each with those of its followers after commas; several divide the keys.
    """

    queues: str
    leaders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfiguredPermission:
    """What a user may do; the broker writes it to its users file.

    Attributes:
        rules: as in a users file, such as `read,browse prices.*`.
    """

    user: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfiguredTopics:
    """Topics of MQTT whose retained messages have a queue of their own.

    Attributes:
        pattern: of the topics; levels in braces stand for any, and are properties of that name.
        queue: the queue, whose key is of these properties.
    """

    pattern: str
    queue: str = ""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything in a configuration, without contradictions.

    `toml_reader.read_toml` makes one; code that makes one itself must keep the rules which that checks.

    Attributes:
        server: the server settings that it has, by the names of `server_options.SETTINGS`.
    """

    server: Mapping[str, Any] = field(default_factory=dict, repr=False)
    wildcards: Wildcards = field(default_factory=Wildcards)
    queues: tuple[ConfiguredQueue, ...] = ()
    exchanges: tuple[ConfiguredExchange, ...] = ()
    bindings: tuple[ConfiguredBinding, ...] = ()
    address_settings: tuple[AddressSetting, ...] = ()
    auto_creates: tuple[AutoCreate, ...] = ()
    partitions: tuple[ConfiguredPartition, ...] = ()
    permissions: tuple[ConfiguredPermission, ...] = ()
    mqtt_topics: tuple[ConfiguredTopics, ...] = ()
    pipeline: PipelineDeclaration = field(default_factory=PipelineDeclaration)
    settings: AddressSettings = field(init=False, repr=False, compare=False)
    """The address settings, for lookups."""

    def __post_init__(self) -> None:
        settings = AddressSettings(self.wildcards, overlaid)
        for setting in self.address_settings:
            settings.add(setting.match, setting.fields)
        object.__setattr__(self, "settings", settings)

    def spec_of(self, queue: ConfiguredQueue) -> QueueSpec:
        """A queue's declaration: its own options, over its address's settings.

        Raises:
            InvalidSpecError: the options contradict each other.
        """
        return _spec(queue.name, queue.arguments, queue_arguments(self.settings.match(queue.address)))

    def created_spec(self, name: str) -> QueueSpec:
        """The declaration of a queue that is created on the use of its name.

        Raises:
            InvalidSpecError: the settings of that name contradict each other.
        """
        return _spec(name, {}, created_arguments(self.settings.match(name)))

    def partitions_for(self, own: str) -> Partitions | None:
        """The partitions, as the broker with that address knows them; None if there are none."""
        if not self.partitions:
            return None
        return Partitions([Partition(each.queues, list(each.leaders), own) for each in self.partitions])

    def settings_for(self, address: str) -> Mapping[str, Any]:
        """The settings for a queue that is created at an address, as arguments of a declaration."""
        return _without_itself(address, created_arguments(self.settings.match(address)))

    def creation_policy(self, address: str) -> Mapping[str, Any]:
        """The settings for the creation of missing nodes at an address, under Artemis's names."""
        return creation_policy(self.settings.match(address))

    def auto_create(self, name: str, *, publishing: bool) -> AutoCreate | None:
        """The first policy for a missing name, when a client publishes to it or consumes from it."""
        for policy in self.auto_creates:
            if (policy.on_publish if publishing else policy.on_consume) and name_matches(
                policy.pattern, name
            ):
                return policy
        return None

    def creatable(self, name: str) -> bool:
        """Whether a missing node is created when a client publishes to its name."""
        return (
            self.auto_create(name, publishing=True) is not None
            or self.settings.match(name).get("auto-create-queues") is True
        )


def _spec(name: str, own: Mapping[str, Any], settings: Mapping[str, Any]) -> QueueSpec:
    arguments = {
        option: value
        for option, value in overlaid(own, _without_itself(name, settings)).items()
        # An empty name hides the one of a less specific setting.
        if option not in _NAMES or value != ""
    }
    try:
        return spec_from_arguments(name, arguments, arguments.keys() - own.keys())
    except InvalidSpecError as fault:
        if not settings:
            raise
        # The queue may be valid by itself; say that the settings are part of the fault.
        spec_from_arguments(name, own)
        raise InvalidSpecError(f"with the settings of its address: {fault}") from None


def _without_itself(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, without the queue as its own alternate: settings of `#` name it for the alternate too."""
    return {
        field: value
        for field, value in settings.items()
        if not (field in _NAMES and value == "") and not (field in _ALTERNATES and value == name)
    }


_ALTERNATES: Final = ("alternate", "expiry_alternate")
_NAMES: Final = (*_ALTERNATES, "lvq_key", "group_key", "group_first_key", "sort_key")
"""Options whose settings may be empty, which hides the name of a less specific setting."""
