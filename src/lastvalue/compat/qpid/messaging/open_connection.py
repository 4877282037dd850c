"""An open connection of the client, with its driver and the thread of its loop."""

from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar, final

from lastvalue.addresses import Address
from lastvalue.client.connection import DEFAULT_TIMEOUT_S, Connection
from lastvalue.client.driver import Driver
from lastvalue.client.endpoints import Endpoint, Endpoints
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.queue_info import QueueInfo
from lastvalue.client.transaction import Transaction
from lastvalue.client.url import BrokerUrl
from lastvalue.compat.qpid.messaging.errors import translated
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.protocols.amqp10.options import ConnectionOptions

T = TypeVar("T")


@final
class _ClientConnection(Connection):
    """The client's connection, with access to its driver for links that the client does not have."""

    @property
    def driver(self) -> Driver:
        return self._checked()[0]


@final
class OpenConnection:
    """The connection that sessions, senders and receivers share; its methods are coroutines of its loop.

    `run` runs them from any thread and raises the errors of this interface.
    """

    def __init__(self, broker: BrokerUrl, options: ConnectionOptions, timeout_s: float) -> None:
        self._thread = LoopThread()
        endpoint = Endpoint(broker, options, broker.tls_context())
        self._connection = _ClientConnection(Endpoints([endpoint], timeout_s), None)
        try:
            self.run(self._connection.open())
        except BaseException:
            self._thread.stop()
            raise

    @property
    def driver(self) -> Driver:
        """The connection's driver."""
        return self._connection.driver

    @property
    def is_running(self) -> bool:
        """Whether it was not closed here; the broker may have ended it."""
        return self._thread.is_running

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop and wait for its end.

        Raises:
            MessagingError: the coroutine raised a LastvalueError, which is translated.
        """
        with translated():
            return self._thread.run(coroutine)

    def close(self, timeout_s: float | None) -> None:
        """Close the connection and end the thread."""
        self.run(self._connection.close(timeout_s=DEFAULT_TIMEOUT_S if timeout_s is None else timeout_s))
        self._thread.stop()

    async def find(self, name: str) -> QueueInfo | None:
        """The queue of that name, or None."""
        try:
            return await self._connection.queue(name).info()
        except QueueNotFoundError:
            return None

    async def declare(self, address: Address, arguments: dict[str, Any]) -> None:
        """Declare a queue, unless it exists with the same options."""
        await self._connection.declare(address.name, **arguments)

    async def delete(self, name: str) -> None:
        """Delete a queue, if it exists."""
        with suppress(QueueNotFoundError):
            await self._connection.delete(name)

    def transaction(self) -> Transaction:
        """A transaction that has not begun."""
        return self._connection.transaction()

    async def round_trip(self) -> None:
        """Wait until the broker has processed everything that was sent before."""
        await self.find("a name to be asked for")
