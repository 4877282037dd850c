"""The filter of a reader, and its priority among the consumers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from lastvalue.codec.amqp10.values import Described, Symbol, Value

SELECTOR: Final = "apache.org:selector-filter:string"
NO_LOCAL: Final = "apache.org:no-local-filter:list"
REPLAY_PERIOD: Final = "x-qpid-replay-period"
SEQUENCES: Final = "lastvalue:sequences:list"
WATCH: Final = "lastvalue:watch:map"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """What a browser asks for that watches a queue; docs/protocols/watch.md.

    Attributes:
        removals: messages that say which keys lost their values, and why.
        snapshot: a marker after the first values.
        token: of the last message that it had; it continues with what has changed since.
        keys: only these keys; prefix: only keys that begin so; glob: only keys that match, with `*` and `?`.
        rate: the most messages a second.
        interval_ms: each key at most once in this many milliseconds.
        conflate: on a queue without keys, or an exchange: the newest message for each value of this property,
            or of several with commas between them.
        policy: how the messages of a key become one, as text, such as `ohlc(price, size)`; with `interval_ms`
            by interval. The default is the newest message.
        max_keys: of how many keys the broker keeps something for this browser.
        unchanged: leave out unchanged values: `body`, or names of fields.
        dead_band: by field: how far a number may move and still count as unchanged.
        delta: bodies that are maps come as changes.
    """

    removals: bool = False
    snapshot: bool = False
    token: str | None = None
    keys: Sequence[str | int | bool | float | bytes] | None = None
    prefix: str | None = None
    glob: str | None = None
    rate: float | None = None
    interval_ms: int | None = None
    conflate: str | None = None
    policy: str | None = None
    max_keys: int | None = None
    unchanged: str | Sequence[str] | None = None
    dead_band: Mapping[str, float] | None = None
    delta: bool = False

    def value(self) -> dict[str, Value]:
        """The value of the filter."""
        asked: dict[str, Value] = {}
        for name in _WATCH_FIELDS:
            given = getattr(self, name)
            if given is None or given is False:
                continue
            if isinstance(given, Sequence) and not isinstance(given, str | bytes):
                given = list(given)
            asked[name] = dict(given) if isinstance(given, Mapping) else given
        return asked


_WATCH_FIELDS: Final = tuple(each.name for each in fields(WatchOptions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which of a queue's messages a reader gets, and its priority.

    Attributes:
        selector: a condition in the selector language of JMS; the reader gets only messages that meet it.
        replay_period_s: of the messages on the queue only those that arrived within this time; 0 is none.
        no_local: leave out messages from connections of the same container.
        after: of the messages on the queue only those with a higher sequence.
        until: only messages with this sequence or a lower one.
        since_ms: only messages that arrived then or later, milliseconds since the epoch.
        after_ms: with `after`, whatever their sequence also messages that arrived, or became due, later than
            this: a reader that comes back names the time of the last message that it had.
        priority: consumers with a higher priority are served first.
        watch: what a browser asks for that watches a queue.
    """

    selector: str | None = None
    replay_period_s: int | None = None
    no_local: bool = False
    priority: int = 0
    after: int | None = None
    until: int | None = None
    since_ms: int | None = None
    after_ms: int | None = None
    watch: WatchOptions | None = None

    def __post_init__(self) -> None:
        if self.replay_period_s is not None and self.replay_period_s < 0:
            raise ValueError(f"replay_period_s is 0 or more seconds, not {self.replay_period_s}")

    def filters(self) -> dict[str, Value]:
        """The filters of a source [1.0 §3.5.3]."""
        filters: dict[str, Value] = {}
        if self.selector is not None:
            filters["selector"] = Described(Symbol(SELECTOR), self.selector)
        if self.replay_period_s is not None:
            filters[REPLAY_PERIOD] = Described(Symbol(REPLAY_PERIOD), self.replay_period_s)
        if self.no_local:
            filters["no-local"] = Described(Symbol(NO_LOCAL), [])
        bounds = [self.after, self.until, self.since_ms]
        if self.after_ms is not None:
            bounds.append(self.after_ms)
        if any(each is not None for each in bounds):
            filters["sequences"] = Described(Symbol(SEQUENCES), bounds)
        if self.watch is not None:
            filters["watch"] = Described(Symbol(WATCH), self.watch.value())
        return filters

    def properties(self) -> dict[str, Value]:
        """The properties of a link."""
        return {"priority": self.priority} if self.priority else {}


EVERYTHING: Final = Wanted()
