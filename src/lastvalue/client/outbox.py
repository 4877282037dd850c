"""The outbox of a sending link: messages that wait for credit, and messages that wait for their outcome."""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Final, Protocol, cast, final
from uuid import uuid4

from lastvalue.client.driver import WRITE_SIZE_BYTES, Driver
from lastvalue.client.errors import ClientError, ConnectionLostError, NotOpenError, SendRejectedError, again
from lastvalue.client.lifetime import Lifetime
from lastvalue.client.message import Message
from lastvalue.client.message_codec import checked_message, encode_message
from lastvalue.client.transaction import Transaction
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Modified,
    Rejected,
    Target,
    TransactionalState,
)
from lastvalue.codec.amqp10.shortcuts.transfers import HeadPattern
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import COUNTED, DUPLICATE_ID
from lastvalue.protocols.amqp10.sender import SenderLink

ACCEPTED: Final = Accepted()
DUPLICATE_DETECTION: Final = "lastvalue:duplicate-detection"
PRODUCER_NAME: Final = "producer-name"
REJECT_UNROUTABLE: Final = "REJECT_UNROUTABLE"
MOST_WAITING_BYTES: Final = 4 * 1024 * 1024
"""The most bytes of messages that have not left yet; beyond it, senders wait."""

MOST_FRAMED: Final = 1024
"""The most messages of a block that are framed together."""

TURN: Final = 256
"""The number of messages after which a busy sender yields to the loop's other work."""


@final
@dataclass(frozen=True, slots=True)
class Refusal:
    """A message that the broker refused, and why.

    Attributes:
        index: the message's position in the call, counted from 0.
        outcome: rejected, released or modified.
        condition: the broker's error symbol.
        description: the broker's explanation.
    """

    index: int
    outcome: str
    condition: str
    description: str


@final
class SendOutcomes:
    """The outcomes of the messages that one call sent.

    Args:
        each: collect every refusal; a refused message does not roll back its transaction.

    Attributes:
        sent: how many messages the outbox got.
        waiting: how many of them have no outcome yet.
        rejected: how many of them were refused.
        abandoned: the call has ended; its messages that have not left are dropped.
    """

    __slots__ = (
        "_done",
        "_failure",
        "_first",
        "abandoned",
        "each",
        "refusals",
        "rejected",
        "sent",
        "waiting",
    )

    def __init__(self, *, each: bool = False) -> None:
        self.each = each
        self.refusals: list[Refusal] = []
        self.sent = 0
        self.waiting = 0
        self.rejected = 0
        self.abandoned = False
        self._first: tuple[int, DeliveryState | None] = (0, None)
        self._failure: LastvalueError | None = None
        self._done: asyncio.Future[None] | None = None

    def accepted(self) -> None:
        """One message was accepted."""
        self.waiting -= 1
        if not self.waiting and self._done is not None and not self._done.done():
            self._done.set_result(None)

    def settle(self, index: int, state: DeliveryState | None) -> None:
        """Take the outcome of one message."""
        if not isinstance(state, Accepted):
            if not self.rejected:
                self._first = (index, state)
            self.rejected += 1
            if self.each:
                self.refusals.append(Refusal(index, *_explained(state)))
        self.accepted()

    def fail(self, error: LastvalueError) -> None:
        """End the waiting with this error, because outcomes are missing that do not come any more."""
        self._failure = error
        if self._done is not None and not self._done.done():
            self._done.set_exception(again(error))

    async def until_settled(self) -> None:
        """Wait until every message has an outcome."""
        if self._failure is not None:
            raise again(self._failure)
        if self.waiting:
            self._done = asyncio.get_running_loop().create_future()
            try:
                await self._done
            finally:
                self._done = None

    def verdict(self, queue: str) -> SendRejectedError | None:
        """The error for the refused messages, or None if there are none."""
        if self.each or not self.rejected:
            return None
        index, state = self._first
        return rejection(queue, state, index=index, rejected=self.rejected)


@final
class OutgoingMessage:
    """One encoded message and the call that sent it; `index` counts within the call.

    Attributes:
        transaction: the transaction that it is part of, or None.
        state: its encoded transactional state.
    """

    __slots__ = ("index", "outcomes", "payload", "state", "transaction")

    def __init__(
        self, payload: bytes, outcomes: SendOutcomes, index: int, transaction: Transaction | None
    ) -> None:
        self.payload = payload
        self.outcomes = outcomes
        self.index = index
        self.transaction = transaction
        self.state = b"" if transaction is None else transaction.sending()


class Block(Protocol):
    """Encoded messages that are framed many at a time."""

    def __len__(self) -> int:
        """The number of messages."""

    @property
    def largest(self) -> int:
        """The size of the largest message in bytes."""

    def frames(self, first: int, count: int, pattern: HeadPattern, delivery_id: int) -> bytes:
        """The transfer frames of `count` messages from `first` on; the delivery ids may wrap."""

    def payload(self, index: int) -> bytes:
        """The bytes of one message."""


@dataclass(frozen=True, slots=True)
class SenderOptions:
    """How messages are sent.

    Attributes:
        max_outstanding: how many messages may wait for their confirmation.
        settled: without confirmations; refused messages are not noticed.
        once: the queue takes messages with the same `_AMQ_DUPL_ID`, an application property, once; None:
            where the outbox returns, by ids that it gives them.
        producer: a name with which the queue also takes messages of the same message_id once.
        reject_unroutable: a message that no queue gets is refused, whatever the exchange says.
        returns: it is attached again on a connection that reconnects, and repeats what was not confirmed.
    """

    max_outstanding: int
    settled: bool = False
    once: bool | None = None
    producer: str | None = None
    reject_unroutable: bool = False
    returns: bool = False


@final
class Outbox:
    """One sending link and the messages that use it.

    At most `max_outstanding` messages are in it, waiting to leave or for their outcome.
    The messages that wait to leave take at most some MiB.
    """

    def __init__(self, driver: Driver, address: str, options: SenderOptions) -> None:
        self._driver = driver
        self._options = options
        self._returns = options.returns and driver.reconnects
        # What is repeated has ids by which the queue takes it once.
        self._gives_ids = self._returns and not driver.redirects_only
        self._max_outstanding = options.max_outstanding
        self._lifetime = Lifetime(address)
        self._link: SenderLink | None = None
        self._waiting: deque[OutgoingMessage] = deque()
        self._waiting_bytes = 0
        self._outstanding = 0
        self._room = asyncio.Event()
        self._room.set()
        self._go_on = asyncio.Event()
        self._awaited: dict[SendOutcomes, None] = {}
        self._transactions: dict[Transaction, int] = {}
        # What a kill may lose is counted apart: the numbers of what it keeps are stored.
        self._name = COUNTED + uuid4().hex[:16]
        self._numbers = count(1)
        self._durable_numbers = count(1)
        self._numbers_messages = False

    @property
    def is_open(self) -> bool:
        """Whether messages may be put in."""
        return self._lifetime.is_open

    @property
    def has_ended(self) -> bool:
        """Whether the link has ended, and is not attached again."""
        return self._lifetime.has_ended

    def encoded(self, message: Message, transaction: Transaction | None = None) -> bytes:
        """A message's bytes; with an id of its own where it may be repeated and the queue compares ids.

        Raises:
            InvalidMessageError: the message cannot be encoded, or is none.
        """
        message = checked_message(message)
        if (
            not self._numbers_messages
            or transaction is not None
            or DUPLICATE_ID in message.properties
            or (message.message_id is not None and self._options.producer is not None)
        ):
            return encode_message(message)
        if message.durable:
            return encode_message(message, f"{self._name}d-{next(self._durable_numbers)}")
        return encode_message(message, f"{self._name}-{next(self._numbers)}")

    @property
    def max_message_bytes(self) -> int | None:
        """The size of the largest message that the broker takes, once it is attached; None: any."""
        remote = None if self._link is None else self._link.remote
        return None if remote is None else remote.max_message_size

    async def attach(self) -> None:
        """Attach the link; a second call waits for the same attach.

        Raises:
            QueueNotFoundError, RefusedError: the node does not exist, or the user may not send to it.
        """
        if self._link is None:
            self._lifetime.check()
            await self._driver.until_usable()
            # It may be attached meanwhile.
            self.resume()
        await self._lifetime.until_open()

    def _attach(self) -> None:
        options, address = self._options, self._lifetime.address
        numbers = self._gives_ids and options.once is None and not options.settled
        self._link = self._driver.attach_sender(
            self,
            address,
            settled=options.settled,
            target=Target(
                address=address, capabilities=(REJECT_UNROUTABLE,) if options.reject_unroutable else ()
            ),
            capabilities=(DUPLICATE_DETECTION,) if options.once or options.producer or numbers else (),
            properties={PRODUCER_NAME: options.producer} if options.producer else {},
        )
        if self._returns:
            self._link.keeps = True
            self._driver.keep(self)

    async def put(
        self, payload: bytes, outcomes: SendOutcomes, transaction: Transaction | None = None
    ) -> None:
        """Put in one message; waits for room."""
        await self.put_many((payload,), outcomes, transaction)

    async def put_many(
        self, payloads: Iterable[bytes], outcomes: SendOutcomes, transaction: Transaction | None = None
    ) -> None:
        """Put in messages, which leave many at a time; waits for room.

        What the iterable raises is raised, and the messages before it are sent.
        """
        waiting = self._waiting
        new_bytes = 0
        try:
            for payload in payloads:
                while not self._room.is_set():
                    self.may_send()
                    await self._room.wait()
                self._lifetime.check()
                waiting.append(OutgoingMessage(payload, outcomes, outcomes.sent, transaction))
                if transaction is not None:
                    self._transactions[transaction] = self._transactions.get(transaction, 0) + 1
                outcomes.sent += 1
                outcomes.waiting += 1
                self._outstanding += 1
                self._waiting_bytes += len(payload)
                new_bytes += len(payload)
                if self._outstanding >= self._max_outstanding or self._waiting_bytes >= MOST_WAITING_BYTES:
                    self._room.clear()
                if outcomes.sent % TURN == 0:
                    self.may_send()
                    await asyncio.sleep(0)
                elif new_bytes >= WRITE_SIZE_BYTES:
                    new_bytes = 0
                    self.may_send()
        finally:
            self.may_send()

    async def put_block(
        self, block: Block, outcomes: SendOutcomes, transaction: Transaction | None = None
    ) -> None:
        """Send messages in one piece; one by one if they need confirmations or do not fit into frames."""
        link = self._link
        pattern = None if link is None else link.pattern(b"" if transaction is None else transaction.state)
        if (
            link is None
            or pattern is None
            or not self._options.settled
            or len(pattern.octets) + block.largest > link.largest_frame
        ):
            await self.put_many(map(block.payload, range(len(block))), outcomes, transaction)
            return
        first = 0
        while first < len(block):
            room = await self._until_room(link)
            count = min(room, len(block) - first, MOST_FRAMED)
            link.send_frames(block.frames(first, count, pattern, link.next_delivery_id), count)
            self._driver.schedule()
            first += count
            outcomes.sent += count

    async def _until_room(self, link: SenderLink) -> int:
        """Wait for credit and the transport; returns how many messages may be sent."""
        while True:
            self._lifetime.check()
            if self._link is not link:
                raise ConnectionLostError(
                    "the connection was lost; what was sent without confirmations may be lost"
                )
            if not self._waiting and self._driver.writable and (room := link.room) > 0:
                self._driver.settle_first()
                return room
            self._go_on.clear()
            await self._go_on.wait()

    async def until_settled(self, outcomes: SendOutcomes) -> None:
        """Wait for the outcome of every message of a call.

        Raises:
            SendRejectedError: the broker refused some.
        """
        if outcomes.waiting:
            self._lifetime.check()
            self._awaited[outcomes] = None
            try:
                await outcomes.until_settled()
            finally:
                self._awaited.pop(outcomes, None)
        if (error := outcomes.verdict(self._lifetime.address)) is not None:
            raise error

    def detach(self) -> None:
        """Detach the link; messages that have not left are dropped. Detaching twice does nothing."""
        if self._lifetime.close():
            if self._link is not None:
                self._link.detach()
                self._link = None
                self._driver.schedule()
            self._driver.forget(self)
            self._abandon(
                NotOpenError(
                    f"the sender to {self._lifetime.address!r} was closed before all messages were confirmed"
                )
            )

    # ---- Calls of the driver.

    def opened(self) -> None:
        """See LinkUser."""
        remote = None if self._link is None else self._link.remote
        detects = remote is not None and DUPLICATE_DETECTION in remote.offered_capabilities
        self._numbers_messages = self._gives_ids and not self._options.settled and detects
        self._lifetime.opened()

    def ended(self, error: AmqpError | None) -> None:
        """See LinkUser."""
        self._lifetime.ended(error)
        self._link = None
        if self._lifetime.failure is not None:
            self._abandon(self._lifetime.failure)

    def lost(self, error: ClientError) -> None:
        """See LinkUser."""
        self._lifetime.fail(error)
        self._link = None
        self._abandon(error)

    def interrupted(self, error: ConnectionLostError) -> None:
        """See ReturningUser: what was sent and not confirmed waits again, before what has not left."""
        if self._link is not None and self._link.unsettled_contexts and self._driver.redirects_only:
            self._driver.forget(self)
            self.lost(error)
            return
        link, self._link = self._link, None
        self._lifetime.interrupted()
        unconfirmed: list[OutgoingMessage] = []
        if link is not None:
            link.keep()
            unconfirmed = cast("list[OutgoingMessage]", list(link.unsettled_contexts.values()))
        left = [*unconfirmed, *self._waiting]
        self._waiting = deque(each for each in left if each.transaction is None)
        self._waiting_bytes = sum(len(each.payload) for each in self._waiting)
        self._outstanding = len(self._waiting)
        for message in left:
            if message.transaction is not None:
                message.outcomes.fail(error)
        for transaction in self._transactions:
            transaction.fail(error)
        self._transactions = {}
        self._go_on.set()
        self._look_for_room()

    def resume(self) -> None:
        """See ReturningUser."""
        if self._link is None:
            self._attach()

    def may_send(self) -> None:
        """Send waiting messages, as far as credit, the session's window and the transport allow."""
        link, driver, waiting = self._link, self._driver, self._waiting
        self._go_on.set()
        if link is None or not waiting:
            return
        driver.settle_first()
        while waiting and driver.writable and link.sendable():
            message = waiting.popleft()
            self._waiting_bytes -= len(message.payload)
            if message.outcomes.abandoned:
                self.settle(message, ACCEPTED)
                continue
            link.send(message.payload, self._options.settled, message, message.state)
            if self._options.settled:
                self.settle(message, ACCEPTED)
            # Write much at once; the transport stops it through `writable`.
            driver.schedule()
        self._look_for_room()

    def accepted(self, messages: Iterable[OutgoingMessage]) -> None:
        """See SendingUser."""
        for message in messages:
            if message.transaction is not None:
                self.settle(message, ACCEPTED)
                continue
            self._outstanding -= 1
            message.outcomes.accepted()
        self._look_for_room()

    def settle(self, message: OutgoingMessage, state: DeliveryState | None) -> None:
        """The outcome of one message is known."""
        self._outstanding -= 1
        self._look_for_room()
        if message.transaction is not None:
            if isinstance(state, TransactionalState):
                state = state.outcome
            if not isinstance(state, Accepted) and not message.outcomes.each:
                message.transaction.fail(rejection(self._lifetime.address, state))
            self._done_in(message.transaction)
        message.outcomes.settle(message.index, state)

    def _done_in(self, transaction: Transaction) -> None:
        """Note that one message of a transaction has left, or has its outcome."""
        transaction.sent()
        self._transactions[transaction] -= 1
        if not self._transactions[transaction]:
            del self._transactions[transaction]

    def _look_for_room(self) -> None:
        if not self._room.is_set():
            few = self._outstanding <= self._max_outstanding // 2
            if few and self._waiting_bytes <= MOST_WAITING_BYTES // 2:
                self._room.set()

    def _abandon(self, error: LastvalueError) -> None:
        self._waiting.clear()
        self._room.set()
        self._go_on.set()
        for outcomes in self._awaited:
            outcomes.fail(error)
        for transaction in self._transactions:
            transaction.fail(error)


def rejection(
    queue: str, state: DeliveryState | None, *, index: int = 0, rejected: int = 1
) -> SendRejectedError:
    """The error for a message that the broker refused."""
    outcome, symbol, description = _explained(state)
    return SendRejectedError(queue, outcome, symbol, description, index=index, rejected=rejected)


def _explained(state: DeliveryState | None) -> tuple[str, str, str]:
    full = Condition.RESOURCE_LIMIT_EXCEEDED.amqp10
    match state:
        case Rejected(error=AmqpError(condition=condition, description=description)):
            return "rejected", condition, description or ""
        case Rejected():
            return "rejected", Condition.INTERNAL_ERROR.amqp10, "the broker gave no reason"
        case Modified():
            return "modified", full, "the queue does not take it now"
        case _:
            return "released", full, "the queue does not take it now"
