"""What a reader's link asks of the messages it is given: the one place where a source becomes terms."""

from collections.abc import Mapping
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.performatives import Attach, Source
from lastvalue.codec.amqp10.values import Described, Value
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import NEVER, Message, MessageFilter
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR, replay_period_s
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, Terms
from lastvalue.selectors import parse_selector

NO_LOCAL: Final = "x-qpid-no-local"
PRIORITY: Final = "x-priority"
SEQUENCES: Final = "lastvalue:sequences:list"
_SELECTOR_SYMBOL: Final = "apache.org:selector-filter:string"
_NO_LOCAL_SYMBOL: Final = "apache.org:no-local-filter:list"

# By descriptor, the filter's type: the registered ones of AMQP 1.0, and the arguments of other protocols.
_TYPES: Final[dict[object, str]] = {
    0x0000468C00000004: SELECTOR,
    _SELECTOR_SYMBOL: SELECTOR,
    "apache.org:jms-selector-filter:string": SELECTOR,
    "x-apache-selector": SELECTOR,
    SELECTOR: SELECTOR,
    0x0000468C00000003: NO_LOCAL,
    _NO_LOCAL_SYMBOL: NO_LOCAL,
    "apache.org:jms-no-local-filter:list": NO_LOCAL,
    "no-local": NO_LOCAL,
    NO_LOCAL: NO_LOCAL,
    REPLAY_PERIOD: REPLAY_PERIOD,
    SEQUENCES: SEQUENCES,
}
MOST_SEQUENCE: Final = 2**62
_NO: Final = (False, 0, "0", "false", "False")


@mypyc_attr(native_class=False)
class UnknownFilterError(LastvalueError):
    """A link asks for a filter that there is not."""

    condition = Condition.NOT_IMPLEMENTED

    def __init__(self, descriptor: Value) -> None:
        super().__init__(
            f"there is no filter {descriptor!r:.80}; known are selectors ({_SELECTOR_SYMBOL}), "
            f"no-local ({_NO_LOCAL_SYMBOL}), {REPLAY_PERIOD} and {SEQUENCES}"
        )
        self.descriptor = descriptor


@final
class AllOf(MessageFilter):
    """Wants what every one of some filters wants."""

    __slots__ = ("_filters",)

    def __init__(self, filters: list[MessageFilter]) -> None:
        self._filters = filters

    def matches(self, message: Message) -> bool:
        """Whether all of them match."""
        for each in self._filters:  # noqa: SIM110 - a loop compiles better than all()
            if not each.matches(message):
                return False
        return True


@final
class NotFrom(MessageFilter):
    """Wants what another container sent."""

    __slots__ = ("_container",)

    def __init__(self, container: str) -> None:
        self._container = container

    def matches(self, message: Message) -> bool:
        """Whether it came from elsewhere."""
        return message.origin != self._container


@final
class ReaderFilters:
    """Filters as they are gathered, by their types."""

    __slots__ = ("_container", "_now", "after", "filters", "only_new", "since_ms", "types", "until")

    def __init__(self, container: str, now: i64) -> None:
        self._container = container
        self._now: i64 = now
        self.filters: list[MessageFilter] = []
        self.since_ms: i64 = NEVER
        self.only_new = False
        self.after: i64 = NEVER
        self.until: i64 = NEVER
        self.types: set[str] = set()

    def add(self, kind: str, value: Value) -> None:
        """One more filter; all of them must hold.

        Raises:
            InvalidSelectorError, InvalidSpecError: its value is none of its type.
        """
        self.types.add(kind)
        if kind == SELECTOR:
            if not isinstance(value, str):
                raise InvalidSpecError(f"a selector is text, not {value!r:.80}")
            self.filters.append(parse_selector(str(value)))
        elif kind == NO_LOCAL:
            if value not in _NO:
                self.filters.append(NotFrom(self._container))
        elif kind == SEQUENCES:
            self._add_sequences(value)
        else:
            period_s = replay_period_s(value)
            if period_s == 0:
                self.only_new = True
            self.since_ms = max(self.since_ms, self._now - 1000 * period_s)

    def _add_sequences(self, value: Value) -> None:
        """[lastvalue] After which sequence, up to which, and arrived since when; null is no bound."""
        bounds = value if isinstance(value, list) else []
        if len(bounds) != 3 or not all(each is None or _is_number(each) for each in bounds):
            raise InvalidSpecError(f"{SEQUENCES} is [after, until, since_ms], each a number or null")
        after, until, since_ms = [NEVER if each is None else int(each) for each in bounds]
        self.after = max(self.after, after)
        self.until = until
        self.since_ms = max(self.since_ms, since_ms)

    def terms(self, priority: i64) -> Terms:
        """The terms that these filters are."""
        wanted: MessageFilter | None = None
        if self.filters:
            wanted = self.filters[0] if len(self.filters) == 1 else AllOf(self.filters)
        elif self.since_ms < 0 and self.after < 0 and self.until < 0 and priority == 0:
            return ANY
        return Terms(wanted, self.since_ms, self.only_new, priority, self.after, self.until)


def reader_terms(
    source: Source, attach: Attach | None, readers: Readers, container: str, now: i64
) -> tuple[Terms, dict[str, Value]]:
    """The reader's terms, and the filters among the source's that they are in place for.

    A filter is known by its descriptor, or by its name where it has none; those that are not known are not
    in the answer, which is how a peer learns that they are not in place [1.0 §3.5.3]. The queue's default
    filters hold for every name that is not the type of a filter of the reader's own.

    Raises:
        InvalidSelectorError, InvalidSpecError: a filter's value is none of its type.
    """
    gathered = ReaderFilters(container, now)
    echoed: dict[str, Value] = {}
    for name, given in source.filter.items():
        descriptor, value = (given.descriptor, given.value) if isinstance(given, Described) else (name, given)
        kind = _type_of(descriptor)
        if kind is not None:
            gathered.add(kind, value)
            echoed[name] = given
    properties: Mapping[str, Value] = {} if attach is None else attach.properties
    for name, value in properties.items():
        kind = _type_of(name)
        if kind is not None:
            gathered.add(kind, value)
    own = frozenset(gathered.types)
    for name, kind, argument in readers.filters:
        if name not in own:
            gathered.add(kind, argument)
    if readers.no_local and NO_LOCAL not in own:
        gathered.add(NO_LOCAL, True)  # noqa: FBT003 - a value
    return gathered.terms(_priority(properties)), echoed


def check_known(source: Source, in_place: Mapping[str, Value]) -> None:
    """[Broker-J] Refuse a source that asks for a filter which is not in place.

    Raises:
        UnknownFilterError: it does.
    """
    for name, given in source.filter.items():
        if name not in in_place:
            raise UnknownFilterError(given.descriptor if isinstance(given, Described) else name)


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SEQUENCE


def _type_of(descriptor: object) -> str | None:
    if isinstance(descriptor, str):
        return _TYPES.get(str(descriptor))
    if isinstance(descriptor, int):
        return _TYPES.get(int(descriptor))
    return None


def _priority(properties: Mapping[str, Value]) -> i64:
    """[Broker-J] The link property `priority`; higher ones are served first."""
    for name in ("priority", PRIORITY):
        value = properties.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return max(-(2**31), min(int(value), 2**31))
    return 0
