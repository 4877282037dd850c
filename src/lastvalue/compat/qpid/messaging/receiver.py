"""The receiver of `qpid.messaging`."""

from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TypeAlias, final

from lastvalue.addresses import Address, Reliability, Side
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.performatives import Source
from lastvalue.codec.amqp10.values import Described, Symbol, Value
from lastvalue.compat.qpid.messaging.errors import Empty, NotAvailable
from lastvalue.compat.qpid.messaging.filters import check_in_place, link_filters
from lastvalue.compat.qpid.messaging.message import Message, incoming
from lastvalue.compat.qpid.messaging.nodes import asserted, delete, resolve_node, terminus
from lastvalue.compat.qpid.messaging.open_connection import OpenConnection
from lastvalue.compat.qpid.messaging.prefetch_receiver import PrefetchReceiver
from lastvalue.protocols.amqp10.receiver import Delivery

Fetched: TypeAlias = Callable[[Message, PrefetchReceiver, Delivery], None]
"""Called with each message that needs an acknowledgement."""

_UNACKNOWLEDGED: Final = (Reliability.UNRELIABLE, Reliability.AT_MOST_ONCE)
_BINDING_FILTER: Final = "apache.org:legacy-amqp-{}-binding:string"


@final
class Receiver:
    """Receives from the queue of an address; `Session.receiver` makes and opens it.

    Attributes:
        source: the queue's name.
        pull: its link.
    """

    def __init__(
        self, opened: OpenConnection, address: Address, pull: PrefetchReceiver, fetched: Fetched
    ) -> None:
        self.source = address.name
        self._opened = opened
        self._address = address
        self.pull = pull
        self._fetched = fetched
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    @property
    def capacity(self) -> int:
        """How many messages may come before they are fetched; 0 gets each message at its fetch."""
        return self.pull.capacity

    @capacity.setter
    def capacity(self, messages: int) -> None:
        self.pull.capacity = messages
        self._opened.run(self._prefetch())

    def available(self) -> int:
        """How many messages have come and were not fetched yet."""
        return self.pull.available

    def fetch(self, timeout: float | None = None) -> Message:
        """The next message.

        Args:
            timeout: seconds to wait; 0 gets a message that is there, None waits for ever.

        Raises:
            Empty: no message came in time.
        """
        delivery = self._opened.run(self.pull.fetch(timeout))
        if delivery is None:
            raise Empty(f"no message came from {self.source!r} in {timeout or 0:g} s")
        message = incoming(decode_message(delivery.payload))
        if not delivery.settled:
            self._fetched(message, self.pull, delivery)
        return message

    def close(self) -> None:
        """Close it, and delete its queue if the address says so. Closing twice does nothing.

        Messages that were not acknowledged return to their places.
        """
        if not self._closed:
            self._closed = True
            self._opened.run(self._close())

    async def _prefetch(self) -> None:
        self.pull.prefetch()

    async def _close(self) -> None:
        self.pull.detach()
        await delete(self._opened, self._address, Side.RECEIVER)


async def opened_receiver(
    opened: OpenConnection, address: Address, capacity: int, fetched: Fetched
) -> Receiver:
    """An attached receiver for the address, whose policies are carried out.

    Raises:
        NotAvailable: the broker does not have a filter of the address.
    """
    reliability = address.options.link.reliability
    if reliability is Reliability.EXACTLY_ONCE:
        raise NotAvailable("reliability exactly-once is not available in this client; at-least-once is")
    filters = {**_subject_filter(address.subject), **link_filters(address)}
    address = await resolve_node(opened, address, Side.RECEIVER)
    source = Source(
        address=terminus(address), distribution_mode="copy" if address.browses else "move", filter=filters
    )
    # The outcome of a copy has no meaning.
    pull = PrefetchReceiver(opened.driver, source, settled=address.browses or reliability in _UNACKNOWLEDGED)
    with asserted(address, Side.RECEIVER):
        attached = await pull.attach()
    try:
        check_in_place(address, filters, attached.filter)
    except NotAvailable:
        pull.detach()
        raise
    pull.capacity = capacity
    pull.prefetch()
    return Receiver(opened, address, pull, fetched)


def _subject_filter(subject: str | None) -> dict[str, Value]:
    if not subject:
        return {}
    kind = "topic" if "*" in subject or "#" in subject else "direct"
    return {"subject": Described(Symbol(_BINDING_FILTER.format(kind)), subject)}
