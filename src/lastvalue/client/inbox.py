"""The inbox of a receiving link: its credit is small, so the broker conflates for a slow reader."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import ClientError
from lastvalue.client.lifetime import Lifetime
from lastvalue.client.wanted import EVERYTHING, WATCH, Wanted
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Source,
    Target,
)
from lastvalue.codec.amqp10.values import Value
from lastvalue.protocols.amqp10.events import Delivery
from lastvalue.protocols.amqp10.receiver import ReceiverLink

ACCEPTED: Final = Accepted()
ENTRY_ANNOTATIONS: Final = "lastvalue:entry-annotations"
"""The capability of a link whose messages have annotations with their place on the queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveOptions:
    """The options of a receiving link.

    Attributes:
        address: the node's.
        browse: the messages stay on the queue.
        to_tail: the link ends after the last message that is there, instead of waiting for more.
        ahead: how many messages may be on their way or wait in the inbox.
        limit: the number of messages after which the link ends, or None.
        reply_address: the address of responses, for a link to a management node.
        wanted: which messages the broker sends.
    """

    address: str
    browse: bool = False
    to_tail: bool = False
    ahead: int = 100
    limit: int | None = None
    reply_address: str | None = None
    wanted: Wanted = EVERYTHING

    def __post_init__(self) -> None:
        if self.ahead < 1:
            raise ValueError(f"credit and prefetch is 1 or more, not {self.ahead}")
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"limit is 1 or more, or None; not {self.limit}")


@final
class Inbox:
    """One receiving link and the messages that have come over it.

    It gives credit only as the application takes messages: a slow application has at most `ahead` messages,
    the others stay at the broker, which conflates them.
    """

    def __init__(self, driver: Driver, options: ReceiveOptions) -> None:
        self._driver = driver
        self._options = options
        self._lifetime = Lifetime(options.address)
        self._link: ReceiverLink | None = None
        self._arrived: deque[Delivery] = deque()
        self._news = asyncio.Event()
        self._issued = 0
        self._received = 0
        self._handed = 0
        self._done_with = 0
        self._at_tail = False

    async def attach(self) -> None:
        """Attach the link and give credit; a second call waits for the same attach.

        Raises:
            QueueNotFoundError, RefusedError: the node does not exist, or the user may not read it.
        """
        if self._link is None:
            options = self._options
            self._link = self._driver.attach_receiver(
                self,
                Source(
                    address=options.address,
                    distribution_mode="copy" if options.browse else "move",
                    filter=options.wanted.filters(),
                ),
                Target(address=options.reply_address),
                # The outcome of a copy has no meaning.
                settled=options.browse,
                capabilities=(ENTRY_ANNOTATIONS,),
                properties=options.wanted.properties(),
            )
            self._give_credit()
        await self._lifetime.until_open()

    async def take(self, most: int) -> list[Delivery]:
        """The next deliveries, at least one and at most so many; none at the end.

        A call means that the application has processed the deliveries of the last call.

        Raises:
            ClientError: the link has ended, and every delivery that had come was taken.
        """
        while not (taken := self.take_now(most)):
            self._lifetime.check()
            if self._at_tail or self._handed == self._options.limit:
                break
            self._news.clear()
            await self._news.wait()
        return taken

    def take_now(self, most: int) -> list[Delivery]:
        """The deliveries that `take` returns without waiting; perhaps none."""
        self._done_with = self._handed
        arrived = self._arrived
        taken = [arrived.popleft() for _ in range(min(most, len(arrived)))]
        self._handed += len(taken)
        self._give_credit()
        return taken

    def settle(self, delivery: Delivery, state: DeliveryState) -> None:
        """Send the outcome of a delivery.

        Raises:
            ClientError: the link has ended; the message is back on the queue.
        """
        self._lifetime.check()
        if self._link is not None:
            self._link.settle(delivery.delivery_id, delivery.delivery_id, state)
            self._driver.schedule()

    def change_watch(self, asked: dict[str, Value]) -> None:
        """Ask a watching link for another pace, or for full values.

        Raises:
            ClientError: the link has ended.
        """
        self._lifetime.check()
        if self._link is not None:
            self._link.tell_properties({WATCH: asked})
            self._driver.schedule()

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
        self._received += 1
        self._arrived.append(delivery)
        self._news.set()

    def drained(self) -> None:
        """See ReceivingUser."""
        # The broker dropped the credit instead of using it: the queue has no more messages.
        if self._received < self._issued:
            self._issued = self._received
            self._at_tail = True
        self._news.set()

    # ----

    def _give_credit(self) -> None:
        """Raise the credit to `ahead`, whenever half of it is used."""
        options = self._options
        wanted = self._done_with + options.ahead
        if options.limit is not None:
            wanted = min(wanted, options.limit)
        missing = wanted - self._issued
        if missing <= 0 or (missing * 2 < options.ahead and wanted != options.limit) or self._at_tail:
            return
        if self._link is None or self._lifetime.failure is not None or self._lifetime.closing:
            return
        self._issued += missing
        self._link.add_credit(missing)
        if options.to_tail:
            self._link.request_drain()
        self._driver.schedule()
