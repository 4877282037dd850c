"""The transactions of one connection: its coordinator links, and what is done in them [1.0 §4]."""

from dataclasses import replace
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
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.outcomes import (
    LinkConfirmations,
    amended,
    outcome_of,
    reached,
)
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import REFUSED_ID
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import ACCEPTED
from lastvalue.queues.entry import Entry

CAPABILITIES: Final = ("amqp:local-transactions", "amqp:multi-txns-per-ssn", "amqp:multi-ssns-per-txn")
"""In the info of the error that refuses a commit: the id of a message that its queue has taken before."""
MOST_OPEN: Final = 1000
"""Transactions that one connection may have open."""

_CREDIT: Final = 100


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
    """A coordinator does not do what it is asked to."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


@final
class OpenTransaction:
    """A transaction that a link declared.

    Attributes:
        accepted: the state of what was published in it and taken.
        unsettled: deliveries whose outcome it holds and whose receiver keeps them until it is over.
    """

    __slots__ = ("accepted", "link", "transaction", "txn_id", "unsettled")

    def __init__(self, txn_id: bytes, link: ReceiverLink) -> None:
        self.txn_id = txn_id
        self.link = link
        self.transaction = Transaction()
        self.accepted = TransactionalState(txn_id, ACCEPTED)
        self.unsettled: list[tuple[SenderLink, int]] = []


@final
class TransactionCoordinator:
    """What a connection's coordinator links lead to.

    Attributes:
        confirmations: of the connection.
    """

    __slots__ = ("_broker", "_declared", "_open", "confirmations")

    def __init__(self, broker: Broker, confirmations: LinkConfirmations) -> None:
        self._broker = broker
        self.confirmations = confirmations
        self._declared: i64 = 0
        self._open: dict[bytes, OpenTransaction] = {}

    @property
    def busy(self) -> bool:
        """Whether any transaction is open."""
        return bool(self._open)

    def accept(self, link: ReceiverLink, source: Source | None) -> None:
        """Answer a link whose target is a coordinator."""
        link.context = self
        link.accept(source, Coordinator(CAPABILITIES))
        link.credit_window = _CREDIT
        link.add_credit(_CREDIT)

    def find(self, txn_id: bytes) -> OpenTransaction:
        """The transaction of that name.

        Raises:
            UnknownTransactionError: it is over, or never was on this connection.
        """
        known = self._open.get(txn_id)
        if known is None:
            raise UnknownTransactionError(txn_id)
        return known

    # ------------------------------------------------------------------ the coordinator's messages

    def take(self, delivery: Delivery, now: i64) -> None:
        """Declare or discharge a transaction."""
        try:
            self._carry_out(delivery, now)
        except LastvalueError as fault:
            error = AmqpError(fault.condition.amqp10, str(fault))
            if delivery.settled:
                # [1.0 §4.3] Nobody would hear of it otherwise.
                delivery.link.detach(error)
                self.end(delivery.link, now)
            elif isinstance(fault, DuplicateInTransactionError):
                # Its peer takes it for a success, which the first one is only when it is safe.
                told = Rejected(replace(error, info={REFUSED_ID: fault.duplicate_id}))
                self.confirmations.add(delivery.link, delivery.delivery_id, told, True)
            else:
                delivery.link.settle(delivery.delivery_id, delivery.delivery_id, Rejected(error))

    def _carry_out(self, delivery: Delivery, now: i64) -> None:
        request = composed(decode_content(delivery.payload).body)
        if isinstance(request, Declare):
            self._declare(request, delivery)
        elif isinstance(request, Discharge):
            self._discharge(request, delivery, now)
        else:
            raise DecodeError("a coordinator takes the messages declare and discharge")

    def _declare(self, request: Declare, delivery: Delivery) -> None:
        if request.global_id is not None:
            raise CoordinatorError(
                Condition.NOT_IMPLEMENTED, "distributed transactions are not available: leave out global-id"
            )
        if delivery.settled:
            raise CoordinatorError(
                Condition.INVALID_FIELD, "a declare is sent unsettled: its outcome has the transaction's id"
            )
        if len(self._open) >= MOST_OPEN:
            raise CoordinatorError(
                Condition.RESOURCE_LIMIT_EXCEEDED, f"{MOST_OPEN} transactions are open on this connection"
            )
        self._declared += 1
        txn_id = int(self._declared).to_bytes(4, "big")
        self._open[txn_id] = OpenTransaction(txn_id, delivery.link)
        delivery.link.settle(delivery.delivery_id, delivery.delivery_id, Declared(txn_id))

    def _discharge(self, request: Discharge, delivery: Delivery, now: i64) -> None:
        known = self.find(request.txn_id)
        del self._open[request.txn_id]
        if request.fail:
            known.transaction.roll_back(now)
        else:
            self._broker.commit(known.transaction, now)
            if known.unsettled:
                self.confirmations.answer(lambda: _settle(known))
        if not delivery.settled:
            self.confirmations.add(delivery.link, delivery.delivery_id, ACCEPTED, True)

    # ------------------------------------------------------------------ what is done in a transaction

    def retire(
        self,
        link: SenderLink,
        entry: Entry,
        state: TransactionalState,
        delivery_id: i64,
        settled: bool,
    ) -> None:
        """A delivery's outcome is told in a transaction.

        Args:
            link: on which it was sent.
            entry: what was sent.
            state: the transaction, and the outcome in it.
            delivery_id: the delivery's.
            settled: the peer has forgotten the delivery.

        Raises:
            UnknownTransactionError: it is not open.
        """
        known = self.find(state.txn_id)
        consumer = link.context
        if not isinstance(consumer, LinkConsumer) or consumer.reader is None:
            return
        self.settled_outside(entry)
        outcome = reached(state.outcome, consumer.default)
        retirement = known.transaction.retire(consumer.reader, entry, outcome_of(outcome), settled)
        if isinstance(outcome, Modified):
            retirement.amended = amended(entry.message, outcome)
            retirement.excludes = outcome.undeliverable_here
        if not settled:
            known.unsettled.append((link, delivery_id))

    def settled_outside(self, entry: Entry) -> None:
        """A delivery got another outcome than it had in a transaction."""
        for known in self._open.values():
            known.transaction.forget(entry)

    def part_from(self, reader: QueueReader) -> None:
        """A reader goes; what was settled in transactions stays in them."""
        for known in self._open.values():
            known.transaction.part_from(reader)

    def end(self, link: ReceiverLink, now: i64) -> None:
        """A coordinator link is gone: its transactions are rolled back [1.0 §4.1]."""
        for known in [known for known in self._open.values() if known.link is link]:
            del self._open[known.txn_id]
            known.transaction.roll_back(now)


def _settle(known: OpenTransaction) -> None:
    """Settle the deliveries that the peer kept until the commit."""
    for link, delivery_id in known.unsettled:
        link.settle(delivery_id, known.accepted)
