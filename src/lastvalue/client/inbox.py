"""Messages on their way from one node: few enough that a slow reader leaves them at the broker."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import ClientError
from lastvalue.client.lifetime import Lifetime
from lastvalue.client.wanted import EVERYTHING, Wanted
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Source,
    Target,
)
from lastvalue.protocols.amqp10.events import Delivery
from lastvalue.protocols.amqp10.receiver import ReceiverLink

ACCEPTED: Final = Accepted()
ENTRY_ANNOTATIONS: Final = "lastvalue:entry-annotations"
"""The capability of a link whose messages tell their place on the queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveOptions:
    """What a receiving link takes.

    Attributes:
        address: the node.
        browse: copies, leaving the messages there.
        to_tail: only what is there; it ends instead of waiting for more.
        ahead: messages that may be on their way here or wait to be taken.
        limit: messages after which it ends, or None.
        reply_address: the address under which answers come, for a link to a node that answers requests.
        wanted: which of the messages are asked for.
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
            raise ValueError(f"credit and prefetch are 1 or more, not {self.ahead}")
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"limit is 1 or more, or None; not {self.limit}")


@final
class Inbox:
    """One receiving link and the messages that have come over it.

    Credit is given only as messages are taken: an application that is slow or stops holds `ahead` messages,
    the others stay with the broker, which conflates them.
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
        """Attach the link and let messages come; attaching again waits for the same.

        Raises:
            QueueNotFoundError, RefusedError: the broker does not let the node be read.
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
                # Of a copy nobody needs to tell the outcome.
                settled=options.browse,
                capabilities=(ENTRY_ANNOTATIONS,),
                properties=options.wanted.properties(),
            )
            self._give_credit()
        await self._lifetime.until_open()

    async def take(self, most: int) -> list[Delivery]:
        """The next deliveries, at least one and at most so many; none at the end.

        Taking says that the application is done with what it took before.

        Raises:
            ClientError: the link has ended, and all that had come is taken.
        """
        while not (taken := self.take_now(most)):
            self._lifetime.check()
            if self._at_tail or self._handed == self._options.limit:
                break
            self._news.clear()
            await self._news.wait()
        return taken

    def take_now(self, most: int) -> list[Delivery]:
        """What `take` gives without waiting; maybe none."""
        self._done_with = self._handed
        arrived = self._arrived
        taken = [arrived.popleft() for _ in range(min(most, len(arrived)))]
        self._handed += len(taken)
        self._give_credit()
        return taken

    def settle(self, delivery: Delivery, state: DeliveryState) -> None:
        """Tell the broker the outcome of a delivery.

        Raises:
            ClientError: the link has ended; the broker has given the message to someone else.
        """
        self._lifetime.check()
        if self._link is not None:
            self._link.settle(delivery.delivery_id, delivery.delivery_id, state)
            self._driver.schedule()

    def detach(self) -> None:
        """Detach the link; what is not settled returns to its place. Detaching twice does nothing."""
        if self._lifetime.close() and self._link is not None:
            self._link.detach()
            self._driver.forget(self)
            self._driver.schedule()
        self._news.set()

    # ---- What the driver tells.

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
        # Credit given up, not used: there was nothing more.
        if self._received < self._issued:
            self._issued = self._received
            self._at_tail = True
        self._news.set()

    # ----

    def _give_credit(self) -> None:
        """Raise the credit to what may be ahead, whenever half of it is used."""
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
