"""Transactions: messages and settlements that take effect together."""

import asyncio
from collections import deque
from types import TracebackType
from typing import Final, Self, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import (
    ClientError,
    NotOpenError,
    RefusedError,
    TransactionRolledBackError,
    again,
)
from lastvalue.client.lifetime import Lifetime
from lastvalue.client.timeouts import within_timeout
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    Coordinator,
    Declare,
    Declared,
    DeliveryState,
    Discharge,
    Rejected,
    TransactionalState,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.model.conditions import Condition
from lastvalue.model.property_names import REFUSED_ID
from lastvalue.protocols.amqp10.sender import SenderLink

DEFAULT_TRANSACTION_TIMEOUT_S: Final = 30.0
_COORDINATOR: Final = "the transaction coordinator"


@final
class CoordinatorLink:
    """A connection's link to the broker's coordinator, the first request attaches it."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._lifetime = Lifetime(_COORDINATOR)
        self._link: SenderLink | None = None
        self._waiting: deque[tuple[bytes, asyncio.Future[DeliveryState | None]]] = deque()
        self._asked: dict[asyncio.Future[DeliveryState | None], None] = {}

    @property
    def is_open(self) -> bool:
        """Whether the link has not ended."""
        return self._lifetime.failure is None

    async def ask(self, request: Declare | Discharge) -> DeliveryState | None:
        """Send a request; returns its outcome.

        Raises:
            RefusedError: the broker has no transactions, or ended the link.
            ClientError: the connection has ended, for this reason.
        """
        if self._link is None:
            await self._driver.until_usable()
        if self._link is None:
            self._link = self._driver.attach_sender(self, _COORDINATOR, settled=False, target=Coordinator())
        await self._lifetime.until_open()
        answer: asyncio.Future[DeliveryState | None] = asyncio.get_running_loop().create_future()
        self._asked[answer] = None
        self._waiting.append((encode_content(MessageContent(body=decomposed(request))), answer))
        self.may_send()
        try:
            return await answer
        finally:
            self._asked.pop(answer, None)
            del answer

    # ---- Calls of the driver.

    def opened(self) -> None:
        """See LinkUser."""
        self._lifetime.opened()

    def ended(self, error: AmqpError | None) -> None:
        """See LinkUser."""
        self._lifetime.ended(error)
        self._link = None
        self._fail()

    def lost(self, error: ClientError) -> None:
        """See LinkUser."""
        self._lifetime.fail(error)
        self._link = None
        self._fail()

    def may_send(self) -> None:
        """See SendingUser."""
        link = self._link
        if link is None or not self._waiting:
            return
        # The settlements of a transaction must be sent before its discharge.
        self._driver.settle_first()
        while self._waiting and link.sendable():
            payload, answer = self._waiting.popleft()
            link.send(payload, False, answer)  # noqa: FBT003 - as on the hot path
        self._driver.schedule()

    def settle(self, message: "asyncio.Future[DeliveryState | None]", state: DeliveryState | None) -> None:
        """See SendingUser."""
        if not message.done():
            message.set_result(state)

    def accepted(self, messages: "list[asyncio.Future[DeliveryState | None]]") -> None:
        """See SendingUser."""
        for message in messages:
            self.settle(message, Accepted())

    def _fail(self) -> None:
        failure = self._lifetime.failure
        for answer in self._asked:
            if failure is not None and not answer.done():
                answer.set_exception(again(failure))


class Transaction:
    """Messages and settlements that take effect together at the commit; an async context manager.

    The end of the block commits, an exception rolls back.
    `Connection.transaction` makes one; it can be used once.
    """

    def __init__(self, coordinator: CoordinatorLink, timeout_s: float | None) -> None:
        self._coordinator = coordinator
        self._timeout_s = timeout_s
        self._id: bytes | None = None
        self._over = False
        self._failure: Exception | None = None
        self._state = b""
        self._under_way = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def __aenter__(self) -> Self:
        await self.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._over:
            return
        if error is None:
            await self.commit()
        else:
            await self.rollback()

    async def begin(self) -> None:
        """Begin the transaction at the broker; it begins once.

        Raises:
            RefusedError: the broker has no transactions, or too many are open.
        """
        if self._id is not None or self._over:
            raise NotOpenError("a transaction begins once; ask the connection for another")
        async with within_timeout(self._timeout_s, "beginning a transaction"):
            state = await self._coordinator.ask(Declare())
        if not isinstance(state, Declared):
            raise RefusedError("the broker did not begin a transaction", *_reason(state))
        self._id = state.txn_id

    async def commit(self) -> None:
        """Commit everything that was sent and settled in it.

        If the connection is lost meanwhile, it may be committed or rolled back.

        Raises:
            TransactionRolledBackError: the broker could not commit it and rolled it back.
            SendRejectedError: the broker refused a message of it, and it was rolled back.
            ClientError: a link ended with messages on their way, and it was rolled back.
        """
        await self._until_quiet()
        if self._failure is not None:
            await self.rollback()
            raise again(self._failure)
        state = await self._discharge(fail=False)
        if not isinstance(state, Accepted):
            raise TransactionRolledBackError(*_reason(state), _duplicate_id(state))

    async def rollback(self) -> None:
        """Roll it back: its messages are dropped, and settled messages return to their places."""
        state = await self._discharge(fail=True)
        if not isinstance(state, Accepted):
            raise RefusedError("the broker did not roll back", *_reason(state))

    async def _discharge(self, *, fail: bool) -> DeliveryState | None:
        discharge = Discharge(self.txn_id, fail)
        self._over = True
        async with within_timeout(self._timeout_s, "ending a transaction"):
            return await self._coordinator.ask(discharge)

    async def _until_quiet(self) -> None:
        async with within_timeout(self._timeout_s, "the confirmation of what was sent in a transaction"):
            while self._under_way and self._failure is None:
                self._quiet.clear()
                await self._quiet.wait()

    # ---- For senders and deliveries.

    @property
    def txn_id(self) -> bytes:
        """The id that the broker gave the transaction.

        Raises:
            NotOpenError: it has not begun, or is over.
        """
        if self._id is None or self._over:
            raise NotOpenError("the transaction has not begun, or is over; use `async with`")
        return self._id

    @property
    def state(self) -> bytes:
        """The encoded state of messages in this transaction.

        Raises:
            NotOpenError: it has not begun, or is over.
        """
        if not self._state or self._over:
            self._state = encode_value(decomposed(TransactionalState(self.txn_id)))
        return self._state

    def sending(self) -> bytes:
        """Count one more message in this transaction; returns its encoded state."""
        state = self.state
        self._under_way += 1
        return state

    def sent(self) -> None:
        """Note that one message has left, or has its outcome."""
        self._under_way -= 1
        if not self._under_way:
            self._quiet.set()

    def settling(self, outcome: DeliveryState) -> DeliveryState:
        """The state of a delivery that gets this outcome at the commit."""
        return TransactionalState(self.txn_id, outcome)

    def fail(self, error: Exception) -> None:
        """Note that a message was refused or lost, so that the transaction cannot be committed."""
        if self._failure is None:
            self._failure = error
        self._quiet.set()


def _duplicate_id(state: DeliveryState | None) -> str | None:
    error = state.error if isinstance(state, Rejected) else None
    found = None if error is None else error.info.get(REFUSED_ID)
    return found if isinstance(found, str) else None


def _reason(state: DeliveryState | None) -> tuple[str, str]:
    if isinstance(state, Rejected) and state.error is not None:
        return state.error.condition, state.error.description or ""
    return Condition.INTERNAL_ERROR.amqp10, "the broker gave no reason"
