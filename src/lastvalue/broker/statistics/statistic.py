"""Statistics: what is counted, each declared once.

A declaration is one entry of a table: its name, what it means, where it is counted, and the property of QMF
that shows it. `$management`, QMF and the documentation read the tables; nothing else counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypeVar, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.history.history_base import HistoryBase, base_of
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_counts import QueueCounts, browser_lag, keyless, oldest_ms
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics.aged_keys import AgedKeys
from lastvalue.broker.statistics.connections import ConnectionStatistics, LinkStatistics, SessionStatistics
from lastvalue.broker.statistics.top_talkers import TopTalkers
from lastvalue.queues.contents import Contents
from lastvalue.queues.counts import Counts
from lastvalue.queues.effects import Effect, Reason
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
        qmf: the property by which QMF shows it; "" is none.
    """

    name: str
    meaning: str
    read: Callable[[_Subject], Any]
    qmf: str = ""


def describe(subject: _Subject, table: tuple[Statistic[_Subject], ...]) -> dict[str, object]:
    """The statistics of a table, by name."""
    return {each.name: each.read(subject) for each in table}


def removed(queue: Queue) -> dict[str, int]:
    """How many messages left a queue, by reason; without reasons for which none did."""
    counts = {reason.name.lower(): queue.removed(reason) for reason in Reason}
    return {reason: count for reason, count in counts.items() if count}


def _queue(name: str, meaning: str, read: Callable[[Queue], int], qmf: str = "") -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.queue), qmf)


def _contents(
    name: str, meaning: str, read: Callable[[Contents], int], qmf: str = ""
) -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.queue.contents), qmf)


def _counts(name: str, meaning: str, read: Callable[[Counts], int], qmf: str = "") -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.queue.contents.counts), qmf)


def _broker(
    name: str, meaning: str, read: Callable[[QueueCounts], int], qmf: str = ""
) -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.counts), qmf)


def _history(name: str, meaning: str, read: Callable[[HistoryBase], int]) -> Statistic[HostedQueue]:
    def read_base(hosted: HostedQueue) -> int:
        base = base_of(hosted.queue.contents)
        return 0 if base is None else read(base)

    return Statistic(name, meaning, read_base)


def _readers(queue: Queue, mode: Mode) -> int:
    return sum([1 for each in queue.subscriptions.values() if each.mode is mode])


def _left(name: str, meaning: str, qmf: str, *reasons: Reason) -> Statistic[HostedQueue]:
    return Statistic(
        name, meaning, lambda hosted: sum(hosted.queue.removed(reason) for reason in reasons), qmf
    )


QUEUE: Final[tuple[Statistic[HostedQueue], ...]] = (
    _queue("depth", "messages that it holds", lambda it: it.depth, "msgDepth"),
    _queue("depth_bytes", "the size of what it holds, as it is kept", lambda it: it.depth_bytes),
    _history(
        "base_depth",
        "of a history: records that it has dropped and keeps, because they are still in force",
        lambda it: max(0, it.count),
    ),
    _history(
        "base_end",
        "of a history that keeps such records: the number of the last record that it has dropped",
        lambda it: it.end,
    ),
    _history(
        "history_records", "of a history: its records without those that it has dropped", lambda it: it.single
    ),
    _history(
        "history_first_ms",
        "of a history: when the oldest of these happened, milliseconds since the epoch",
        lambda it: it.first_ms,
    ),
    _history("history_last_ms", "when the last one happened", lambda it: it.last_ms),
    _history(
        "history_whole",
        "of a history: 1 if it is known what its queues held at that time",
        lambda it: int(it.is_whole("")),
    ),
    _queue("available", "messages that a consumer could get", lambda it: it.available),
    _contents(
        "unsettled",
        "messages that consumers have and have not settled",
        lambda it: it.depth - it.available - it.held_back,
    ),
    _contents("delayed", "messages that may not be delivered yet", lambda it: it.held_back),
    _queue("subscriptions", "consumers and browsers", lambda it: len(it.subscriptions)),
    _queue("consumers", "of these, consumers", lambda it: _readers(it, Mode.CONSUME)),
    _queue("browsers", "of these, browsers", lambda it: _readers(it, Mode.BROWSE)),
    _queue("published", "messages that came", lambda it: it.published, "msgTotalEnqueues"),
    _counts("in_bytes", "the size of what came", lambda it: it.published_bytes, "byteTotalEnqueues"),
    _queue("left", "messages that left", lambda it: it.published - it.depth, "msgTotalDequeues"),
    _counts("left_bytes", "the size of what left", lambda it: it.removed_bytes, "byteTotalDequeues"),
    _counts(
        "held_bytes",
        "the size of what came and has not left, as producers count it",
        lambda it: it.published_bytes - it.removed_bytes,
        "byteDepth",
    ),
    _broker(
        "committed_in", "messages that transactions brought", lambda it: it.committed_in, "msgTxnEnqueues"
    ),
    _broker("committed_in_bytes", "their size", lambda it: it.committed_in_bytes, "byteTxnEnqueues"),
    _broker(
        "committed_out", "messages that transactions took", lambda it: it.committed_out, "msgTxnDequeues"
    ),
    _broker("committed_out_bytes", "their size", lambda it: it.committed_out_bytes, "byteTxnDequeues"),
    _counts("durable_in", "durable ones that came", lambda it: it.durable_published, "msgPersistEnqueues"),
    _counts("durable_in_bytes", "their size", lambda it: it.durable_published_bytes, "bytePersistEnqueues"),
    _counts("durable_out", "durable ones that left", lambda it: it.durable_removed, "msgPersistDequeues"),
    _counts("durable_out_bytes", "their size", lambda it: it.durable_removed_bytes, "bytePersistDequeues"),
    _counts("acquired", "how often a consumer got a message", lambda it: it.acquired, "acquires"),
    _counts("released", "how often a message came back from a consumer", lambda it: it.released, "releases"),
    _queue("refused", "messages that it did not take", lambda it: it.refused, "discardsOverflow"),
    _left("expired", "messages whose time was over", "discardsTtl", Reason.EXPIRED),
    _left("aged", "values that left because they were older than max_age_ms", "", Reason.AGED),
    _broker("aged_keys", "keys whose value is older than max_age_ms", lambda it: it.aged_keys),
    _left("dropped", "messages that made room for newer ones", "discardsRing", Reason.OVERFLOW),
    _left(
        "conflated",
        "messages that a newer one of their key replaced, or came before",
        "discardsLvq",
        Reason.REPLACED,
        Reason.STALE,
    ),
    _counts(
        "incomparable",
        "messages whose order_by value is missing or of another type than that of their key's value",
        lambda it: it.incomparable,
    ),
    _left("rejected", "messages that a consumer rejected", "discardsSubscriber", Reason.REJECTED),
    _left("purged", "messages that a purge removed", "discardsPurge", Reason.PURGED),
    _broker(
        "unchanged",
        "values that watching readers were not sent, because they had not changed",
        lambda it: it.unchanged,
    ),
    _broker(
        "left_out",
        "messages that the policies of watching readers could not use, or had no room for",
        lambda it: it.left_out,
    ),
    _broker(
        "saved_bytes",
        "by how much these, and changes in place of values, made shorter what readers were sent",
        lambda it: it.saved_bytes,
    ),
    _contents(
        "tombstones",
        "keys without a value that it remembers",
        lambda it: 0 if it.tombstones is None else len(it.tombstones),
    ),
    _left("key_deleted", "values whose key was deleted, and messages that did so", "", Reason.KEY_DELETED),
    _broker(
        "lost_letters",
        "dead letters that no queue got: the alternate is not there, takes none, or they went in a circle",
        lambda it: it.lost_letters,
    ),
    _broker(
        "passed_over",
        "how often a consumer was not given a message that its protocol or its frames cannot take",
        lambda it: it.passed_over,
    ),
    _broker("rerouted", "messages that management moved to an exchange", lambda it: it.rerouted, "reroutes"),
    _queue(
        "overtaken",
        "messages that a better one overtook while a consumer held them with others",
        lambda it: it.overtaken,
    ),
    _queue("flow_stopped", "1 while its flow control stops producers, else 0", lambda it: int(it.blocked)),
    _contents("keys", "keys that have a value", lambda it: len(it.current)),
    _counts("keys_created", "how often a key got a value that had none", lambda it: it.keys_created),
    _queue("keyless", "messages that came to a last-value queue without a key", keyless),
    _queue(
        "browser_lag",
        "by how many sequences the slowest browser is behind; 0 where the order is another one",
        browser_lag,
    ),
    _queue("oldest_ms", "when the oldest message that a consumer could get came; 0 is none", oldest_ms),
    Statistic(
        "redirect_peer",
        "the queue that takes what is published to it, while the two are redirected; empty is none",
        lambda it: "" if it.redirect is None else it.redirect.queue.spec.name,
    ),
    _broker(
        "faults",
        "faults of the broker in work on it, each of which ended a reader at most",
        lambda it: it.faults,
    ),
    _broker("last_in_ms", "when a message came last; 0 is never", lambda it: it.last_in_ms),
    _broker("last_out_ms", "when a message left last; 0 is never", lambda it: it.last_out_ms),
)
"""Of a queue, since the broker was started; what a store brought back counts as come."""

CONNECTION: Final[tuple[Statistic[ConnectionStatistics], ...]] = (
    Statistic("name", "by which it is closed", lambda it: it.name),
    Statistic("protocol", "and its version", lambda it: it.protocol),
    Statistic("user", "who is connected", lambda it: it.user),
    Statistic("peer", "the address and port from which it comes", lambda it: it.peer),
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

QMF_QUEUE: Final = {each.qmf: each.read for each in QUEUE if each.qmf}
"""How QMF's counts of a queue are read, by their properties."""


@final
class QueueStatistics(Observer):
    """Sums over all queues, and when something happened on each last.

    Attributes:
        aged_keys: watches how old values are, on the queues that ask for it.
        top_talkers: counts which keys are updated most, on the queues that ask for it.
        abandoned: messages that were deleted with their queues.
        abandoned_to_alternate: those that went to an alternate instead.
    """

    __slots__ = ("_deleted", "_queues", "abandoned", "abandoned_to_alternate", "aged_keys", "top_talkers")

    def __init__(self, queues: Mapping[str, HostedQueue]) -> None:
        self._queues = queues
        self._deleted: dict[str, int] = dict.fromkeys(QMF_QUEUE, 0)
        self.aged_keys = AgedKeys()
        self.top_talkers = TopTalkers()
        self.abandoned = 0
        self.abandoned_to_alternate = 0

    @property
    def observers(self) -> tuple[Observer, ...]:
        """All that observes for statistics, this first."""
        return (self, self.aged_keys, self.top_talkers)

    def totals(self) -> dict[str, int]:
        """The sums of QMF's counts over all queues, those that are gone too; it reads every queue."""
        totals = dict(self._deleted)
        for hosted in self._queues.values():
            _add(totals, hosted)
        return totals

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        _add(self._deleted, hosted)
        count = hosted.queue.removed(Reason.DELETED)
        if hosted.queue.spec.alternate is None:
            self.abandoned += count
        else:
            self.abandoned_to_alternate += count

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del effects
        hosted.counts.note_activity(hosted.queue, now)


def _short(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a peer said, which may be long, as much as a list of many connections can have."""
    plain = (
        (name, value) for name, value in properties.items() if isinstance(value, str | bool | int | float)
    )
    return {
        name[:_MOST_TEXT]: value[:_MOST_TEXT] if isinstance(value, str) else value
        for name, value in islice(plain, _MOST_PROPERTIES)
    }


def _add(totals: dict[str, int], hosted: HostedQueue) -> None:
    for name, read in QMF_QUEUE.items():
        totals[name] += read(hosted)
