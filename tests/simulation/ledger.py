"""What clients have sent and heard: a naive model of what the queues must hold."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

SENT: Final = "sent"
CONFIRMED: Final = "confirmed"
UNKNOWN: Final = "unknown"
REFUSED: Final = "refused"


@dataclass(slots=True)
class Change:
    """A change of a key, to a number or with None its deletion; its one publisher makes them in order."""

    value: int | None
    state: str = SENT


@dataclass
class Ledger:
    """All that is known of what was sent.

    Attributes:
        changes: by key, in their order.
        work: by name, what became of the sending of a message.
        sent_to: by name, the queue of a message.
        done: those that a consumer accepted or rejected.
        pairs: by transaction, what became of it.
        topics: by name, what became of a message to the topic of MQTT.
        once: those of them that were published at QoS 2.
        heard: how often its subscriber has got each.
    """

    changes: dict[str, list[Change]] = field(default_factory=dict)
    work: dict[str, str] = field(default_factory=dict)
    sent_to: dict[str, str] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    pairs: dict[str, str] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    once: set[str] = field(default_factory=set)
    heard: Counter[str] = field(default_factory=Counter)

    def send(self, names: list[str], queue: str) -> None:
        """Messages of these names are sent to a queue."""
        self.work.update(dict.fromkeys(names, SENT))
        self.sent_to.update(dict.fromkeys(names, queue))

    def change(self, key: str, *, delete: bool = False) -> Change:
        """The next change of a key."""
        changes = self.changes.setdefault(key, [])
        change = Change(None if delete else len(changes) + 1)
        changes.append(change)
        return change

    def possible(self, key: str) -> set[int | None]:
        """What the key's value can be when nothing is under way."""
        changes = self.changes.get(key, [])
        last = max((n for n, each in enumerate(changes) if each.state == CONFIRMED), default=-1)
        values: set[int | None] = {None} if last < 0 else set()
        values |= {each.value for n, each in enumerate(changes) if n >= last and each.state != REFUSED}
        return values | {each.value for each in changes if each.state == UNKNOWN}

    def is_late(self, key: str, value: int) -> bool:
        """Whether a change may come at any time, as its publisher has given up."""
        return self.changes[key][value - 1].state == UNKNOWN
