"""Who is connected, over whatever protocol, as those see it who look after the broker."""

from typing import Any, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.queue_host import QueueReader
from lastvalue.queues.subscription import Mode


@final
class ConsumerInfo:
    """Somebody who reads a queue.

    Attributes:
        name: of the link or the consumer.
        queue: the queue's name.
        browses: nothing is taken from the queue.
        settles: what is sent has left the queue.
        held: how many messages it has and has not settled.
    """

    __slots__ = ("browses", "held", "name", "queue", "settles")

    def __init__(self, name: str, reader: QueueReader, settles: bool) -> None:
        self.name = name
        self.queue = reader.hosted.queue.spec.name
        self.browses = reader.subscription.mode is not Mode.CONSUME
        self.settles = settles
        self.held = len(reader.subscription.held.entries())


@final
class SessionInfo:
    """A session or a channel, by its number."""

    __slots__ = ("channel", "readers")

    def __init__(self, channel: i64, readers: list[ConsumerInfo]) -> None:
        self.channel: i64 = channel
        self.readers = readers


@final
class ConnectionInfo:
    """A connection.

    Attributes:
        name: of the broker's giving; no other connection has had it.
        protocol: and its version.
        identity: the user.
        mechanism: by which that was proved; empty where it is not known.
        program: what the peer calls itself.
        told: what else the peer told of itself.
    """

    __slots__ = ("identity", "mechanism", "name", "program", "protocol", "sessions", "told")

    def __init__(self, name: str, protocol: str, identity: str) -> None:
        self.name = name
        self.protocol = protocol
        self.identity = identity
        self.mechanism = ""
        self.program = ""
        self.told: dict[str, Any] = {}
        self.sessions: list[SessionInfo] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class ConnectionHandle:
    """A connection that can be asked."""

    __slots__ = ()

    def info(self) -> ConnectionInfo | None:
        """What there is of it now; None while it is not open."""
        raise NotImplementedError

    def shut_down(self, reason: str) -> None:
        """Close it from this side."""
        raise NotImplementedError


@final
class Connections:
    """The connections that there are."""

    __slots__ = ("_connections",)

    def __init__(self) -> None:
        self._connections: dict[ConnectionHandle, None] = {}

    def join(self, connection: ConnectionHandle) -> None:
        """A connection comes."""
        self._connections[connection] = None

    def leave(self, connection: ConnectionHandle) -> None:
        """It is gone; telling it more than once does no harm."""
        self._connections.pop(connection, None)

    def infos(self) -> list[ConnectionInfo]:
        """What there is of those that are open."""
        return [info for info in [connection.info() for connection in self._connections] if info is not None]

    def close_connection(self, name: str, reason: str) -> bool:
        """Close the connection of that name; whether there is one."""
        for connection in list(self._connections):
            info = connection.info()
            if info is not None and info.name == name:
                connection.shut_down(reason)
                return True
        return False
