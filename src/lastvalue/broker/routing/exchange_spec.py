"""The declaration of an exchange, and its arguments in every dialect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from lastvalue.model.errors import InvalidSpecError

RESERVED_PREFIXES: Final = ("amq.", "qpid.", "activemq.notifications")


class ExchangeType(Enum):
    """Which bindings of an exchange get a message."""

    DIRECT = "direct"
    """Bindings whose key equals the routing key."""
    TOPIC = "topic"
    """Bindings whose pattern matches the routing key."""
    FANOUT = "fanout"
    """All bindings."""
    HEADERS = "headers"
    """Bindings whose conditions the message's properties meet."""
    ADDRESS = "address"
    """All multicast queues, and one of the anycast queues in turn. Its name may be a pattern of addresses."""


class Unroutable(Enum):
    """What the exchange does with a message that no queue gets."""

    DISCARD = "discard"
    REFUSE = "refuse"


@dataclass(frozen=True)
class ExchangeSpec:
    """An exchange's declaration.

    Attributes:
        alternate: the exchange or queue that gets what this one cannot route.
        unroutable: what the exchange does with a message that the alternate does not take either.
        auto_delete: the exchange is deleted with its last binding.
        initial_value: the exchange keeps its last message and sends it to each new binding that it matches.
        numbered: the exchange numbers its messages from 1, in the annotation `qpid.msg_sequence`.
        internal: [RabbitMQ] other exchanges and dead letters lead to it, and no client publishes to it.
    """

    name: str
    type: ExchangeType = ExchangeType.DIRECT
    durable: bool = False
    alternate: str | None = None
    unroutable: Unroutable = Unroutable.DISCARD
    auto_delete: bool = False
    initial_value: bool = False
    numbered: bool = False
    internal: bool = False
    description: str = ""

    def __post_init__(self) -> None:
        if len(self.name) > 255:
            raise InvalidSpecError("an exchange's name has 1 to 255 characters")
        if self.name.startswith("$"):
            raise InvalidSpecError(f"{self.name!r}: names that begin with $ are reserved for the broker")
        if self.alternate is not None and self.name == self.alternate:
            raise InvalidSpecError(f"exchange {self.name!r} cannot be its own alternate")
        if self.internal and self.type is ExchangeType.ADDRESS:
            raise InvalidSpecError(f"{self.name!r}: an address cannot be internal; clients send to addresses")


def kept_exchange(spec: ExchangeSpec, temporary: bool = False) -> ExchangeSpec:
    """The declaration as the broker keeps it: [Artemis] an address is durable; what is temporary is not.

    A durable queue would lose the messages of an address that did not survive a restart with it.
    """
    durable = not temporary and (spec.durable or spec.type is ExchangeType.ADDRESS)
    return spec if durable == spec.durable else replace(spec, durable=durable)


def created_address(name: str) -> ExchangeSpec:
    """The declaration of an address that is made because it is used: it is deleted with its last binding."""
    return ExchangeSpec(name, ExchangeType.ADDRESS, durable=True, auto_delete=True)


_Reader: TypeAlias = Callable[[str, object], object]


def exchange_from_arguments(name: str, arguments: Mapping[str, object]) -> ExchangeSpec:
    """The declaration of these arguments, in any dialect's spelling.

    Raises:
        InvalidSpecError: a name is unknown, a value has a wrong type, or two spellings of an option differ.
    """
    options: dict[str, object] = {}
    for spelling, raw in arguments.items():
        option = _SPELLINGS.get(spelling)
        if option is None:
            raise InvalidSpecError(
                f"unknown exchange option {spelling!r}; expected one of {', '.join(sorted(_READERS))}"
            )
        value = _READERS[option](spelling, raw)
        if option in options and options[option] != value:
            raise InvalidSpecError(f"{spelling!r} contradicts another argument for {option}")
        options[option] = value
    kind, unroutable = options.get("type"), options.get("unroutable")
    alternate, description = options.get("alternate"), options.get("description")
    return ExchangeSpec(
        name,
        kind if isinstance(kind, ExchangeType) else ExchangeType.DIRECT,
        durable=options.get("durable") is True,
        alternate=alternate if isinstance(alternate, str) and alternate else None,
        unroutable=unroutable if isinstance(unroutable, Unroutable) else Unroutable.DISCARD,
        auto_delete=options.get("auto_delete") is True or options.get("lifetime") is True,
        initial_value=options.get("initial_value") is True,
        numbered=options.get("numbered") is True,
        internal=options.get("internal") is True,
        description=description if isinstance(description, str) else "",
    )


def changed_exchange(present: ExchangeSpec, changes: Mapping[str, object]) -> ExchangeSpec:
    """An exchange's declaration after changes; options that they leave out stay, None gives the default.

    Raises:
        InvalidSpecError: an option is unknown, or cannot have that value.
    """
    touched = {_SPELLINGS.get(spelling, spelling) for spelling in changes}
    if "lifetime" in touched:
        touched.add("auto_delete")
    arguments: dict[str, object] = {
        name: value for name, value in exchange_to_arguments(present).items() if name not in touched
    }
    # What None is for must be known, too.
    exchange_from_arguments(present.name, {name: "" for name in changes if name not in _SPELLINGS})
    arguments |= {name: value for name, value in changes.items() if value is not None}
    return exchange_from_arguments(present.name, arguments)


def check_exchange_change(present: ExchangeSpec, wanted: ExchangeSpec) -> None:
    """Refuse a change of what an exchange has for life.

    Raises:
        InvalidSpecError: names the options.
    """
    if fixed := fixed_exchange_options(present, wanted):
        raise InvalidSpecError(
            f"{', '.join(fixed)} cannot change on exchange {present.name!r}; delete it and declare it again"
        )


def fixed_exchange_options(present: ExchangeSpec, wanted: ExchangeSpec) -> list[str]:
    """What differs and an exchange has for life: its type, and whether it is durable and internal."""
    fixed = ("type", "durable", "internal")
    return [name for name in fixed if getattr(wanted, name) != getattr(present, name)]


def exchange_differences(wanted: ExchangeSpec, present: ExchangeSpec) -> str:
    """The differences between two declarations, as `option: wanted X, has Y`; empty if there are none."""
    first, second = exchange_to_arguments(wanted), exchange_to_arguments(present)
    names = [name for name in {**second, **first} if first.get(name) != second.get(name)]
    return "; ".join(f"{name}: wanted {first.get(name)!r}, has {second.get(name)!r}" for name in names)


def knows_exchange_argument(spelling: str) -> bool:
    """Whether an argument of an exchange's declaration has this name in some dialect."""
    return spelling in _SPELLINGS


def exchange_to_arguments(spec: ExchangeSpec) -> dict[str, str | bool]:
    """The arguments of this declaration in our spelling: the type, and options other than defaults."""
    arguments: dict[str, str | bool] = {"type": spec.type.value}
    if spec.durable:
        arguments["durable"] = True
    if spec.alternate is not None:
        arguments["alternate"] = spec.alternate
    if spec.unroutable is not Unroutable.DISCARD:
        arguments["unroutable"] = spec.unroutable.value
    if spec.auto_delete:
        arguments["auto_delete"] = True
    if spec.initial_value:
        arguments["initial_value"] = True
    if spec.numbered:
        arguments["numbered"] = True
    if spec.internal:
        arguments["internal"] = True
    if spec.description:
        arguments["description"] = spec.description
    return arguments


def _read_type(spelling: str, raw: object) -> object:
    text = str(raw).lower()
    for kind in ExchangeType:
        if text == kind.value:
            return kind
    known = ", ".join(kind.value for kind in ExchangeType)
    raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected one of {known}")


def _read_unroutable(spelling: str, raw: object) -> object:
    text = str(raw).lower()
    # [Broker-J] calls it REJECT.
    text = Unroutable.REFUSE.value if text == "reject" else text
    for choice in Unroutable:
        if text == choice.value:
            return choice
    raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected discard or refuse")


def _read_flag(spelling: str, raw: object) -> object:
    flag = {"true": True, "false": False, "1": True, "0": False}.get(str(raw).lower())
    if flag is None:
        raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected true or false")
    return flag


def _read_text(spelling: str, raw: object) -> object:
    if isinstance(raw, Mapping):
        # Broker-J: {"destination": name, "attributes": {...}}
        raw = raw.get("destination")
    if raw is None:
        return ""
    if not isinstance(raw, str):
        raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected text")
    return str(raw)


def _read_lifetime(spelling: str, raw: object) -> object:
    policy = str(raw).lower().replace("_", "-")
    if policy in ("permanent", "manual"):
        return False
    if policy in ("delete-on-no-links", "delete-if-unused", "in-use"):
        return True
    raise InvalidSpecError(f"{spelling!r} is {raw!r}; an exchange is permanent or delete-on-no-links")


_READERS: Final[dict[str, _Reader]] = {
    "type": _read_type,
    "durable": _read_flag,
    "alternate": _read_text,
    "unroutable": _read_unroutable,
    "auto_delete": _read_flag,
    "initial_value": _read_flag,
    "numbered": _read_flag,
    "internal": _read_flag,
    "description": _read_text,
    "lifetime": _read_lifetime,
}

_SPELLINGS: Final[dict[str, str]] = {
    **{name: name for name in _READERS},
    "exchange-type": "type",
    "exchange_type": "type",
    "alternate-exchange": "alternate",
    "alternateExchange": "alternate",
    "alternateBinding": "alternate",
    "unroutableMessageBehaviour": "unroutable",
    "auto-delete": "auto_delete",
    "autoDelete": "auto_delete",
    "qpid.ive": "initial_value",
    "qpid.msg_sequence": "numbered",
    "lifetimePolicy": "lifetime",
}
