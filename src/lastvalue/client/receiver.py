"""Browsers and receivers: reading a queue, and acquiring messages from it."""

from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TypeVar, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import ConnectionLostError
from lastvalue.client.inbox import ACCEPTED, Inbox, ReceiveOptions
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.client.reconnection import transmission
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import Transaction
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Modified,
    Rejected,
    Released,
)
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.receiver import Delivery as Arrival

DEFAULT_AHEAD: Final = 100
MOST_REMEMBERED: Final = 1000
"""How many of the last settled deliveries a receiver remembers, with the outcome, should they come again."""

_RELEASED: Final = Released()
T = TypeVar("T")

_Identity = tuple[object, object]
"""A message's id for duplicate detection, or its sequence, and the time when it came to the queue."""


class Browser:
    """A queue's messages in order, which stay on the queue; an async iterator and an async context manager.

    It attaches at the first request for a message or at `async with`, and detaches when it ends, is closed or
    garbage collected.

    Attributes:
        inbox: its link.
    """

    def __init__(self, driver: Driver, options: ReceiveOptions, timeout_s: float | None) -> None:
        self.queue = options.address
        self.timeout_s = timeout_s
        self._stream = _Stream(driver, options)
        self.inbox = self._stream.inbox

    async def __aenter__(self) -> Self:
        await self._stream.open(self.timeout_s)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        messages = await self.batch(1)
        if not messages:
            self.close()
            raise StopAsyncIteration
        return messages[0]

    async def batch(self, most: int = DEFAULT_AHEAD) -> list[Message]:
        """The next messages, at least one and at most this many; waits for the first; none at the end."""
        while arrivals := await self._stream.take(most, self.timeout_s):
            messages = [decode_message(self._settled(arrival)) for arrival in arrivals]
            tracing = self._stream.tracing
            if tracing is not None:
                for each in messages:
                    tracing.end(tracing.receiving(self.queue, each))
            if new := self._not_had(messages, _itself):
                return new
        return []

    async def payloads(self, most: int = DEFAULT_AHEAD) -> list[bytes]:
        """As `batch`, but encoded sections, so that malformed messages raise nothing."""
        while arrivals := await self._stream.take(most, self.timeout_s):
            if new := self._not_had([self._settled(arrival) for arrival in arrivals], decode_message):
                return new
        return []

    def change_pace(self, *, rate: float | None = None, interval_ms: int | None = None) -> None:
        """Change the pace of a browser that watches; without arguments it has none any more.

        Raises:
            ValueError: it is negative, or both are given.
            ClientError: the link has ended.
        """
        self._stream.inbox.change_pace(rate, interval_ms)

    def ask_full_values(self) -> None:
        """Ask a browser that watches with `delta` or `unchanged` for each key's next value, whole.

        Raises:
            ClientError: the link has ended.
        """
        self._stream.inbox.ask_full_values()

    def close(self) -> None:
        """Detach. Closing twice does nothing."""
        self._stream.close()

    def _not_had(self, came: list[T], message: Callable[[T], Message]) -> list[T]:
        """Those that the application has not had before the connection was lost."""
        inbox = self._stream.inbox
        if inbox.place is None:
            return came
        if inbox.place.is_known_by_token:
            inbox.place.note_token(map(message, reversed(came)))
            return came
        new = [each for each in came if inbox.place.note(message(each))]
        inbox.not_counted(len(came) - len(new))
        return new

    def _settled(self, arrival: Arrival) -> bytes:
        if not arrival.settled:
            self._stream.inbox.settle(arrival, ACCEPTED)
        return arrival.payload


def _itself(message: Message) -> Message:
    return message


class Receiver:
    """A queue's messages as deliveries to settle; an async iterator and an async context manager.

    It attaches at the first request for a message or at `async with`. It detaches when it is closed, or
    garbage collected with all its deliveries.
    """

    def __init__(self, driver: Driver, options: ReceiveOptions, timeout_s: float | None) -> None:
        self.queue = options.address
        self.timeout_s = timeout_s
        self._stream = _Stream(driver, options)

    async def __aenter__(self) -> Self:
        await self._stream.open(self.timeout_s)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> "Delivery":
        deliveries = await self.batch(1)
        if not deliveries:
            raise StopAsyncIteration
        return deliveries[0]

    async def batch(self, most: int = DEFAULT_AHEAD) -> "list[Delivery]":
        """The next deliveries, at least one and at most this many; waits for the first; none at the end."""
        while arrivals := await self._stream.take(most, self.timeout_s):
            deliveries = [Delivery(self._stream, arrival) for arrival in arrivals]
            if not self._stream.settled_before:
                return deliveries
            if new := [each for each in deliveries if not each.comes_again()]:
                return new
        return []

    def close(self) -> None:
        """Detach; unsettled messages return to their places. Closing twice does nothing."""
        self._stream.close()


@final
class Delivery:
    """A message acquired from a queue, which the application settles once; settling it again does nothing.

    The outcome is sent in the loop's next turn.
    Each method raises the ClientError that ended the link, if it has ended; the message is back on the queue.
    """

    __slots__ = ("_arrival", "_settled", "_span", "_stream", "message")

    def __init__(self, stream: "_Stream", arrival: Arrival) -> None:
        self.message = decode_message(arrival.payload)
        tracing = stream.tracing
        self._span = None if tracing is None else tracing.receiving(stream.queue, self.message)
        # Keeps the link alive, over which the outcome is sent.
        self._stream = stream
        self._arrival = arrival
        self._settled = arrival.settled

    def accept(self, *, transaction: Transaction | None = None) -> None:
        """Accept the message: it leaves the queue, in a transaction at its commit."""
        self._settle(ACCEPTED, transaction)

    def release(self) -> None:
        """Release the message: it returns to its place."""
        self._settle(_RELEASED)

    def reject(self, reason: str = "", *, transaction: Transaction | None = None) -> None:
        """Reject the message: it leaves the queue as a dead letter, in a transaction at its commit."""
        error = AmqpError(Condition.PRECONDITION_FAILED.amqp10, reason) if reason else None
        self._settle(Rejected(error), transaction, reason or "rejected")

    def modify(self, *, failed: bool = True, undeliverable_here: bool = False) -> None:
        """Release the message; its delivery count grows if the delivery failed."""
        self._settle(Modified(delivery_failed=failed, undeliverable_here=undeliverable_here))

    def comes_again(self) -> bool:
        """Settle it as before, if the application has settled it before the connection was lost."""
        # Once: a message that is moved away and back has the same id.
        state = self._stream.settled_before.pop(self._identity, None)
        if state is None:
            return False
        self._settle(state)
        self._stream.inbox.not_counted(1)
        return True

    @property
    def _identity(self) -> _Identity:
        message = self.message
        return transmission(message) or (message.sequence, message.arrival_time_ms)

    def _settle(self, state: DeliveryState, transaction: Transaction | None = None, fault: str = "") -> None:
        if self._settled:
            return
        stream = self._stream
        current = stream.inbox.is_current(self._arrival)
        if transaction is not None:
            if not current:
                raise ConnectionLostError("the connection was lost; the message is back on the queue")
            state = transaction.settling(state)
        elif stream.settled is not None and isinstance(state, Accepted | Rejected):
            stream.remember(self._identity, state, late=not current)
        if current:
            stream.inbox.settle(self._arrival, state)
        self._settled = True
        if stream.tracing is not None and self._span is not None:
            stream.tracing.end(self._span, fault)


class _Stream:
    """The inbox of a browser or receiver: attached when needed, detached with the last reference.

    Attributes:
        settled: the outcomes of the last deliveries, of a receiver that returns.
        settled_before: those from before the connection was lost: the broker may not have got them.
    """

    def __init__(self, driver: Driver, options: ReceiveOptions) -> None:
        self._driver = driver
        self.queue = options.address
        self.tracing = driver.tracing
        self.inbox = Inbox(driver, options)
        self.settled: deque[tuple[_Identity, DeliveryState]] | None = None
        self.settled_before: dict[_Identity, DeliveryState] = {}
        if driver.reconnects and options.returns and not options.browse:
            self.settled = deque(maxlen=MOST_REMEMBERED + options.ahead)
            self.inbox.on_interrupted = _Recall(self.settled, self.settled_before)
        self._what = f"the next message of {options.address!r}"

    def remember(self, identity: _Identity, state: DeliveryState, *, late: bool) -> None:
        """Note the outcome of a delivery; a late one is of a delivery that comes again."""
        if self.settled is not None:
            self.settled.append((identity, state))
        if late:
            self.settled_before[identity] = state

    async def open(self, timeout_s: float | None) -> None:
        async with within_timeout(timeout_s, self._what):
            await self.inbox.attach()

    async def take(self, most: int, timeout_s: float | None) -> list[Arrival]:
        inbox = self.inbox
        if taken := inbox.take_now(most):
            return taken
        async with within_timeout(timeout_s, self._what):
            await inbox.attach()
            return await inbox.take(most)

    def close(self) -> None:
        self.inbox.detach()

    def __del__(self) -> None:
        # The last reference may disappear in any thread.
        self._driver.call(self.inbox.detach)


class _Recall:
    """The connection is lost: remember the last outcomes. It holds no reference to the stream."""

    def __init__(
        self, settled: deque[tuple[_Identity, DeliveryState]], before: dict[_Identity, DeliveryState]
    ) -> None:
        self._settled = settled
        self._before = before

    def __call__(self) -> None:
        self._before.clear()
        self._before.update(self._settled)
