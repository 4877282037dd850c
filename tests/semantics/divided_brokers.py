"""Brokers in threads of this process that share queues: each has some of their keys."""

from types import TracebackType
from typing import Any, Self

from log_servers import free_ports

from lastvalue.broker.partitions import Partition, Partitions
from lastvalue.broker.rights.permissions import ALL, Permissions, parse_rule
from lastvalue.client import blocking
from lastvalue.client.loop_thread import LoopThread
from lastvalue.model.key_partition import key_octets, key_partition
from lastvalue.server.broker_server import BrokerServer, ServerOptions

USERS = {"ann": "secret"}


class DividedBrokers:
    """Brokers over which the keys of all queues named `divided.*` are divided; a context manager.

    Attributes:
        urls: where each listens.
    """

    def __init__(self, count: int = 2) -> None:
        ports = free_ports(count)
        leaders = [f"127.0.0.1:{port}" for port in ports]
        self.urls = [f"amqp://{leader}" for leader in leaders]
        self._thread = LoopThread()
        self._leaders = leaders
        self._servers = [self._server(number) for number in range(count)]

    def _server(self, number: int) -> BrokerServer:
        own = self._leaders[number]
        port = int(own.rpartition(":")[2])
        server = BrokerServer(ServerOptions(port=port, users=USERS, anonymous=True))
        partition = Partition("divided.*", self._leaders, own)
        server.broker.authorization.partitions = Partitions([partition])
        return server

    def __enter__(self) -> Self:
        for server in self._servers:
            self._thread.run(server.start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            self._thread.run(server.stop())
        self._thread.stop()

    def stop(self, number: int) -> None:
        """End one of them."""
        self._thread.run(self._servers[number].stop())

    def start_empty(self, number: int) -> None:
        """Start another one in the place of one that has ended."""
        self._servers[number] = self._server(number)
        self._thread.run(self._servers[number].start())

    def permit(self, number: int, *rules: str) -> None:
        """Let everybody do at one of them what these rules allow, and everything where there are none."""
        permissions = Permissions(map(parse_rule, rules)) if rules else ALL

        async def permit() -> None:
            broker = self._servers[number].broker
            broker.authorization.permissions = lambda _: permissions
            broker.permissions_changed(0)

        self._thread.run(permit())

    def declare(self, name: str, **options: Any) -> str:
        """Declare a queue at all of them; its name."""
        for url in self.urls:
            with blocking.connect(url) as connection:
                connection.declare(name, **options)
        return name

    def declare_at(self, number: int, name: str, **options: Any) -> None:
        """Declare a queue at one of them."""
        with blocking.connect(self.urls[number]) as connection:
            connection.declare(name, **options)

    def held(self, queue: str) -> list[dict[object, object]]:
        """The bodies by their keys in the property `k`, at each of them."""
        found = []
        for url in self.urls:
            with blocking.connect(url) as connection:
                messages = list(connection.queue(queue).browse())
            found.append({message.properties["k"]: message.body for message in messages})
        return found

    def expected(self, bodies: dict[object, object]) -> list[dict[object, object]]:
        """The same of what is sent, by the hash."""
        count = len(self.urls)
        return [
            {
                key: body
                for key, body in bodies.items()
                if key_partition(key_octets(key) or b"", count) == number
            }
            for number in range(count)
        ]
