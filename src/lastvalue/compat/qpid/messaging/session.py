"""The session of `qpid.messaging`: senders, receivers, and messages that are not acknowledged."""

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self, final

from lastvalue.addresses import Address, parse_address
from lastvalue.client.timeouts import within_timeout
from lastvalue.codec.amqp10.performatives import DeliveryState, Released
from lastvalue.compat.qpid.messaging.disposition import Disposition, outcome
from lastvalue.compat.qpid.messaging.errors import InvalidOption, SessionClosed, TransactionError, translated
from lastvalue.compat.qpid.messaging.message import Message
from lastvalue.compat.qpid.messaging.open_connection import OpenConnection
from lastvalue.compat.qpid.messaging.prefetch_receiver import PrefetchReceiver
from lastvalue.compat.qpid.messaging.receiver import Receiver, opened_receiver
from lastvalue.compat.qpid.messaging.sender import Sender, opened_sender
from lastvalue.compat.qpid.messaging.session_transaction import SessionTransaction
from lastvalue.protocols.amqp10.receiver import Delivery

_RELEASED: Final = Released()


@final
class Session:
    """Senders and receivers whose messages are acknowledged together; `Connection.session` makes it.

    Attributes:
        name: its name, for logs.
        senders, receivers: the open ones.
    """

    def __init__(self, opened: OpenConnection, name: str, *, transactional: bool = False) -> None:
        self.name = name
        self.senders: list[Sender] = []
        self.receivers: list[Receiver] = []
        self._opened = opened
        self._work = SessionTransaction(opened, transactional=transactional)
        self._unacknowledged: dict[int, tuple[Message, PrefetchReceiver, Delivery]] = {}
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def sender(self, target: str, **options: Any) -> Sender:
        """A sender to an address; the only option is `capacity`, how many messages may be unconfirmed.

        Raises:
            MalformedAddress, InvalidOption: the address, or an option, is invalid.
            NotFound, AssertionFailed: the queue does not exist, or differs from the assertion.
        """
        address = self._checked(target, options)
        sender = self._opened.run(opened_sender(self._opened, address, options.get("capacity"), self._work))
        self.senders.append(sender)
        return sender

    def receiver(self, source: str, **options: Any) -> Receiver:
        """A receiver from an address; the only option is `capacity`, the number of messages to prefetch.

        Raises:
            MalformedAddress, InvalidOption: the address, or an option, is invalid.
            NotFound, AssertionFailed: the queue does not exist, or differs from the assertion.
        """
        address = self._checked(source, options)
        capacity = options.get("capacity") or 0
        receiver = self._opened.run(opened_receiver(self._opened, address, capacity, self._keep))
        self.receivers.append(receiver)
        return receiver

    def acknowledge(
        self,
        message: Message | None = None,
        disposition: Disposition | None = None,
        sync: bool = True,  # noqa: FBT001, FBT002 - the interface's
    ) -> None:
        """Acknowledge a message, or all messages that were fetched and not acknowledged.

        Args:
            message: one that was fetched; None for all of them. Other messages are ignored.
            disposition: release or reject; None accepts, and the message leaves the queue.
            sync: wait until the broker has processed it.
        """
        if message is None:
            settled, self._unacknowledged = list(self._unacknowledged.values()), {}
        else:
            settled = [self._unacknowledged.pop(id(message))] if id(message) in self._unacknowledged else []
        if settled:
            self._opened.run(self._settle(settled, outcome(disposition), sync=sync))

    def commit(self, timeout: float | None = None) -> None:
        """Commit everything that was sent and acknowledged since the last commit.

        Raises:
            TransactionAborted: it could not be committed and was rolled back.
            TransactionError: the session is not transactional.
        """
        self._check_transactional()
        self._opened.run(self._commit(timeout))

    def rollback(self, timeout: float | None = None) -> None:
        """Roll back everything since the last commit; fetched messages return to their places.

        Raises:
            TransactionError: the session is not transactional.
        """
        self._check_transactional()
        self._opened.run(self._roll_back(timeout))

    def sync(self, timeout: float | None = None) -> None:
        """Wait until the broker has processed everything that this session sent and acknowledged.

        Raises:
            TargetCapacityExceeded, SendError: the broker refused a message.
        """
        for sender in self.senders:
            sender.sync(timeout)
        self._opened.run(self._opened.round_trip())

    def close(self) -> None:
        """Close its senders and receivers; closing twice does nothing.

        Messages that were fetched and not acknowledged return to their places.
        """
        if not self._closed:
            self._closed = True
            self._unacknowledged.clear()
            with ExitStack() as links:
                links.callback(lambda: self._opened.run(self._work.rollback()))
                for receiver in self.receivers:
                    links.callback(receiver.close)
                for sender in self.senders:
                    links.callback(sender.close)

    def _check_transactional(self) -> None:
        if self._closed:
            raise SessionClosed(f"session {self.name!r} is closed; begin another")
        if not self._work.transactional:
            raise TransactionError(
                f"session {self.name!r} has no transactions; begin it with transactional=True"
            )

    async def _commit(self, timeout_s: float | None) -> None:
        async with within_timeout(timeout_s, "a commit"):
            await self._work.commit()

    async def _roll_back(self, timeout_s: float | None) -> None:
        """Release everything at once, so that it comes again in its order."""
        unacknowledged, self._unacknowledged = list(self._unacknowledged.values()), {}
        for receiver in self.receivers:
            receiver.pull.release_arrived()
        for _, pull, delivery in unacknowledged:
            pull.settle(delivery, _RELEASED)
        async with within_timeout(timeout_s, "a rollback"):
            await self._work.rollback()
        for receiver in self.receivers:
            receiver.pull.prefetch()

    def _checked(self, address: str, options: dict[str, Any]) -> Address:
        if self._closed:
            raise SessionClosed(f"session {self.name!r} is closed; begin another")
        capacity = options.get("capacity")
        if options.keys() - {"capacity"} or not (capacity is None or isinstance(capacity, int)):
            raise InvalidOption(f"the only option is capacity, a number; got {options!r}")
        with translated():
            parsed = parse_address(address)
        self._forget_closed()
        return parsed

    def _forget_closed(self) -> None:
        self.senders = [sender for sender in self.senders if not sender.is_closed]
        self.receivers = [receiver for receiver in self.receivers if not receiver.is_closed]

    def _keep(self, message: Message, pull: PrefetchReceiver, delivery: Delivery) -> None:
        # The reference to the message keeps its id() unique.
        self._unacknowledged[id(message)] = message, pull, delivery

    async def _settle(
        self, settled: list[tuple[Message, PrefetchReceiver, Delivery]], state: DeliveryState, *, sync: bool
    ) -> None:
        transaction = await self._work.transaction()
        if transaction is not None:
            state = transaction.settling(state)
        for _, pull, delivery in settled:
            pull.settle(delivery, state)
        if sync:
            await self._opened.round_trip()
