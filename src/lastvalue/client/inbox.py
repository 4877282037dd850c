"""The inbox of a receiving link: its credit is small, so the broker conflates for a slow reader."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import ClientError, ConnectionLostError
from lastvalue.client.lifetime import Lifetime
from lastvalue.client.reconnection import Place
from lastvalue.client.wanted import EVERYTHING, WATCH, Wanted
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Source,
    Target,
)
from lastvalue.codec.amqp10.values import Value
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink

ACCEPTED: Final = Accepted()
ENTRY_ANNOTATIONS: Final = "lastvalue:entry-annotations"
_MOST_RATE: Final = 1e9
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
        returns: it is attached again, and continues where it was, on a connection that reconnects.
    """

    address: str
    browse: bool = False
    to_tail: bool = False
    ahead: int = 100
    limit: int | None = None
    reply_address: str | None = None
    wanted: Wanted = EVERYTHING
    returns: bool = False

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

    Attributes:
        place: where a browser that returns is; its owner notes what it hands to the application.
        on_interrupted: called when the connection is lost and the link will be attached again.
    """

    def __init__(self, driver: Driver, options: ReceiveOptions) -> None:
        self.place: Place | None = None
        if options.returns and options.browse and driver.reconnects:
            self.place = Place(options.wanted.watch)
        self.on_interrupted: Callable[[], None] = _nothing
        self._driver = driver
        self._options = options
        self._returns = options.returns and driver.reconnects
        self._pace: tuple[float | None, int | None] | None = None
        # The most messages of the link as it is attached now.
        self._limit = options.limit
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
            self._lifetime.check()
            await self._driver.until_usable()
            if self._is_over:
                return
            # It may be attached meanwhile.
            self.resume()
        await self._lifetime.until_open()

    def _attach(self) -> None:
        options = self._options
        wanted = self._wanted()
        self._link = self._driver.attach_receiver(
            self,
            Source(
                address=options.address,
                distribution_mode="copy" if options.browse else "move",
                filter=wanted.filters(),
            ),
            Target(address=options.reply_address),
            # The outcome of a copy has no meaning.
            settled=options.browse,
            capabilities=(ENTRY_ANNOTATIONS,),
            properties=wanted.properties(),
        )
        if self._returns:
            self._driver.keep(self)
        self._give_credit()

    def _wanted(self) -> Wanted:
        """What it asks for now: as at first, or where it was when the connection was lost."""
        wanted = self._options.wanted
        if self.place is None:
            return wanted
        now_s = time.monotonic()
        self.place.begin(now_s)
        wanted = self.place.wanted(wanted, now_s)
        if wanted.watch is not None and self._pace is not None:
            rate, interval_ms = self._pace
            watch = replace(wanted.watch, rate=rate or None, interval_ms=interval_ms or None)
            wanted = replace(wanted, watch=watch)
        return wanted

    @property
    def _is_over(self) -> bool:
        """Whether the application has had all that it asked for."""
        return self._at_tail or self._handed == self._limit

    async def take(self, most: int) -> list[Delivery]:
        """The next deliveries, at least one and at most this many; none at the end.

        A call means that the application has processed the deliveries of the last call.

        Raises:
            ClientError: the link has ended, and every delivery that had come was taken.
        """
        while not (taken := self.take_now(most)):
            self._lifetime.check()
            if self._is_over:
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
        """Send the outcome of a delivery, which came over the link as it is attached now.

        Raises:
            ClientError: the link has ended; the message is back on the queue.
        """
        self._lifetime.check()
        if self._link is not None:
            self._link.settle(delivery.delivery_id, delivery.delivery_id, state)
            self._driver.schedule()

    def is_current(self, delivery: Delivery) -> bool:
        """Whether a delivery came over the link as it is attached now; otherwise it comes again."""
        return not self._returns or delivery.link is self._link or self._lifetime.has_ended

    @property
    def has_ended(self) -> bool:
        """Whether the link has ended, and is not attached again."""
        return self._lifetime.has_ended

    def not_counted(self, count: int) -> None:
        """This many deliveries that were taken do not count for the limit: they had been taken before."""
        if self._limit is not None:
            self._limit += count

    def change_pace(self, rate: float | None, interval_ms: int | None) -> None:
        """Ask a watching link for another pace, which it keeps when the connection comes back.

        Raises:
            ValueError: it is no pace.
            ClientError: the link has ended.
        """
        if rate and interval_ms:
            raise ValueError("a pace is a rate or an interval_ms; not both")
        if not 0 <= (rate or 0) <= _MOST_RATE or not (interval_ms or 0) >= 0:
            raise ValueError(f"a pace is 0 to {_MOST_RATE:g} messages a second, or 0 or more milliseconds")
        self._lifetime.check()
        self._pace = (rate, interval_ms)
        self._ask({"rate": rate, "interval_ms": interval_ms})

    def ask_full_values(self) -> None:
        """Ask a watching link for each key's next value, whole; one that is attached again sends them so.

        Raises:
            ClientError: the link has ended.
        """
        self._lifetime.check()
        self._ask({"full_values": True})

    def _ask(self, asked: dict[str, Value]) -> None:
        if self._link is not None:
            self._link.tell_properties({WATCH: asked})
            self._driver.schedule()

    def detach(self) -> None:
        """Detach the link; unsettled messages return to their places. Detaching twice does nothing."""
        if self._lifetime.close():
            if self._link is not None:
                self._link.detach()
                self._link = None
                self._driver.schedule()
            self._driver.forget(self)
        self._news.set()

    # ---- Calls of the driver.

    def opened(self) -> None:
        """See LinkUser."""
        self._lifetime.opened()

    def ended(self, error: AmqpError | None) -> None:
        """See LinkUser."""
        self._lifetime.ended(error)
        self._link = None
        self._news.set()

    def lost(self, error: ClientError) -> None:
        """See LinkUser."""
        self._lifetime.fail(error)
        self._link = None
        self._news.set()

    def interrupted(self, error: ConnectionLostError) -> None:
        """See ReturningUser: what the application has not taken comes again."""
        del error
        self._lifetime.interrupted()
        self._link = None
        if self._limit is not None:
            self._limit -= self._handed
        self._at_tail = self._at_tail and not self._arrived
        self._arrived.clear()
        self._issued = self._received = self._handed = self._done_with = 0
        self._news.set()
        if self.place is not None:
            self.place.interrupted()
        self.on_interrupted()

    def resume(self) -> None:
        """See ReturningUser."""
        if self._link is None and not self._is_over:
            self._attach()

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
        if self._limit is not None:
            wanted = min(wanted, self._limit)
        missing = wanted - self._issued
        if missing <= 0 or (missing * 2 < options.ahead and wanted != self._limit) or self._at_tail:
            return
        if self._link is None or self._lifetime.failure is not None or self._lifetime.closing:
            return
        self._issued += missing
        self._link.add_credit(missing)
        if options.to_tail:
            self._link.request_drain()
        self._driver.schedule()


def _nothing() -> None:
    """Nobody wants to know."""
