"""Browsers and receivers: reading a queue, and acquiring messages from it."""

from types import TracebackType
from typing import Final, Self, final

from lastvalue.client.driver import Driver
from lastvalue.client.inbox import ACCEPTED, Inbox, ReceiveOptions
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import Transaction
from lastvalue.codec.amqp10.performatives import AmqpError, DeliveryState, Modified, Rejected, Released
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.events import Delivery as Arrival

DEFAULT_AHEAD: Final = 100
_RELEASED: Final = Released()


class Browser:
    """A queue's messages in order, which stay on the queue; an async iterator and an async context manager.

    It attaches at the first request for a message or at `async with`, and detaches when it ends, is closed or
    garbage collected.
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

    async def __anext__(self) -> Message:
        arrivals = await self._stream.take(1, self.timeout_s)
        if not arrivals:
            self.close()
            raise StopAsyncIteration
        return self._message(arrivals[0])

    async def batch(self, most: int = DEFAULT_AHEAD) -> list[Message]:
        """The next messages, at least one and at most so many; waits for the first; none at the end."""
        return [self._message(arrival) for arrival in await self._stream.take(most, self.timeout_s)]

    async def payloads(self, most: int = DEFAULT_AHEAD) -> list[bytes]:
        """As `batch`, but encoded sections, so that malformed messages raise nothing."""
        arrivals = await self._stream.take(most, self.timeout_s)
        for arrival in arrivals:
            if not arrival.settled:
                self._stream.inbox.settle(arrival, ACCEPTED)
        return [arrival.payload for arrival in arrivals]

    def change_pace(self, *, rate: float | None = None, interval_ms: int | None = None) -> None:
        """Change the pace of a browser that watches; without arguments it has none any more.

        Raises:
            ClientError: the link has ended.
        """
        asked: dict[str, Value] = {"rate": rate, "interval_ms": interval_ms}
        self._stream.inbox.change_watch(asked)

    def ask_full_values(self) -> None:
        """Ask a browser that watches with `delta` or `unchanged` for each key's next value, whole.

        Raises:
            ClientError: the link has ended.
        """
        self._stream.inbox.change_watch({"full_values": True})

    def close(self) -> None:
        """Detach. Closing twice does nothing."""
        self._stream.close()

    def _message(self, arrival: Arrival) -> Message:
        if not arrival.settled:
            self._stream.inbox.settle(arrival, ACCEPTED)
        message = decode_message(arrival.payload)
        tracing = self._stream.tracing
        if tracing is not None:
            tracing.end(tracing.receiving(self.queue, message))
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
        arrivals = await self._stream.take(1, self.timeout_s)
        if not arrivals:
            raise StopAsyncIteration
        return Delivery(self._stream, arrivals[0])

    async def batch(self, most: int = DEFAULT_AHEAD) -> "list[Delivery]":
        """The next deliveries, at least one and at most so many; waits for the first; none at the end."""
        arrivals = await self._stream.take(most, self.timeout_s)
        return [Delivery(self._stream, arrival) for arrival in arrivals]

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

    def _settle(self, state: DeliveryState, transaction: Transaction | None = None, fault: str = "") -> None:
        if not self._settled:
            if transaction is not None:
                state = transaction.settling(state)
            self._stream.inbox.settle(self._arrival, state)
            self._settled = True
            if self._stream.tracing is not None and self._span is not None:
                self._stream.tracing.end(self._span, fault)


class _Stream:
    """The inbox of a browser or receiver: attached when needed, detached with the last reference."""

    def __init__(self, driver: Driver, options: ReceiveOptions) -> None:
        self._driver = driver
        self.queue = options.address
        self.tracing = driver.tracing
        self.inbox = Inbox(driver, options)
        self._what = f"the next message of {options.address!r}"

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
