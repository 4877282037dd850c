"""Filters that readers bring, whatever the protocol: gathered by their types, they become terms."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.values import Value
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import Message, MessageFilter
from lastvalue.queues.filters import SELECTOR, replay_period_s
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, UNBOUNDED, Terms
from lastvalue.selectors import parse_selector

NO_LOCAL: Final = "x-qpid-no-local"
PRIORITY: Final = "x-priority"
SEQUENCES: Final = "lastvalue:sequences:list"
MOST_SEQUENCE: Final = 2**62
_NO: Final = (False, 0, "0", "false", "False")


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
        self.since_ms: i64 = UNBOUNDED
        self.only_new = False
        self.after: i64 = UNBOUNDED
        self.until: i64 = UNBOUNDED
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
        after, until, since_ms = [UNBOUNDED if each is None else int(each) for each in bounds]
        self.after = max(self.after, after)
        self.until = until
        self.since_ms = max(self.since_ms, since_ms)

    def add_defaults(self, readers: Readers) -> None:
        """Add the queue's default filters whose names are not the types of filters that are there."""
        own = frozenset(self.types)
        for name, kind, argument in readers.filters:
            if name not in own:
                self.add(kind, argument)
        if readers.no_local and NO_LOCAL not in own:
            self.add(NO_LOCAL, True)

    def terms(self, priority: i64) -> Terms:
        """The terms that these filters are."""
        wanted: MessageFilter | None = None
        if self.filters:
            wanted = self.filters[0] if len(self.filters) == 1 else AllOf(self.filters)
        elif self.since_ms < 0 and self.after < 0 and self.until < 0 and priority == 0:
            return ANY
        return Terms(wanted, self.since_ms, self.only_new, priority, self.after, self.until)


def priority_of(value: Value) -> i64:
    """The priority that a value says: a number, or none, which is 0."""
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-(2**31), min(int(value), 2**31))
    return 0


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SEQUENCE
