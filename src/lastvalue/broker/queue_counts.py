"""What the broker counts of a queue besides what the queue counts itself."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import Message, size_of
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, Placement
from lastvalue.queues.subscription import Mode


@final
class QueueCounts:
    """Counts of one queue.

    Attributes:
        committed_in, committed_out: messages that came and left in transactions; their sizes with `_bytes`.
        faults: faults of the broker in work on it, readers that they ended included.
        aged_keys: keys whose value is older than the queue's `max_age_ms`.
        rerouted: messages that management has moved to an exchange.
        lost_letters: dead letters that no queue got.
        passed_over: how often a consumer was not given a message that it cannot take.
        left_out: messages that the policies of watching readers could not use, or had no room for.
        unchanged: values that watching readers were not sent because they had not changed.
        saved_bytes: by how much these, and deltas, made what was sent shorter.
        last_in_ms, last_out_ms: when a message came, and left, last; 0 is never.
    """

    __slots__ = (
        "_seen_in",
        "_seen_out",
        "aged_keys",
        "committed_in",
        "committed_in_bytes",
        "committed_out",
        "committed_out_bytes",
        "faults",
        "last_in_ms",
        "last_out_ms",
        "left_out",
        "lost_letters",
        "passed_over",
        "rerouted",
        "saved_bytes",
        "unchanged",
    )

    def __init__(self) -> None:
        self.committed_in: i64 = 0
        self.committed_in_bytes: i64 = 0
        self.committed_out: i64 = 0
        self.committed_out_bytes: i64 = 0
        self.faults: i64 = 0
        self.aged_keys: i64 = 0
        self.rerouted: i64 = 0
        self.saved_bytes: i64 = 0
        self.left_out: i64 = 0
        self.lost_letters: i64 = 0
        self.passed_over: i64 = 0
        self.unchanged: i64 = 0
        self.last_in_ms: i64 = 0
        self.last_out_ms: i64 = 0
        self._seen_in: i64 = 0
        self._seen_out: i64 = 0

    def commit_in(self, message: Message) -> None:
        """A transaction has published a message."""
        self.committed_in += 1
        self.committed_in_bytes += size_of(message)

    def commit_out(self, message: Message) -> None:
        """A transaction has taken a message."""
        self.committed_out += 1
        self.committed_out_bytes += size_of(message)

    def note_activity(self, queue: Queue, now: i64) -> None:
        """See whether messages came or left since the last call; called once a turn, at most."""
        came = queue.published
        left = came - queue.depth
        if came != self._seen_in:
            self._seen_in = came
            self.last_in_ms = now
        if left != self._seen_out:
            self._seen_out = left
            self.last_out_ms = now


def keyless(queue: Queue) -> i64:
    """How many messages came to a last-value queue without a key; 0 where messages have no keys anyway."""
    return queue.contents.counts.keyless if isinstance(queue.spec.ordering, LastValue) else 0


def browser_lag(queue: Queue) -> i64:
    """By how many sequences the slowest browser is behind; 0 where the order is not that of sequences.

    Cost: one step for each reader.
    """
    if queue.contents.available_list.ranked or _is_in_place(queue):
        return 0
    lag: i64 = 0
    for reader in queue.subscriptions.values():
        if reader.mode is Mode.BROWSE:
            position = reader.browser_position
            entry = reader.at if position is None else position.entry
            if entry is not None:
                lag = max(lag, queue.sequence - entry.sequence + 1)
    return lag


def oldest_ms(queue: Queue) -> i64:
    """When the oldest available message arrived, or 0 where there is none.

    [Broker-J] On a last-value queue the replaced ones do not count. It walks the available messages of a
    queue whose order is not that of arrival.
    """
    contents = queue.contents
    entry = contents.available_list.head
    if entry is None:
        return 0
    oldest = entry.arrival_ms
    if contents.available_list.ranked or _is_in_place(queue):
        while entry is not None:
            oldest = min(oldest, entry.arrival_ms)
            entry = entry.next
    return oldest


def _is_in_place(queue: Queue) -> bool:
    ordering = queue.spec.ordering
    return isinstance(ordering, LastValue) and ordering.placement is not Placement.TAIL
