"""What a reader's link asks of its messages: its source's filters and properties as terms."""

from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.routing.bindings import NO_LOCAL_ARGUMENT
from lastvalue.codec.amqp10.performatives import Attach, Source
from lastvalue.codec.amqp10.values import Described, Value
from lastvalue.delivery.reader_filters import PRIORITY, SEQUENCES, WATCH, ReaderFilters
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import Terms
from lastvalue.queues.watch_terms import read_watch_terms

SELECTOR_SYMBOL: Final = "apache.org:selector-filter:string"
NO_LOCAL_SYMBOL: Final = "apache.org:no-local-filter:list"

# By descriptor, the filter's type: the registered ones of AMQP 1.0, and the arguments of other protocols.
_TYPES: Final[dict[object, str]] = {
    0x0000468C00000004: SELECTOR,
    SELECTOR_SYMBOL: SELECTOR,
    "apache.org:jms-selector-filter:string": SELECTOR,
    "x-apache-selector": SELECTOR,
    SELECTOR: SELECTOR,
    0x0000468C00000003: NO_LOCAL_ARGUMENT,
    NO_LOCAL_SYMBOL: NO_LOCAL_ARGUMENT,
    "apache.org:jms-no-local-filter:list": NO_LOCAL_ARGUMENT,
    "no-local": NO_LOCAL_ARGUMENT,
    NO_LOCAL_ARGUMENT: NO_LOCAL_ARGUMENT,
    REPLAY_PERIOD: REPLAY_PERIOD,
    SEQUENCES: SEQUENCES,
    WATCH: WATCH,
}


@mypyc_attr(native_class=False)
class UnknownFilterError(LastvalueError):
    """A link asks for a filter that this broker does not have."""

    condition = Condition.NOT_IMPLEMENTED

    def __init__(self, descriptor: Value) -> None:
        super().__init__(
            f"there is no filter {descriptor!r:.80}; there are selectors ({SELECTOR_SYMBOL}), "
            f"no-local ({NO_LOCAL_SYMBOL}), {REPLAY_PERIOD}, {SEQUENCES} and {WATCH}"
        )
        self.descriptor = descriptor


def filter_of(name: str, item: Value) -> tuple[str | None, Value]:
    """The type and value of a filter or link property: by its descriptor, or by its name if it has none.

    The type is None if it is unknown.
    """
    descriptor, value = (item.descriptor, item.value) if isinstance(item, Described) else (name, item)
    if isinstance(descriptor, str):
        return _TYPES.get(str(descriptor)), value
    return (_TYPES.get(int(descriptor)) if isinstance(descriptor, int) else None), value


def reader_terms(
    source: Source, attach: Attach | None, readers: Readers, container: str, now: i64, bound: bool = False
) -> tuple[Terms, dict[str, Value]]:
    """The reader's terms, and the filters of the source that are in place.

    With `bound` the queue is a subscription's, whose binding applies selectors and no-local. Filters of
    unknown types are left out of the answer, which tells the peer that they are not in place [1.0 §3.5.3].

    Raises:
        InvalidSelectorError, InvalidSpecError: a filter of this type cannot have this value.
    """
    filters = ReaderFilters(container, now)
    echoed: dict[str, Value] = {}
    for name, item in source.filter.items():
        kind, value = filter_of(name, item)
        if kind is not None:
            echoed[name] = item
            filters.add(kind, value, bound)
    properties: Mapping[str, Value] = {} if attach is None else attach.properties
    for name, item in properties.items():
        kind, value = filter_of(name, item)
        if kind is not None:
            filters.add(kind, value, bound)
    return filters.terms(readers, _priority(properties)), echoed


def check_known(source: Source, in_place: Mapping[str, Value]) -> None:
    """[Broker-J] Refuse a source that asks for a filter which is not in place.

    Raises:
        UnknownFilterError: the source asks for such a filter.
    """
    for name, item in source.filter.items():
        if name not in in_place:
            raise UnknownFilterError(item.descriptor if isinstance(item, Described) else name)


def _priority(properties: Mapping[str, Value]) -> Value:
    """[Broker-J] The link property `priority`; higher priorities are served first."""
    own = properties.get("priority")
    return own if isinstance(own, int) and not isinstance(own, bool) else properties.get(PRIORITY)


def conflating_arguments(source: Source) -> dict[str, Value]:
    """The arguments of a subscription's queue whose reader asks that messages are conflated by a key.

    Raises:
        InvalidSpecError: the source's watch is none.
    """
    for name, item in source.filter.items():
        kind, value = filter_of(name, item)
        if kind == WATCH:
            terms = read_watch_terms(value)
            if terms.conflate:
                return {
                    "lvq_key": terms.conflate,
                    "max_messages": terms.max_keys,
                    "when_full": "drop-oldest",
                }
    return {}
