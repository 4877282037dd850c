"""What the peer of one session or channel was sent and has not settled."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import HANDLED_AT_ONCE, LongCommands
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.settlement import Settlement
from lastvalue.broker.transactions import Transaction
from lastvalue.delivery.consumer import Consumer
from lastvalue.queues.entry import ACQUIRED, REMOVED, Entry
from lastvalue.queues.subscription import Mode, Outcome

PINNED_BYTES: Final = 16 << 20
"""After so much was sent again, deliveries let go of messages that have left their queues."""

_CONSUME: Final = Mode.CONSUME


@final
class UnsettledDelivery:
    """A message that was sent, and that the peer answers for.

    Attributes:
        number: by which the peer names it, in its session or channel.
        entry: what was sent; None if it has left its queue and is not held for the peer.
        reader: what it came from; that may be over.
        consumer: whose it is; None if it was asked for without one.
        epoch: of the consumer's window, when it was sent.
        acquired: its entry is held for the peer; otherwise it was only shown.
        settled: what was held is not held any more, or has an outcome.
        completed: the peer has received it: the window has it back.
    """

    __slots__ = (
        "acquired",
        "completed",
        "consumer",
        "entry",
        "epoch",
        "number",
        "reader",
        "settled",
        "size_bytes",
    )

    def __init__(
        self, number: i64, entry: Entry, reader: QueueReader, consumer: Consumer | None, size_bytes: i64
    ) -> None:
        self.number: i64 = number
        self.entry: Entry | None = entry
        self.reader = reader
        self.consumer = consumer
        self.size_bytes: i64 = size_bytes
        self.epoch = 0 if consumer is None else consumer.window.epoch
        self.acquired = reader.subscription.mode is _CONSUME
        self.settled = False
        self.completed = False

    def settle(self, outcome: Outcome, now: i64) -> None:
        """End what is held; it means nothing where the queue is gone."""
        entry = self.entry
        if not self.acquired or self.settled or entry is None:
            return
        self.settled = True
        hosted = self.reader.hosted
        if entry.state == ACQUIRED and not hosted.ownership.ending:
            hosted.queue.settle(entry, outcome, now)
            hosted.mark_changed()

    def keep(self) -> None:
        """Continue holding the entry when its reader goes."""
        entry = self.entry
        if entry is not None and self.acquired and not self.settled and entry.state == ACQUIRED:
            self.reader.hosted.queue.keep(entry)

    def let_go(self) -> None:
        """Forget a message that has left its queue and is not held: a peer may answer for it much later."""
        entry = self.entry
        if entry is not None and entry.state == REMOVED and (self.settled or not self.acquired):
            self.entry = None


def settle_all(
    deliveries: list[UnsettledDelivery],
    end: Callable[[UnsettledDelivery, i64], None],
    on_end: Callable[[i64], None],
    owner: tuple[LongCommands, i64],
    now: i64,
) -> None:
    """End deliveries in their order: very many in several turns, and after what is under way.

    Args:
        deliveries: in the order in which they end.
        end: ends one; it raises nothing.
        on_end: called when all have ended.
        owner: the long commands of the broker, and the number of the connection.
        now: the time.
    """
    commands, connection = owner
    if len(deliveries) <= HANDLED_AT_ONCE and not commands.runs_for(connection):
        for delivery in deliveries:
            end(delivery, now)
        on_end(now)
        return
    queues = list(dict.fromkeys([delivery.reader.hosted for delivery in deliveries]))
    commands.begin(Settlement(deliveries, queues, end, on_end, connection), now)


@final
class UnsettledDeliveries:
    """The deliveries of one session or channel, by their numbers, which ascend.

    One whose outcome is part of a transaction is `retired`, until that is committed or rolled back.
    """

    __slots__ = ("_by_number", "_sent_bytes", "retired")

    def __init__(self) -> None:
        self._by_number: dict[int, UnsettledDelivery] = {}
        self._sent_bytes: i64 = 0
        self.retired: list[UnsettledDelivery] = []

    @property
    def count(self) -> int:
        """How many deliveries take memory: those that are held, that were only shown, or are retired."""
        return len(self._by_number) + len(self.retired)

    @property
    def held(self) -> int:
        """How many messages are held for the peer; it visits them all."""
        return sum(1 for each in self._by_number.values() if each.acquired and not each.settled)

    def add(self, delivery: UnsettledDelivery) -> None:
        """A message was sent."""
        self._by_number[delivery.number] = delivery
        self._sent_bytes += delivery.size_bytes
        if self._sent_bytes >= PINNED_BYTES:
            self._sent_bytes = 0
            for each in self._by_number.values():
                each.let_go()

    def remove(self, number: i64) -> UnsettledDelivery | None:
        """The delivery of that number, which is done with; None if there is none."""
        return self._by_number.pop(number, None)

    def find(self, number: i64) -> UnsettledDelivery | None:
        """The delivery of that number, or None."""
        return self._by_number.get(number)

    def between(self, first: i64, last: i64) -> list[UnsettledDelivery]:
        """The deliveries of these numbers, as they were sent."""
        by_number = self._by_number
        if last - first < len(by_number):
            chosen = [by_number.get(number) for number in range(first, last + 1)]
            return [each for each in chosen if each is not None]
        found: list[UnsettledDelivery] = []
        for delivery in by_number.values():
            if delivery.number > last:
                break
            if delivery.number >= first:
                found.append(delivery)
        return found

    def take_all(self) -> list[UnsettledDelivery]:
        """All of them, which are done with."""
        taken = list(self._by_number.values())
        self._by_number = {}
        return taken

    # ------------------------------------------------------------------ transactions

    def retire(
        self,
        delivery: UnsettledDelivery,
        outcome: Outcome,
        transaction: Transaction,
        settled: bool,
    ) -> None:
        """A delivery has an outcome in a transaction; `settled` is that the peer does not name it again."""
        if delivery.entry is not None:
            transaction.retire(delivery.reader, delivery.entry, outcome, settled)
        if not settled:
            self.retired.append(delivery)

    def take_retired(self) -> list[UnsettledDelivery]:
        """What had an outcome in the transaction, which is over."""
        retired = self.retired
        self.retired = []
        return retired

    def sort(self) -> None:
        """Deliveries were added that were sent before others."""
        self._by_number = dict(sorted(self._by_number.items()))


def keep_held(reader: QueueReader) -> None:
    """A reader goes: what was sent of it, and is not settled, stays the peer's."""
    for entry in reader.subscription.held.entries()[::-1]:
        reader.hosted.queue.keep(entry)
