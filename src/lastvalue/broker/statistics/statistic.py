"""Statistics: what is counted, and where it is read.

Those of queues are declared in `model/queue_statistics.py`, which clients read, too; those of connections,
sessions and links are declared here. `$management`, QMF and the documentation read the tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypeAlias, TypeVar

from mypy_extensions import mypyc_attr

from lastvalue.broker.history.history_base import HistoryBase, base_of
from lastvalue.broker.queue_counts import QueueCounts, browser_lag, keyless, oldest_ms
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics.connections import ConnectionStatistics, LinkStatistics, SessionStatistics
from lastvalue.model.queue_statistics import OF_NAME, QUEUE_STATISTICS, QueueStatistic
from lastvalue.queues.contents import Contents
from lastvalue.queues.counts import Counts
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.subscription import Mode

_MOST_PROPERTIES: Final = 32
_MOST_TEXT: Final = 256

_Subject = TypeVar("_Subject")


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Statistic(Generic[_Subject]):
    """One thing that is counted, or known.

    Attributes:
        name: by which `$management` shows it.
        meaning: what it is, for the documentation.
        read: reads it where it is counted.
    """

    name: str
    meaning: str
    read: Callable[[_Subject], Any]


_Read: TypeAlias = tuple[str, Callable[[HostedQueue], Any]]


def describe(subject: _Subject, table: tuple[Statistic[_Subject], ...]) -> dict[str, object]:
    """The statistics of a table, by name."""
    return {each.name: each.read(subject) for each in table}


def removed(queue: Queue) -> dict[str, int]:
    """How many messages left a queue, by reason; without reasons for which none did."""
    counts = {reason.name.lower(): queue.removed(reason) for reason in Reason}
    return {reason: count for reason, count in counts.items() if count}


def _queue(name: str, read: Callable[[Queue], int]) -> _Read:
    return name, lambda hosted: read(hosted.queue)


def _contents(name: str, read: Callable[[Contents], int]) -> _Read:
    return name, lambda hosted: read(hosted.queue.contents)


def _counts(name: str, read: Callable[[Counts], int]) -> _Read:
    return name, lambda hosted: read(hosted.queue.contents.counts)


def _broker(name: str, read: Callable[[QueueCounts], int]) -> _Read:
    return name, lambda hosted: read(hosted.counts)


def _history(name: str, read: Callable[[HistoryBase], int]) -> _Read:
    def read_base(hosted: HostedQueue) -> int:
        base = base_of(hosted.queue.contents)
        return 0 if base is None else read(base)

    return name, read_base


def _readers(queue: Queue, mode: Mode) -> int:
    return sum([1 for each in queue.subscriptions.values() if each.mode is mode])


def _left(name: str, *reasons: Reason) -> _Read:
    return name, lambda hosted: sum(hosted.queue.removed(reason) for reason in reasons)


READS: Final[tuple[_Read, ...]] = (
    _queue("depth", lambda it: it.depth),
    _queue("depth_bytes", lambda it: it.depth_bytes),
    _history("base_depth", lambda it: max(0, it.count)),
    _history("base_end", lambda it: it.end),
    _history("history_records", lambda it: it.single),
    _history("history_first_ms", lambda it: it.first_ms),
    _history("history_last_ms", lambda it: it.last_ms),
    _history("history_whole", lambda it: int(it.is_whole(""))),
    _queue("available", lambda it: it.available),
    _contents("unsettled", lambda it: it.depth - it.available - it.held_back),
    _contents("delayed", lambda it: it.held_back),
    _queue("subscriptions", lambda it: len(it.subscriptions)),
    _queue("consumers", lambda it: _readers(it, Mode.CONSUME)),
    _queue("browsers", lambda it: _readers(it, Mode.BROWSE)),
    _queue("published", lambda it: it.published),
    _counts("in_bytes", lambda it: it.published_bytes),
    _queue("left", lambda it: it.published - it.depth),
    _counts("left_bytes", lambda it: it.removed_bytes),
    _counts("held_bytes", lambda it: it.published_bytes - it.removed_bytes),
    _broker("committed_in", lambda it: it.committed_in),
    _broker("committed_in_bytes", lambda it: it.committed_in_bytes),
    _broker("committed_out", lambda it: it.committed_out),
    _broker("committed_out_bytes", lambda it: it.committed_out_bytes),
    _counts("durable_in", lambda it: it.durable_published),
    _counts("durable_in_bytes", lambda it: it.durable_published_bytes),
    _counts("durable_out", lambda it: it.durable_removed),
    _counts("durable_out_bytes", lambda it: it.durable_removed_bytes),
    _counts("acquired", lambda it: it.acquired),
    _counts("released", lambda it: it.released),
    _queue("refused", lambda it: it.refused),
    _left("expired", Reason.EXPIRED),
    _left("aged", Reason.AGED),
    _broker("aged_keys", lambda it: it.aged_keys),
    _left("dropped", Reason.OVERFLOW),
    _left("conflated", Reason.REPLACED, Reason.STALE),
    _counts("incomparable", lambda it: it.incomparable),
    _left("rejected", Reason.REJECTED),
    _left("purged", Reason.PURGED),
    _broker("unchanged", lambda it: it.unchanged),
    _broker("left_out", lambda it: it.left_out),
    _broker("saved_bytes", lambda it: it.saved_bytes),
    _contents("tombstones", lambda it: 0 if it.tombstones is None else len(it.tombstones)),
    _left("key_deleted", Reason.KEY_DELETED),
    _broker("lost_letters", lambda it: it.lost_letters),
    _broker("passed_over", lambda it: it.passed_over),
    _broker("rerouted", lambda it: it.rerouted),
    _queue("overtaken", lambda it: it.overtaken),
    _queue("flow_stopped", lambda it: int(it.blocked)),
    _contents("keys", lambda it: len(it.current)),
    _counts("keys_created", lambda it: it.keys_created),
    _queue("keyless", keyless),
    _queue("browser_lag", browser_lag),
    _queue("oldest_ms", oldest_ms),
    ("redirect_peer", lambda it: "" if it.redirect is None else it.redirect.queue.spec.name),
    _broker("faults", lambda it: it.faults),
    _broker("last_in_ms", lambda it: it.last_in_ms),
    _broker("last_out_ms", lambda it: it.last_out_ms),
)
"""Where each statistic of a queue is counted."""


def read_by_name(
    declared: tuple[QueueStatistic, ...], reads: tuple[_Read, ...]
) -> tuple[Statistic[HostedQueue], ...]:
    """The statistics that are declared, in their order, with how each is read.

    Raises:
        ValueError: one is not read, or what is read is not declared.
    """
    by_name = dict(reads)
    differing = sorted({each.name for each in declared} ^ by_name.keys())
    if differing:
        raise ValueError(
            f"declare and read each of {', '.join(differing)}: "
            "in model/queue_statistics.py and broker/statistics/statistic.py"
        )
    return tuple([Statistic(each.name, each.meaning, by_name[each.name]) for each in declared])


QUEUE: Final[tuple[Statistic[HostedQueue], ...]] = read_by_name(QUEUE_STATISTICS, READS)
"""Of a queue, as `QUEUE_STATISTICS` declares them."""

CONNECTION: Final[tuple[Statistic[ConnectionStatistics], ...]] = (
    Statistic("name", "by which it is closed", lambda it: it.name),
    Statistic("protocol", "and its version", lambda it: it.protocol),
    Statistic("user", "who is connected", lambda it: it.user),
    Statistic("peer", "the address and port from which it comes", lambda it: it.peer),
    Statistic("tls", "the version of TLS that it speaks; empty without TLS", lambda it: it.tls),
    Statistic("mechanism", "by which the user was proved", lambda it: it.mechanism),
    Statistic("program", "what the peer calls itself", lambda it: it.program),
    Statistic(
        "properties",
        "what else it says of itself: the first 32 texts, numbers and truth values, of texts 256 characters",
        lambda it: _short(it.properties),
    ),
    Statistic("since_ms", "when it was made", lambda it: it.since_ms),
    Statistic("sessions", "how many it has", lambda it: len(it.sessions)),
    Statistic("received", "messages that the peer published", lambda it: it.traffic.received),
    Statistic("refused", "messages of these that were not taken", lambda it: it.traffic.refused),
    Statistic("delivered", "messages that it was sent", lambda it: it.traffic.delivered),
    Statistic("redelivered", "messages of these that had failed before", lambda it: it.traffic.redelivered),
    Statistic("bytes_in", "what was read from the peer", lambda it: it.bytes_in),
    Statistic("bytes_out", "what was written to it", lambda it: it.bytes_out),
    Statistic(
        "memory_bytes", "the memory of what the peer began and did not finish", lambda it: it.memory_bytes
    ),
    Statistic("transactions", "those with work that is not committed", lambda it: it.transactions),
    Statistic("last_ms", "when a message went either way last; 0 is never", lambda it: it.traffic.last_ms),
)
"""Of a connection, those of its links that are gone included."""

SESSION: Final[tuple[Statistic[SessionStatistics], ...]] = (
    Statistic("name", "what the peer calls it, or its channel", lambda it: it.name),
    Statistic("channel", "its number on the connection", lambda it: it.channel),
    Statistic("links", "consumers and producers", lambda it: len(it.links)),
    Statistic("unsettled", "messages that the peer has and has not settled", lambda it: it.unsettled),
)
"""Of a session, or a channel of AMQP 0-9-1."""

LINK: Final[tuple[Statistic[LinkStatistics], ...]] = (
    Statistic("name", "of the link, the subscription or the consumer", lambda it: it.name),
    Statistic("role", "consumer or producer", lambda it: it.role),
    Statistic("node", "what it reads or publishes to; empty where messages say that", lambda it: it.node),
    Statistic("browses", "whether what it is sent stays on the queue", lambda it: it.browses),
    Statistic("exclusive", "whether nobody else may consume", lambda it: it.exclusive),
    Statistic("received", "messages that it published", lambda it: it.traffic.received),
    Statistic("refused", "messages of these that were not taken", lambda it: it.traffic.refused),
    Statistic("delivered", "messages that it was sent", lambda it: it.traffic.delivered),
    Statistic("redelivered", "messages of these that had failed before", lambda it: it.traffic.redelivered),
    Statistic("unsettled", "messages that it has and has not settled", lambda it: it.unsettled),
    Statistic("credit", "how many more it may be sent; -1 is any number", lambda it: it.credit),
    Statistic("waits_for", "what has to happen before it continues", lambda it: it.waits_for),
    Statistic(
        "waits_since_ms",
        "since when it waits, a producer since when its alarm or queue stops all; 0 while nothing stops it",
        lambda it: it.waits_since_ms,
    ),
    Statistic("last_ms", "when it published or was sent a message last", lambda it: it.traffic.last_ms),
)
"""Of a consumer or a producer. One of AMQP 0-9-1 publishes by channel, one of 0-10 by connection."""

QMF_QUEUE: Final = {OF_NAME[each.name].qmf: each.read for each in QUEUE if OF_NAME[each.name].qmf}
"""How QMF's counts of a queue are read, by their properties."""


def _short(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a peer said, which may be long, as much as a list of many connections can have."""
    plain = (
        (name, value) for name, value in properties.items() if isinstance(value, str | bool | int | float)
    )
    return {
        name[:_MOST_TEXT]: value[:_MOST_TEXT] if isinstance(value, str) else value
        for name, value in islice(plain, _MOST_PROPERTIES)
    }
