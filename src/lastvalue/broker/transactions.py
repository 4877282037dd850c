"""Transactions: publishes and settlements that take effect together or not at all."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.router import Plan, Router
from lastvalue.broker.transaction_duplicates import TransactionDuplicates
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import Message
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.subscription import Mode, Outcome

_LEAVING: Final = (Outcome.ACCEPTED, Outcome.REJECTED)


@mypyc_attr(native_class=False)
class TransactionError(BrokerError):
    """A transaction cannot be committed; nothing of it has taken effect."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


MESSAGES_OF_A_QUEUE_MORE: Final = 2
"""A queue that a message reaches besides the first counts as two of one queue: routing costs more."""


@mypyc_attr(native_class=False)
class TransactionSizeError(BrokerError):
    """A transaction has as many messages as it may, or these reach too many queues and bindings."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED

    def __init__(self, most: int) -> None:
        super().__init__(
            f"a transaction may publish and settle {most} messages (max_transaction_messages), fewer if "
            "each reaches several queues; commit it and begin another"
        )
        self.most = most


@final
@mypyc_attr(acyclic=True)
class PendingPublish:
    """A message that waits for the commit, and its destination.

    A transaction may have a hundred thousand. The garbage collector does not traverse them: commit or
    rollback frees them.

    Attributes:
        plan: its queues, which the commit computes if the node is not a single queue.
    """

    __slots__ = ("key", "message", "plan", "target")

    def __init__(self, target: Target, key: str, message: Message) -> None:
        self.target = target
        self.key = key
        self.message = message
        self.plan: Plan | None = None

    @property
    def node(self) -> Node:
        """The node that gets the message."""
        return self.target.node


@final
class PendingSettlement:
    """A delivery whose outcome waits for the commit.

    Attributes:
        reader: the reader that holds the entry, or held it.
        settled: its receiver has settled it: after a rollback the entry becomes available again.
        amended: the message that replaces the entry's at the commit, or None.
        excludes: the reader does not get the entry again after the commit.
    """

    __slots__ = ("amended", "entry", "excludes", "outcome", "reader", "settled")

    def __init__(self, reader: QueueReader, entry: Entry, outcome: Outcome, settled: bool) -> None:
        self.reader = reader
        self.entry = entry
        self.outcome = outcome
        self.settled = settled
        self.amended: Message | None = None
        self.excludes = False

    def part_from_reader(self) -> None:
        """The reader has ended: the entry stays acquired until the transaction ends."""
        if self.entry.state == ACQUIRED and self.reader.subscription.mode is Mode.CONSUME:
            self.reader.hosted.queue.keep(self.entry)
            self.settled = True

    def carry_out(self, now: i64) -> None:
        """Settle the delivery."""
        if self.amended is not None:
            self.reader.amend(self.entry, self.amended)
        if self.excludes:
            self.reader.exclude(self.entry)
        if self.outcome in _LEAVING and self.entry.state == ACQUIRED:
            self.reader.hosted.counts.commit_out(self.entry.message)
        self.reader.settle(self.entry, self.outcome, now)


@final
class Transaction:
    """The work of a transaction until it is committed or rolled back; it is empty then and can be used again.

    Args:
        memory: the account from which its work takes memory.

    Attributes:
        fault: why it can only be rolled back, or None if it can be committed.
        restored: it is as large as it was when it was prepared, whatever the limit is now.
    """

    __slots__ = ("_bytes", "_memory", "_publishes", "_settlements", "fault", "restored")

    def __init__(self, memory: MemoryAccount) -> None:
        self.fault: LastvalueError | None = None
        self.restored = False
        self._memory = memory
        self._publishes: list[PendingPublish] = []
        self._settlements: dict[Entry, PendingSettlement] = {}
        self._bytes: i64 = 0

    def post(self, target: Target, key: str, message: Message, now: i64) -> None:
        """Publish a message at the commit.

        Args:
            target: the right to publish to a queue, an exchange or an address.
            key: the routing key.
            message: the message; errors in its properties are raised from here.
            now: the time.

        Raises:
            NotPermittedError: the target is revoked.
            MemoryLimitError: its account has no room for the message.
            TransactionSizeError: it has as many messages as it may.
            BrokerError: the queue does not take such a message.
        """
        target.check()
        self.check_size(1)
        hosted = target.node.hosted
        if hosted is not None:
            taker = hosted.taker()
            if taker.partition is not None:
                taker.partition.check_message(taker.queue, message)
            taker.queue.admission.examine(message, now)
        self.take_memory(len(message.encoded) + ENTRY_BYTES)
        self._publishes.append(PendingPublish(target, key, message))

    def retire(self, reader: QueueReader, entry: Entry, outcome: Outcome, settled: bool) -> PendingSettlement:
        """Settle a delivery at the commit; for a browser this does nothing.

        Raises:
            TransactionSizeError: it has as many messages as it may.
        """
        settlement = PendingSettlement(reader, entry, outcome, settled)
        if reader.subscription.mode is Mode.CONSUME:
            self.check_size(1)
            self._settlements[entry] = settlement
        return settlement

    def check_size(self, more: i64) -> None:
        """Refuse this many more messages if there would be too many.

        Raises:
            TransactionSizeError: it would have more than it may.
        """
        most = self._memory.transaction_limit
        if len(self._publishes) + len(self._settlements) + more > most and not self.restored:
            raise TransactionSizeError(int(most))

    def check_work(self, spent: i64, planned: i64) -> None:
        """Refuse a commit whose messages take too much routing, which others would have to wait for.

        Args:
            spent: the routing that its first messages take.
            planned: how many these are; one queue each is what the limit of messages allows.

        Raises:
            TransactionSizeError: they take too much.
        """
        most = self._memory.transaction_limit
        if spent - planned > most // MESSAGES_OF_A_QUEUE_MORE and not self.restored:
            raise TransactionSizeError(int(most))

    def amend(self, settlement: PendingSettlement, message: Message) -> None:
        """Have a message replace that of a delivery at the commit.

        Raises:
            MemoryLimitError: its account has no room for the message.
        """
        self.take_memory(len(message.encoded))
        settlement.amended = message

    def take_memory(self, size_bytes: i64) -> None:
        """Take memory for what goes with its messages until it ends.

        Raises:
            MemoryLimitError: its account has no room for that.
        """
        self._memory.take(size_bytes)
        self._bytes += size_bytes

    def forget(self, entry: Entry) -> None:
        """Drop a delivery that was settled outside the transaction."""
        self._settlements.pop(entry, None)

    def publishes(self) -> list[PendingPublish]:
        """The messages that wait for the commit, in their order."""
        return self._publishes

    def settlements(self) -> list[PendingSettlement]:
        """The deliveries whose outcome waits for the commit, in their order."""
        return list(self._settlements.values())

    @property
    def has_work(self) -> bool:
        """Whether a commit would change anything."""
        return bool(self._publishes) or bool(self._settlements)

    def part_from(self, reader: QueueReader, held: list[Entry]) -> None:
        """Note that a reader ends, which holds these entries: those settled here stay acquired."""
        settlements = self._settlements
        if not settlements:
            return
        for entry in held if len(held) < len(settlements) else [*settlements]:
            settlement = settlements.get(entry)
            if settlement is not None and settlement.reader is reader:
                settlement.part_from_reader()

    def roll_back(self, now: i64) -> None:
        """Drop the messages; entries that receivers settled become available again, as failed deliveries."""
        for settlement in reversed(self.settlements()):
            if settlement.settled:
                settlement.reader.settle(settlement.entry, Outcome.MODIFIED_FAILED, now)
        self.clear()

    def clear(self) -> None:
        """Empty it after a commit or rollback, for the next transaction."""
        self.fault = None
        self._publishes = []
        self._settlements = {}
        self._memory.release(self._bytes)
        self._bytes = 0


def commit(transaction: Transaction, router: Router, now: i64) -> None:
    """Carry out all settlements and publishes of a transaction, or roll it back.

    Raises:
        TransactionError: a part of it failed, a queue has no room for its messages or was deleted.
        NotPermittedError: a target was revoked.
        DuplicateInTransactionError: a queue has taken one of its messages before.
    """
    try:
        _carry_out_all(transaction, router, now)
    except LastvalueError:
        transaction.roll_back(now)
        raise


def _carry_out_all(transaction: Transaction, router: Router, now: i64) -> None:
    if transaction.fault is not None:
        raise TransactionError(
            transaction.fault.condition, f"a part of the transaction failed: {transaction.fault}"
        )
    publishes = transaction.publishes()
    work = router.work
    work.begin()
    for planned, publish in enumerate(publishes, 1):
        _plan(publish, router)
        transaction.check_work(work.spent, planned)
    _check_room(publishes, transaction.settlements(), now)
    for settlement in transaction.settlements():
        settlement.carry_out(now)
    for publish in publishes:
        _carry_out(publish, router, now)
    transaction.clear()


def _plan(publish: PendingPublish, router: Router) -> None:
    """Compute the queues of a message, if its node is not a single queue."""
    publish.target.check()
    hosted = publish.node.hosted
    if hosted is None:
        publish.plan = router.plan(publish.node, publish.key, publish.message)
    elif hosted.ownership.ending:
        raise TransactionError(
            Condition.RESOURCE_DELETED, f"queue {hosted.queue.spec.name!r} was deleted before the commit"
        )


def _carry_out(publish: PendingPublish, router: Router, now: i64) -> None:
    hosted = publish.node.hosted
    plan = publish.plan
    if plan is not None:
        routed = router.carry_out(plan, now)
        failed = bool(routed.full) or routed.fault is not None
        for taker in plan.queues:
            taker.counts.commit_in(plan.message)
    elif hosted is not None:
        # What `carry_out` does for one queue.
        hosted = hosted.taker()
        hosted.mark_changed()
        failed = not hosted.take(publish.message, now)
        hosted.counts.commit_in(publish.message)
    else:
        failed = True
    if failed:
        raise AssertionError("a queue does not take a message; there was room before the commit began")


def _check_room(publishes: list[PendingPublish], settlements: list[PendingSettlement], now: i64) -> None:
    """Check that every queue takes all messages that the transaction has for it."""
    messages: dict[HostedQueue, list[Message]] = {}
    repeats = TransactionDuplicates()
    for publish in publishes:
        plan = publish.plan
        if plan is not None:
            for hosted in plan.queues:
                _gather(hosted, plan.message, messages, repeats)
        elif publish.node.hosted is not None:
            _gather(publish.node.hosted.taker(), publish.message, messages, repeats)
    for hosted, incoming in messages.items():
        leaving = [
            settlement.entry
            for settlement in settlements
            if settlement.reader.hosted is hosted and settlement.outcome in _LEAVING
        ]
        name = hosted.queue.spec.name
        try:
            if hosted.partition is not None:
                for message in incoming:
                    hosted.partition.check_message(hosted.queue, message)
            taken = hosted.queue.admission.takes(incoming, leaving, now)
        except LastvalueError as fault:
            raise TransactionError(
                fault.condition, f"queue {name!r} does not take a message: {fault}"
            ) from fault
        if not taken:
            raise TransactionError(
                Condition.RESOURCE_LIMIT_EXCEEDED,
                f"queue {name!r} has no room for the {len(incoming)} messages of the transaction",
            )


def _gather(
    hosted: HostedQueue,
    message: Message,
    messages: dict[HostedQueue, list[Message]],
    repeats: TransactionDuplicates,
) -> None:
    repeats.check(hosted.queue, message)
    others = messages.get(hosted)
    if others is None:
        messages[hosted] = [message]
    else:
        others.append(message)
