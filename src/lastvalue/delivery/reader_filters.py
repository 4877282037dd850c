"""The filters that a reader asks for, whatever its protocol, and the queue's default filters, as terms."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.routing.bindings import FALSE, NO_LOCAL_ARGUMENT
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import Message, MessageFilter
from lastvalue.queues.filters import SELECTOR, replay_period_s
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, UNBOUNDED, Terms
from lastvalue.queues.watch_terms import WatchTerms, read_watch_terms
from lastvalue.selectors import parse_selector

PRIORITY: Final = "x-priority"
SEQUENCES: Final = "lastvalue:sequences:list"
WATCH: Final = "lastvalue:watch:map"
MAX_SEQUENCE: Final = 2**62


@final
class AllOf(MessageFilter):
    """Matches a message that all of its filters match."""

    __slots__ = ("_filters",)

    def __init__(self, filters: list[MessageFilter]) -> None:
        self._filters = filters

    def matches(self, message: Message) -> bool:
        """See MessageFilter."""
        return all(each.matches(message) for each in self._filters)

    def size_bytes(self) -> i64:
        """See MessageFilter."""
        size: i64 = 0
        for each in self._filters:
            size += each.size_bytes()
        return size


@final
class NotFrom(MessageFilter):
    """Matches a message that another container sent."""

    __slots__ = ("_container",)

    def __init__(self, container: str) -> None:
        self._container = container

    def matches(self, message: Message) -> bool:
        """See MessageFilter."""
        return message.origin != self._container


@final
class ReaderFilters:
    """Collects a reader's filters by their types; `terms` adds the queue's defaults and ends the collection.

    Args:
        container: the reader's, which a no-local filter excludes.
        now: the time, from which a replay period counts back.
    """

    __slots__ = (
        "_after",
        "_after_ms",
        "_asked_ms",
        "_container",
        "_filters",
        "_only_new",
        "_since_ms",
        "_types",
        "_until",
        "_watch",
    )

    def __init__(self, container: str, now: i64) -> None:
        self._container = container
        self._asked_ms: i64 = now
        self._filters: list[MessageFilter] = []
        self._since_ms: i64 = UNBOUNDED
        self._only_new = False
        self._after: i64 = UNBOUNDED
        self._after_ms: i64 = UNBOUNDED
        self._until: i64 = UNBOUNDED
        self._types: set[str] = set()
        self._watch: WatchTerms | None = None

    def add(self, kind: str, value: Value, bound: bool = False) -> None:
        """Add a filter; a message has to match all of them.

        With `bound` the queue's binding applies the filter if it is a selector or no-local.

        Raises:
            InvalidSelectorError, InvalidSpecError: a filter of this type cannot have this value.
        """
        self._types.add(kind)
        if bound and kind in (SELECTOR, NO_LOCAL_ARGUMENT):
            return
        if kind == SELECTOR:
            self._filters.append(parse_selector(selector_text(value)))
        elif kind == NO_LOCAL_ARGUMENT:
            if value not in FALSE:
                self._filters.append(NotFrom(self._container))
        elif kind == SEQUENCES:
            self._add_sequences(value)
        elif kind == WATCH:
            self._watch = read_watch_terms(value)
        else:
            period_s = replay_period_s(value)
            if period_s == 0:
                self._only_new = True
            self._since_ms = max(self._since_ms, self._asked_ms - 1000 * period_s)

    def _add_sequences(self, value: Value) -> None:
        """[lastvalue] Limit the sequences: after one or later than a time, up to another, since a time."""
        bounds = value if isinstance(value, list) else []
        if len(bounds) not in (3, 4) or not all(each is None or _is_sequence(each) for each in bounds):
            expected = "[after, until, since_ms, after_ms], each a number or null"
            raise InvalidSpecError(f"{SEQUENCES} is {expected}; the last may be left out")
        after, until, since_ms = [UNBOUNDED if each is None else int(each) for each in bounds[:3]]
        self._after = max(self._after, after)
        if bounds[3:] and isinstance(bounds[3], int):
            self._after_ms = int(bounds[3])
        self._until = until
        self._since_ms = max(self._since_ms, since_ms)

    def terms(self, readers: Readers, priority: Value) -> Terms:
        """The reader's terms, with those default filters of the queue whose names are not types of its own.

        Raises:
            InvalidSelectorError, InvalidSpecError: a default filter's value does not fit its type, or the
                priority is no whole number.
        """
        own = frozenset(self._types)
        for name, kind, argument in readers.filters:
            if name not in own:
                self.add(kind, argument)
        if readers.no_local and NO_LOCAL_ARGUMENT not in own:
            self.add(NO_LOCAL_ARGUMENT, True)
        rank: i64 = 0
        if isinstance(priority, int) and not isinstance(priority, bool):
            rank = max(-(2**31), min(int(priority), 2**31))
        elif priority is not None:
            raise InvalidSpecError(f"{PRIORITY} is a whole number, not {priority!r:.80}")
        match: MessageFilter | None = None
        if self._filters:
            match = self._filters[0] if len(self._filters) == 1 else AllOf(self._filters)
        elif self._since_ms < 0 and self._after < 0 and self._until < 0 and rank == 0 and not self._watch:
            return ANY
        terms = Terms(match, self._since_ms, self._only_new, rank, self._after, self._until)
        terms.after_ms = self._after_ms
        terms.watch = self._watch
        return terms


def selector_text(value: Value) -> str:
    """The text of a selector.

    Raises:
        InvalidSpecError: the value is not text.
    """
    if not isinstance(value, str):
        raise InvalidSpecError(f"a selector is text, not {value!r:.80}")
    return str(value)


def _is_sequence(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_SEQUENCE
