"""What a reader's link asks of the messages it is given: the one place where a source becomes terms."""

from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.performatives import Attach, Source
from lastvalue.codec.amqp10.values import Described, Value
from lastvalue.frontends.reader_filters import NO_LOCAL, PRIORITY, SEQUENCES, ReaderFilters, priority_of
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import Terms

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
    gathered.add_defaults(readers)
    return gathered.terms(_priority(properties)), echoed


def check_known(source: Source, in_place: Mapping[str, Value]) -> None:
    """[Broker-J] Refuse a source that asks for a filter which is not in place.

    Raises:
        UnknownFilterError: it does.
    """
    for name, given in source.filter.items():
        if name not in in_place:
            raise UnknownFilterError(given.descriptor if isinstance(given, Described) else name)


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
            return priority_of(value)
    return 0
