"""The filter of a reader, and its priority among the consumers."""

from dataclasses import dataclass
from typing import Final

from lastvalue.codec.amqp10.values import Described, Symbol, Value

SELECTOR: Final = "apache.org:selector-filter:string"
NO_LOCAL: Final = "apache.org:no-local-filter:list"
REPLAY_PERIOD: Final = "x-qpid-replay-period"
SEQUENCES: Final = "lastvalue:sequences:list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which of a queue's messages a reader gets, and its priority.

    Attributes:
        selector: a condition in the selector language of JMS; the reader gets only messages that meet it.
        replay_period_s: of the messages on the queue only those of the last so many seconds; 0 is none.
        no_local: leave out messages from connections of the same container.
        after: of the messages on the queue only those with a higher sequence.
        until: only messages with this sequence or a lower one.
        since_ms: only messages that arrived then or later, milliseconds since the epoch.
        priority: consumers with a higher priority are served first.
    """

    selector: str | None = None
    replay_period_s: int | None = None
    no_local: bool = False
    priority: int = 0
    after: int | None = None
    until: int | None = None
    since_ms: int | None = None

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
        if bounds != [None, None, None]:
            filters["sequences"] = Described(Symbol(SEQUENCES), bounds)
        return filters

    def properties(self) -> dict[str, Value]:
        """The properties of a link."""
        return {"priority": self.priority} if self.priority else {}


EVERYTHING: Final = Wanted()
