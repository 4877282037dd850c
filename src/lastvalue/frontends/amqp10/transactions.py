"""The transactions of one connection, and its coordinator links [1.0 §4]."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.transaction_duplicates import DuplicateInTransactionError
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.composites import composed
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.performatives import (
    AmqpError,
    Coordinator,
    Declare,
    Declared,
    Discharge,
    Modified,
    Rejected,
    Source,
    TransactionalState,
)
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.codec.amqp10.values import Value
from lastvalue.delivery.output import Output
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.link_resumption import SuspendedReader
from lastvalue.frontends.amqp10.outcomes import (
    LinkConfirmations,
    amended,
    outcome_of,
    reached,
    takes_rejected,
)
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import REFUSED_ID
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import ACCEPTED
from lastvalue.queues.entry import Entry

CAPABILITIES: Final = ("amqp:local-transactions", "amqp:multi-txns-per-ssn", "amqp:multi-ssns-per-txn")
MOST_OPEN: Final = 1000
"""Transactions that one connection may have open."""

_CREDIT: Final = 100
_IN_DOUBT: Final = "QpidJMS"
"""[Qpid JMS 2.7] It takes a rejected commit for rolled back, unless the condition says so: then for in doubt.

So the answer has the condition of the cause.
"""


@mypyc_attr(native_class=False)
class UnknownTransactionError(LastvalueError):
    """A peer names a transaction that is not open on its connection."""

    condition = Condition.TRANSACTION_UNKNOWN

    def __init__(self, txn_id: bytes) -> None:
        super().__init__(
            f"transaction {txn_id.hex()} is not open on this connection; declare one on a coordinator link"
        )


@mypyc_attr(native_class=False)
class CoordinatorError(LastvalueError):
    """A coordinator refuses a request."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


@final
class OpenTransaction:
    """A transaction that a link declared.

    Attributes:
        accepted: the state of deliveries that were published in it and accepted.
        unsettled: deliveries that have an outcome in it and that their receiver settles after it.
    """

    __slots__ = ("accepted", "link", "transaction", "txn_id", "unsettled")

    def __init__(self, txn_id: bytes, link: ReceiverLink) -> None:
        self.txn_id = txn_id
        self.link = link
        self.transaction = Transaction(link.link_state.wire.memory)
        self.accepted = TransactionalState(txn_id, ACCEPTED)
        self.unsettled: list[tuple[SenderLink, int]] = []


@final
class TransactionCoordinator:
    """The coordinator of a connection's transactions; `Output.transactions` counts those that are open.

    Attributes:
        confirmations: of the connection.
        product: of the peer.
    """

    __slots__ = ("_broker", "_declared", "_open", "_output", "_retired", "confirmations", "product")

    def __init__(self, broker: Broker, confirmations: LinkConfirmations, output: Output) -> None:
        self._broker = broker
        self._output = output
        self.confirmations = confirmations
        self.product: Value = None
        self._declared: i64 = 0
        self._open: dict[bytes, OpenTransaction] = {}
        # What has an outcome in a transaction, and in which.
        self._retired: dict[Entry, OpenTransaction] = {}

    @property
    def with_work(self) -> i64:
        """How many transactions have work that is not committed."""
        count: i64 = 0
        for opened in self._open.values():
            if opened.transaction.has_work:
                count += 1
        return count

    def accept(self, link: ReceiverLink, source: Source | None) -> None:
        """Accept a link whose target is a coordinator."""
        link.context = self
        link.accept(source, Coordinator(CAPABILITIES))
        link.credit_window = _CREDIT
        link.add_credit(_CREDIT)

    def find(self, txn_id: bytes) -> OpenTransaction:
        """The open transaction of an id.

        Raises:
            UnknownTransactionError: it is not open on this connection.
        """
        opened = self._open.get(txn_id)
        if opened is None:
            raise UnknownTransactionError(txn_id)
        return opened

    # ------------------------------------------------------------------ the coordinator's messages

    def take(self, delivery: Delivery, now: i64) -> None:
        """Declare or discharge a transaction."""
        try:
            self._carry_out(delivery, now)
        except LastvalueError as fault:
            error = AmqpError(fault.condition.amqp10, str(fault))
            if isinstance(fault, DuplicateInTransactionError):
                info: dict[str, Value] = {REFUSED_ID: fault.duplicate_id}
                condition = Condition.NOT_ALLOWED if self.product == _IN_DOUBT else fault.condition
                error = AmqpError(condition.amqp10, str(fault), info)
            if delivery.settled or not takes_rejected(delivery.link):
                # [1.0 §4.3] Where the request cannot be rejected, the error is sent in a detach.
                delivery.link.detach(error)
                self.end(delivery.link, now)
            elif isinstance(fault, DuplicateInTransactionError):
                # The peer counts this as a success, which is true once the first message is safe.
                self.confirmations.add(delivery.link, delivery.delivery_id, Rejected(error), True)
            else:
                delivery.link.settle(delivery.delivery_id, delivery.delivery_id, Rejected(error))

    def _carry_out(self, delivery: Delivery, now: i64) -> None:
        check_structure(delivery.payload)
        request = composed(decode_content(delivery.payload).body)
        if isinstance(request, Declare):
            self._declare(request, delivery)
        elif isinstance(request, Discharge):
            self._discharge(request, delivery, now)
        else:
            raise DecodeError("a coordinator takes declare and discharge, and no other messages")

    def _declare(self, request: Declare, delivery: Delivery) -> None:
        if request.global_id is not None:
            raise CoordinatorError(
                Condition.NOT_IMPLEMENTED, "distributed transactions are not supported; leave out global-id"
            )
        if delivery.settled:
            raise CoordinatorError(
                Condition.INVALID_FIELD,
                "a declare needs to be unsettled: its outcome has the transaction's id",
            )
        if len(self._open) >= MOST_OPEN:
            raise CoordinatorError(
                Condition.RESOURCE_LIMIT_EXCEEDED, f"{MOST_OPEN} transactions are open on this connection"
            )
        self._declared += 1
        txn_id = int(self._declared).to_bytes(4, "big")
        self._open[txn_id] = OpenTransaction(txn_id, delivery.link)
        self._output.transactions += 1
        delivery.link.settle(delivery.delivery_id, delivery.delivery_id, Declared(txn_id))

    def _discharge(self, request: Discharge, delivery: Delivery, now: i64) -> None:
        opened = self.find(request.txn_id)
        self._remove(opened)
        if request.fail:
            opened.transaction.roll_back(now)
        else:
            self._commit(opened.transaction, now)
            if opened.unsettled:
                self.confirmations.answer(lambda _: _settle(opened))
        if not delivery.settled:
            self.confirmations.add(delivery.link, delivery.delivery_id, ACCEPTED, True)

    def _commit(self, transaction: Transaction, now: i64) -> None:
        """Commit; a failure has a condition of transactions [1.0 §4.5.8], and its cause in the text."""
        try:
            self._broker.commit(transaction, now)
        except DuplicateInTransactionError:
            raise
        except LastvalueError as fault:
            if self.product == _IN_DOUBT:
                raise
            text = f"{fault} ({fault.condition.amqp10})"
            raise CoordinatorError(Condition.TRANSACTION_ROLLBACK, text) from fault

    # ------------------------------------------------------------------ what is done in a transaction

    def retire(
        self,
        link: SenderLink,
        entry: Entry,
        state: TransactionalState,
        delivery_id: i64,
        settled: bool,
    ) -> None:
        """A delivery gets an outcome in a transaction.

        Args:
            link: of the delivery.
            entry: that was sent.
            state: the transaction, and the outcome in it.
            delivery_id: of the delivery.
            settled: the peer has settled the delivery.

        Raises:
            UnknownTransactionError: the transaction is not open.
            MemoryLimitError: it has no room for the message as the outcome changes it.
        """
        opened = self.find(state.txn_id)
        consumer = link.context
        detached = False
        if isinstance(consumer, SuspendedReader):
            detached = consumer.holds(entry)
            consumer = consumer.consumer if detached else None
        if not isinstance(consumer, LinkConsumer) or consumer.reader is None:
            return
        self.settled_outside(entry)
        outcome = reached(state.outcome, consumer.default)
        retirement = opened.transaction.retire(consumer.reader, entry, outcome_of(outcome), settled)
        self._retired[entry] = opened
        if detached:
            retirement.part_from_reader()
        if isinstance(outcome, Modified):
            message = amended(entry.message, outcome)
            if message is not None:
                opened.transaction.amend(retirement, message)
            retirement.excludes = outcome.undeliverable_here
        if not settled:
            opened.unsettled.append((link, delivery_id))

    def settled_outside(self, entry: Entry) -> None:
        """A delivery gets an outcome outside of transactions, which replaces one inside."""
        opened = self._retired.pop(entry, None)
        if opened is not None:
            opened.transaction.forget(entry)

    def part_from(self, reader: QueueReader) -> None:
        """A reader ends; what it settled in transactions stays in them."""
        held = reader.subscription.held.entries() if self._open else []
        if held:
            for opened in self._open.values():
                opened.transaction.part_from(reader, held)

    def end(self, link: ReceiverLink, now: i64) -> None:
        """A coordinator link has ended: roll back its transactions [1.0 §4.1]."""
        for opened in [opened for opened in self._open.values() if opened.link is link]:
            self._remove(opened)
            opened.transaction.roll_back(now)

    def _remove(self, opened: OpenTransaction) -> None:
        del self._open[opened.txn_id]
        for settlement in opened.transaction.settlements():
            self._retired.pop(settlement.entry, None)
        self._output.transactions -= 1


def _settle(opened: OpenTransaction) -> None:
    """Settle the deliveries that the peer has not settled before the commit."""
    for link, delivery_id in opened.unsettled:
        link.settle(delivery_id, opened.accepted)
