"""The sender of `qpid.messaging`."""

from types import TracebackType
from typing import Self, final

from lastvalue.addresses import Address, Mode, Reliability, Side
from lastvalue.client.outbox import SenderOptions
from lastvalue.client.sender import DEFAULT_MAX_OUTSTANDING
from lastvalue.client.sender import Sender as ClientSender
from lastvalue.client.timeouts import within_timeout
from lastvalue.compat.qpid.messaging.errors import InvalidOption, NotAvailable
from lastvalue.compat.qpid.messaging.message import Message, outgoing
from lastvalue.compat.qpid.messaging.nodes import asserted, delete, resolve_node, terminus
from lastvalue.compat.qpid.messaging.open_connection import OpenConnection
from lastvalue.compat.qpid.messaging.session_transaction import SessionTransaction

_UNCONFIRMED = (Reliability.UNRELIABLE, Reliability.AT_MOST_ONCE)


@final
class Sender:
    """Sends to the queue of an address; `Session.sender` makes and opens it.

    Attributes:
        target: the queue's name.
    """

    def __init__(
        self, opened: OpenConnection, address: Address, link: ClientSender, work: SessionTransaction
    ) -> None:
        self.target = address.name
        self._work = work
        self._opened = opened
        self._address = address
        self._link = link
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

    def send(
        self,
        message: object,
        sync: bool = True,  # noqa: FBT001, FBT002 - the interface's
        timeout: float | None = None,
    ) -> None:
        """Send a message, or a content as a message.

        Args:
            message: the message or content; it is encoded at once and may be changed afterwards.
            sync: wait for the confirmation of this message and of all messages sent before.
            timeout: how many seconds that may take.

        Raises:
            TargetCapacityExceeded, SendError: the broker refused it, or one sent before.
        """
        whole = message if isinstance(message, Message) else Message(message)
        self._opened.run(self._send(whole, timeout, sync=sync))

    def sync(self, timeout: float | None = None) -> None:
        """Wait for the confirmation of all messages; raises as `send` does."""
        self._opened.run(self._link.flush(timeout_s=timeout))

    def close(self, sync: bool = True, timeout: float | None = None) -> None:  # noqa: FBT001, FBT002 - the interface's
        """Close it, and delete its queue if the address says so. Closing twice does nothing.

        Args:
            sync: wait for the confirmation of all messages; raises as `send` does.
            timeout: how many seconds that may take.
        """
        if not self._closed:
            self._closed = True
            self._opened.run(self._close(timeout, sync=sync))

    async def _send(self, message: Message, timeout_s: float | None, *, sync: bool) -> None:
        async with within_timeout(timeout_s, f"sending to {self.target!r}"):
            transaction = await self._work.transaction()
            await self._link.post(outgoing(message, self._address.subject), transaction=transaction)
            if sync:
                await self._link.flush()

    async def _close(self, timeout_s: float | None, *, sync: bool) -> None:
        try:
            if sync:
                await self._link.flush(timeout_s=timeout_s)
        finally:
            self._link.close()
        await delete(self._opened, self._address, Side.SENDER)


async def opened_sender(
    opened: OpenConnection, address: Address, capacity: int | None, work: SessionTransaction
) -> Sender:
    """An attached sender for the address, whose policies are carried out; `work` is its session's.

    Raises:
        InvalidOption: the address is one for receivers.
    """
    options = address.options
    if options.mode is Mode.BROWSE or options.link.selector is not None or options.link.filter:
        raise InvalidOption(
            f"mode, selector and filter are for receivers; {address.name!r} is opened by a sender"
        )
    if options.link.reliability is Reliability.EXACTLY_ONCE:
        raise NotAvailable("reliability exactly-once is not available in this client; at-least-once is")
    address = await resolve_node(opened, address, Side.SENDER)
    link = ClientSender(
        opened.driver,
        terminus(address),
        SenderOptions(capacity or DEFAULT_MAX_OUTSTANDING, settled=options.link.reliability in _UNCONFIRMED),
    )
    with asserted(address, Side.SENDER):
        await link.open()
    return Sender(opened, address, link, work)
