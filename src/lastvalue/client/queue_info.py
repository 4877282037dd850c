"""The broker's description of a queue."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class QueueInfo:
    """A queue's declaration and counts; `published` is `depth` and all that was removed.

    Attributes:
        name: the queue's name.
        type: standard, lvq, …, as in `declare`.
        options: the options it was declared with, as `declare` takes them.
        depth: how many messages it has.
        available: how many of them are available, neither acquired nor held back.
        depth_bytes: the bytes of its messages.
        subscriptions: browsers and receivers that are attached.
        published: how many messages it has taken.
        refused: how many messages it has refused.
        overtaken: how many messages were overtaken by a newer or better one in a consumer's prefetch.
        redirect_peer: the queue that takes what is published to it; empty where it does so itself.
        stored: whether a restart keeps it: it is durable, and the broker has a store.
        removed: how many messages have left it, by reason.
        statistics: further counts of the broker, by name.
    """

    name: str
    type: str
    options: Mapping[str, object] = field(default_factory=dict)
    depth: int = 0
    available: int = 0
    depth_bytes: int = 0
    subscriptions: int = 0
    published: int = 0
    refused: int = 0
    removed: Mapping[str, int] = field(default_factory=dict)
    overtaken: int = 0
    redirect_peer: str = ""
    statistics: Mapping[str, int] = field(default_factory=dict)
    stored: bool = False

    @property
    def by_sequence(self) -> bool:
        """Whether its order is that of its sequences, so that a reader can continue after one."""
        options = self.options
        if self.type == "lvq":
            return options.get("lvq_placement", "tail") == "tail" and not options.get("priorities")
        return self.type == "standard"


def queue_info(described: object) -> QueueInfo:
    """Decode the management node's description of a queue; missing fields are empty or 0."""
    fields = described if isinstance(described, dict) else {}
    options = _mapping(fields.get("options"))
    return QueueInfo(
        name=str(fields.get("name", "")),
        type=str(options.get("type", "")),
        redirect_peer=str(fields.get("redirect_peer", "")),
        options=options,
        removed={reason: _count(number) for reason, number in _mapping(fields.get("removed")).items()},
        statistics={
            name: value for name, value in fields.items() if name not in _COUNTS and type(value) is int
        },
        stored=fields.get("stored") is True,
        **{name: _count(fields.get(name)) for name in _COUNTS},
    )


def statistic_of(queue: QueueInfo, name: str) -> int:
    """A statistic of a queue by the broker's name; 0 if the broker did not say it."""
    return int(getattr(queue, name) if name in _COUNTS else queue.statistics.get(name, 0))


@dataclass(frozen=True, slots=True)
class Sequences:
    """The bounds of the next batch of messages after a sequence.

    Attributes:
        last: the last sequence that the queue gave; 0 before the first.
        first: the sequence of the first message after the given one, or None.
        gone: the highest sequence of a message that left without a newer value in its place; 0 for none.
        end: the sequence at which a full batch ends; the last sequence if there are fewer messages.
    """

    last: int
    first: int | None
    gone: int
    end: int


def sequences(answer: object) -> Sequences:
    """Decode the response to SEQUENCES."""
    fields = answer if isinstance(answer, dict) else {}
    first = fields.get("first")
    return Sequences(
        last=_count(fields.get("last")),
        first=int(first) if isinstance(first, int) else None,
        gone=_count(fields.get("gone")),
        end=_count(fields.get("end")),
    )


@dataclass(frozen=True, slots=True)
class HistoryExtent:
    """What a queue's history has.

    Attributes:
        history: its name.
        first_ms: when the oldest record happened, milliseconds since the epoch; now if there is none.
        last_ms: when the last record happened; likewise.
        records: how many records it has.
        base: how many more it keeps of those that it has dropped, because they are in force.
        whole: whether it is known what the queue held at `first_ms`, and so at each moment since.
    """

    history: str
    first_ms: int
    last_ms: int
    records: int
    base: int
    whole: bool


def history_extent(answer: object) -> HistoryExtent | None:
    """Decode the response to EXTENT; None if the queue has no history."""
    fields = _mapping(answer)
    if not isinstance(fields.get("history"), str):
        return None
    return HistoryExtent(
        history=str(fields["history"]),
        whole=fields.get("whole") is True,
        **{name: _count(fields.get(name)) for name in ("first_ms", "last_ms", "records", "base")},
    )


_COUNTS = ("depth", "available", "depth_bytes", "subscriptions", "published", "refused", "overtaken")


def _mapping(value: object) -> dict[str, object]:
    return {str(name): item for name, item in value.items()} if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
