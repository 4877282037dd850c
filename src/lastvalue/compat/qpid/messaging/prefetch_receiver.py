"""A receiving link with a prefetch; messages are fetched one at a time."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import ClientError
from lastvalue.client.inbox import ENTRY_ANNOTATIONS
from lastvalue.client.lifetime import Lifetime
from lastvalue.codec.amqp10.performatives import AmqpError, DeliveryState, Released, Source, Target
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink

_RELEASED: Final = Released()


@final
class PrefetchReceiver:
    """One receiving link; a fetch gives credit, and drains it if no message comes.

    So with a capacity of 0 the broker chooses the message at the time of the fetch.

    Attributes:
        capacity: how many messages may come before they are fetched.
    """

    def __init__(self, driver: Driver, source: Source, *, settled: bool) -> None:
        self.capacity = 0
        self._driver = driver
        self._source = source
        self._settled = settled
        self._lifetime = Lifetime(source.address or "")
        self._link: ReceiverLink | None = None
        self._arrived: deque[Delivery] = deque()
        self._news = asyncio.Event()
        self._turn = asyncio.Lock()

    @property
    def available(self) -> int:
        """The number of messages that have come and were not fetched yet."""
        return len(self._arrived)

    async def attach(self) -> Source:
        """Attach the link; returns the source in the broker's answer.

        Raises:
            QueueNotFoundError, RefusedError: the node does not exist, or the user may not read it.
        """
        self._link = self._driver.attach_receiver(
            self, self._source, Target(), settled=self._settled, capabilities=(ENTRY_ANNOTATIONS,)
        )
        await self._lifetime.until_open()
        remote = self._link.remote
        return remote.source if remote is not None and isinstance(remote.source, Source) else Source()

    async def fetch(self, timeout_s: float | None) -> Delivery | None:
        """The next message, or None if none came in time.

        When the time is over, the credit is drained: a timeout of 0 gets a message that is there.
        """
        async with self._turn:
            if not self._arrived:
                self._lifetime.check()
                self._give_credit(max(1, self.capacity))
                await self._next_or_none(timeout_s)
            delivery = self._arrived.popleft() if self._arrived else None
            self.prefetch()
            return delivery

    def prefetch(self) -> None:
        """Give credit for as many messages as the capacity."""
        if self.capacity and self._lifetime.is_open:
            self._give_credit(self.capacity)

    def settle(self, delivery: Delivery, state: DeliveryState) -> None:
        """Send the outcome of a delivery, unless the broker has settled it.

        Raises:
            ClientError: the link has ended; the message is back on the queue.
        """
        if not delivery.settled and self._link is not None:
            self._lifetime.check()
            self._link.settle(delivery.delivery_id, delivery.delivery_id, state)
            self._driver.schedule()

    def release_arrived(self) -> None:
        """Release the messages that have come and were not fetched."""
        while self._arrived:
            delivery = self._arrived.pop()
            if not self._lifetime.failure and not self._lifetime.closing:
                self.settle(delivery, _RELEASED)

    def detach(self) -> None:
        """Detach the link; unsettled messages return to their places. Detaching twice does nothing."""
        if self._lifetime.close() and self._link is not None:
            self._link.detach()
            self._driver.forget(self)
            self._driver.schedule()
        self._news.set()

    # ---- Calls of the driver.

    def opened(self) -> None:
        """See LinkUser."""
        self._lifetime.opened()

    def ended(self, error: AmqpError | None) -> None:
        """See LinkUser."""
        self._lifetime.ended(error)
        self._news.set()

    def lost(self, error: ClientError) -> None:
        """See LinkUser."""
        self._lifetime.fail(error)
        self._news.set()

    def arrived(self, delivery: Delivery) -> None:
        """See ReceivingUser."""
        self._arrived.append(delivery)
        self._news.set()

    def drained(self) -> None:
        """See ReceivingUser."""
        self._news.set()

    # ----

    def _give_credit(self, messages: int) -> None:
        """Raise the credit to this many, less the messages that have come, whenever half of it is used."""
        link = self._link
        if link is None:
            return
        missing = messages - len(self._arrived) - int(link.credit)
        if missing * 2 >= messages:
            link.add_credit(missing)
            self._driver.schedule()

    async def _next_or_none(self, timeout_s: float | None) -> None:
        if timeout_s is None or timeout_s > 0:
            try:
                async with asyncio.timeout(timeout_s):
                    await self._until(self._has_arrived)
            except TimeoutError:
                pass
        if not self._arrived and self._link is not None and self._link.credit:
            self._link.request_drain()
            self._driver.schedule()
            await self._until(self._has_no_credit)

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            self._lifetime.check()
            self._news.clear()
            await self._news.wait()

    def _has_arrived(self) -> bool:
        return bool(self._arrived)

    def _has_no_credit(self) -> bool:
        return self._link is None or self._link.credit == 0
