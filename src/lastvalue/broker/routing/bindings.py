"""Bindings: the rules that connect an exchange with a queue or another exchange."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.rights.owner import Owner
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import FieldValue, Message, MessageFilter, selects
from lastvalue.selectors import parse_selector

SELECTOR_ARGUMENT: Final = "x-filter-jms-selector"
NO_LOCAL_ARGUMENT: Final = "x-qpid-no-local"
MATCH_ARGUMENT: Final = "x-match"
_ALL: Final = ("all", "all-with-x")
_WITH_X: Final = ("all-with-x", "any-with-x")
_MATCHES: Final = ("all", "any", *_WITH_X)
ROUTING_TYPE: Final = "routing-type"
SCOPE_ARGUMENT: Final = "x-scope"
SESSION: Final = "session"
EXCLUSIVE_ARGUMENT: Final = "qpid.exclusive-binding"
ANYCAST: Final = "anycast"
MULTICAST: Final = "multicast"
FALSE: Final = (False, 0, "0", "false", "False")
"""The values with which a flag among arguments is not set."""

_CHARACTERS_OF_WORK: Final = 16
"""This many characters of a selector take about as long as a queue that gets a message."""

Arguments: TypeAlias = Mapping[str, Any]


@mypyc_attr(native_class=False)
class BindingError(BrokerError):
    """The arguments of a binding are not valid for the exchange."""

    condition = Condition.INVALID_FIELD


@final
class Conditions:
    """The conditions of a headers exchange: a property is present, or has a value.

    Attributes:
        every: all conditions must hold; otherwise one is enough.
        wanted: names with the values that they must have; None is that there must be one.
    """

    __slots__ = ("every", "wanted")

    def __init__(self, every: bool, wanted: list[tuple[str, FieldValue]]) -> None:
        self.every = every
        self.wanted = wanted


@final
class Binding:
    """A destination of an exchange.

    Attributes:
        destination: the name of a queue, or of an exchange if `to_exchange` is set.
        key: the routing key or pattern; addresses and fanout exchanges ignore it.
        arguments: as the client sent them.
        conditions: those of a headers exchange; None elsewhere.
        anycast: for an address only: anycast queues share its messages in turn, other queues each get a copy.
        excluded: the container whose messages do not pass it, by `x-qpid-no-local`; "" excludes none.
        work: what it takes to give its destination a message, as RoutingWork counts it.
        scope: the session with which it is removed, by `x-scope`; 0 is none.
        creator: the user who bound it; None is the broker itself.
    """

    __slots__ = (
        "_filter",
        "anycast",
        "arguments",
        "conditions",
        "creator",
        "destination",
        "excluded",
        "key",
        "scope",
        "to_exchange",
        "work",
    )

    def __init__(
        self,
        destination: str,
        key: str,
        arguments: Arguments | None = None,
        to_exchange: bool = False,
        excluded: str = "",
    ) -> None:
        self.destination = destination
        self.to_exchange = to_exchange
        self.key = key
        self.arguments: dict[str, Any] = dict(arguments or {})
        self.conditions: Conditions | None = None
        self._filter: MessageFilter | None = _filter_of(self.arguments)
        self.anycast = _routing_type(self.arguments) == ANYCAST
        self.excluded = excluded
        self.scope: i64 = 0
        text = self.arguments.get(SELECTOR_ARGUMENT)
        self.work: i64 = 1 + (len(text) // _CHARACTERS_OF_WORK if isinstance(text, str) else 0)
        self.creator: str | None = None

    def made_by(self, owner: Owner) -> None:
        """Note the owner that binds: its container may be excluded, its session be the scope."""
        if not owner.trusted:
            self.creator = owner.principal
        if not self.excluded and self.arguments.get(NO_LOCAL_ARGUMENT, False) not in FALSE:
            self.excluded = owner.container
        # [Qpid C++] The only scope there is.
        if self.arguments.get(SCOPE_ARGUMENT) == SESSION:
            self.scope = owner.session

    @property
    def asks(self) -> bool:
        """Whether `admits` depends on the message."""
        return self.excluded != "" or self._filter is not None

    def equals(self, other: "Binding") -> bool:
        """Whether another binding of the same exchange, destination and key does the same."""
        return (
            self.arguments == other.arguments
            and self.excluded == other.excluded
            and self.scope == other.scope
        )

    def admits(self, message: Message) -> bool:
        """Whether the message passes the binding's selector and was not sent by the excluded container.

        A message whose properties cannot be read does not pass a selector.
        """
        if self.excluded and message.origin == self.excluded:
            return False
        return selects(self._filter, message)


def _filter_of(arguments: Arguments) -> MessageFilter | None:
    text = arguments.get(SELECTOR_ARGUMENT)
    if text is None or text == "":
        return None
    if not isinstance(text, str):
        raise BindingError(f"{SELECTOR_ARGUMENT} is {text!r}; expected a selector as text")
    return parse_selector(text)


def _routing_type(arguments: Arguments) -> str:
    given = arguments.get(ROUTING_TYPE)
    kind = MULTICAST if given is None else str(given).lower()
    if kind not in (ANYCAST, MULTICAST):
        raise BindingError(f"{ROUTING_TYPE} is {given!r}; expected {ANYCAST} or {MULTICAST}")
    return kind


def conditions_of(arguments: Arguments) -> Conditions:
    """The conditions in a headers exchange's binding arguments.

    Names that begin with `x-` are ignored, unless the argument x-match ends with `-with-x` [RabbitMQ].
    A value of None means that the property must be present.

    Raises:
        BindingError: x-match is neither all nor any, or a value has a type that headers cannot have.
    """
    how = arguments.get(MATCH_ARGUMENT)
    if how not in _MATCHES:
        raise BindingError(f"{MATCH_ARGUMENT} is {how!r}; a binding to a headers exchange needs all or any")
    ignored = (MATCH_ARGUMENT,) if how in _WITH_X else ("x-", "X-")
    for name, value in arguments.items():
        if value is not None and not isinstance(value, bool | int | float | str | bytes):
            raise BindingError(f"{name!r} is {value!r}; expected a number, text, bytes, a flag or nothing")
    wanted = [
        (name, value)
        for name, value in arguments.items()
        if not name.startswith(ignored) and name not in (ROUTING_TYPE, EXCLUSIVE_ARGUMENT)
    ]
    return Conditions(how in _ALL, wanted)
