"""What the broker tells of a queue."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class QueueInfo:
    """A queue's declaration and counts; `published` is `depth` and all that was removed.

    Attributes:
        name: its name.
        type: standard or lvq.
        options: the options it was declared with, as `declare` takes them.
        depth: messages that it holds.
        available: those of them that nobody is working on.
        depth_bytes: the size of what it holds.
        subscriptions: browsers and receivers that are attached.
        published: messages that it has taken.
        refused: messages that it has not taken.
        overtaken: messages that a better one overtook while a consumer held them with others.
        removed: messages that have left it, by reason.
        statistics: what else the broker counts, by name.
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
    statistics: Mapping[str, int] = field(default_factory=dict)


def queue_info(described: object) -> QueueInfo:
    """The queue that the broker's management node describes; what it leaves out is empty or 0."""
    fields = described if isinstance(described, dict) else {}
    options = _mapping(fields.get("options"))
    return QueueInfo(
        name=str(fields.get("name", "")),
        type=str(options.get("type", "")),
        options=options,
        removed={reason: _count(number) for reason, number in _mapping(fields.get("removed")).items()},
        statistics={
            name: value for name, value in fields.items() if name not in _COUNTS and type(value) is int
        },
        **{name: _count(fields.get(name)) for name in _COUNTS},
    )


@dataclass(frozen=True, slots=True)
class Sequences:
    """Where the messages behind a sequence are.

    Attributes:
        last: the last sequence that the queue gave; 0 before the first.
        first: the sequence of the first message that is there behind the one asked about, or None.
        gone: the highest sequence of a message that left, unless a newer value replaced it; 0 for none.
        end: up to there are as many messages as were asked for; the last sequence where there are fewer.
    """

    last: int
    first: int | None
    gone: int
    end: int


def sequences(told: object) -> Sequences:
    """The answer to SEQUENCES."""
    fields = told if isinstance(told, dict) else {}
    first = fields.get("first")
    return Sequences(
        last=_count(fields.get("last")),
        first=int(first) if isinstance(first, int) else None,
        gone=_count(fields.get("gone")),
        end=_count(fields.get("end")),
    )


_COUNTS = ("depth", "available", "depth_bytes", "subscriptions", "published", "refused", "overtaken")


def _mapping(value: object) -> dict[str, object]:
    return {str(name): item for name, item in value.items()} if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
