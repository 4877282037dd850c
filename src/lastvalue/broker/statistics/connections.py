"""The connections of all protocols: their statistics, and how one is closed."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.containers import Containers
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.rights.owner import Owner, PeerIdentity
from lastvalue.broker.rights.verbs import Verb
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

UNLIMITED: Final = -1


@final
class Traffic:
    """Messages of a link, or of all the links of a connection together.

    Attributes:
        received, refused: messages that the peer published, and those of them that were not taken.
        delivered, redelivered: messages that it was sent, and those of them that had failed before.
        last_ms: when it published or was sent one last; 0 is never.
    """

    __slots__ = ("_whole", "delivered", "last_ms", "received", "redelivered", "refused")

    def __init__(self, whole: "Traffic | None" = None) -> None:
        self._whole = whole
        self.received: i64 = 0
        self.refused: i64 = 0
        self.delivered: i64 = 0
        self.redelivered: i64 = 0
        self.last_ms: i64 = 0

    def move(self, whole: "Traffic") -> None:
        """Be a part of another connection's from now on."""
        self._whole = whole

    def receive(self, count: i64, now: i64) -> None:
        """The peer published messages."""
        self.received += count
        self.last_ms = now
        whole = self._whole
        if whole is not None:
            whole.received += count
            whole.last_ms = now

    def refuse(self) -> None:
        """A message of the peer's was not taken."""
        self.refused += 1
        if self._whole is not None:
            self._whole.refused += 1

    def deliver_more(self, count: i64, now: i64) -> None:
        """The peer is sent messages that never failed."""
        self.delivered += count
        self.last_ms = now
        whole = self._whole
        if whole is not None:
            whole.delivered += count
            whole.last_ms = now

    def deliver(self, again: bool, now: i64) -> None:
        """The peer is sent a message."""
        self.delivered += 1
        self.last_ms = now
        if again:
            self.redelivered += 1
        whole = self._whole
        if whole is not None:
            whole.delivered += 1
            whole.last_ms = now
            if again:
                whole.redelivered += 1


@final
class LinkStatistics:
    """A consumer or a producer: a link, a subscription of AMQP 0-10, a consumer of AMQP 0-9-1.

    Attributes:
        name: of the link or the consumer.
        role: consumer or producer.
        node: the queue that it reads, or what it publishes to; "" is whatever each message says.
        traffic: what it has published or was sent.
        browses: nothing is taken from the queue.
        settles: what is sent has left the queue.
        exclusive: nobody else may consume from the queue.
        window: its credit comes back with what is settled.
        arguments: that it was made with.
        unsettled: how many messages it has and has not settled.
        credit: how many more it may be sent; UNLIMITED is any number.
        reader: of a consumer.
        waits_for, waits_since_ms: why it is sent, or sends, nothing now, and since when; "" and 0
            while nothing stops it.
    """

    __slots__ = (
        "arguments",
        "browses",
        "credit",
        "exclusive",
        "name",
        "node",
        "reader",
        "role",
        "settles",
        "traffic",
        "unsettled",
        "waits_for",
        "waits_since_ms",
        "window",
    )

    def __init__(self, name: str, role: str, node: str, traffic: Traffic) -> None:
        self.name = name
        self.role = role
        self.node = node
        self.traffic = traffic
        self.browses = False
        self.settles = False
        self.exclusive = False
        self.window = False
        self.arguments: dict[str, Any] = {}
        self.unsettled: i64 = 0
        self.credit: i64 = UNLIMITED
        self.waits_for = ""
        self.waits_since_ms: i64 = 0
        self.reader: QueueReader | None = None


@final
class SessionStatistics:
    """A session or a channel.

    Attributes:
        name: what the peer calls it, or its number.
        channel: its number.
        unsettled: how many messages it has and has not settled.
    """

    __slots__ = ("channel", "links", "name", "unsettled")

    def __init__(self, name: str, channel: i64, links: list[LinkStatistics], unsettled: i64) -> None:
        self.name = name
        self.channel: i64 = channel
        self.links = links
        self.unsettled: i64 = unsettled


@final
class ConnectionStatistics:
    """A connection.

    Attributes:
        name: the broker chose it; no other connection has had it.
        protocol: and its version.
        user: who is connected.
        peer: the address and port of the peer; empty where it has none.
        tls: the version of TLS that it speaks; empty without TLS.
        traffic: of all its links, those that are gone too.
        mechanism: by which the user was proved; empty where it is not known.
        program: what the peer calls itself.
        properties: what else the peer said of itself.
        bytes_in, bytes_out: what was read from the peer, and written to it.
        memory_bytes: the memory of what the peer began and did not finish.
        transactions: those of the peer that have work which is not committed.
        since_ms: when it was made, by the time of connections.
    """

    __slots__ = (
        "bytes_in", "bytes_out", "mechanism", "memory_bytes", "name", "peer", "program", "properties",
        "protocol", "sessions", "since_ms", "tls", "traffic", "transactions", "user",
    )  # fmt: skip

    def __init__(self, name: str, protocol: str, user: str, traffic: Traffic) -> None:
        self.name = name
        self.protocol = protocol
        self.user = user
        self.traffic = traffic
        self.peer = ""
        self.tls = ""
        self.mechanism = ""
        self.program = ""
        self.properties: dict[str, Any] = {}
        self.bytes_in: i64 = 0
        self.bytes_out: i64 = 0
        self.memory_bytes: i64 = 0
        self.transactions: i64 = 0
        self.since_ms: i64 = 0
        self.sessions: list[SessionStatistics] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class ConnectionHandle:
    """A connection that can be asked for its statistics, and closed."""

    __slots__ = ()

    @property
    def family(self) -> str:
        """The protocol, without the version that its peer chose."""
        return ""

    @abstractmethod
    def statistics(self) -> ConnectionStatistics | None:
        """What there is of it now; None while it is not open."""
        raise NotImplementedError

    @abstractmethod
    def shut_down(self, reason: str) -> None:
        """Close it from this side."""
        raise NotImplementedError

    def end_by_fault(self, number: i64) -> None:
        """Close it with an internal error if it has this number: what its peer asked for is not done."""


@final
class Unfinished:
    """What peers have begun and not finished.

    Attributes:
        messages: that consumers have and have not settled.
        transactions: that have work which is not committed.
    """

    __slots__ = ("messages", "transactions")

    def __init__(self) -> None:
        self.messages: i64 = 0
        self.transactions: i64 = 0


@mypyc_attr(native_class=False)
class ConnectionNotFoundError(BrokerError):
    """There is no such connection."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no connection named {name!r}")
        self.name = name


@mypyc_attr(native_class=False)
class ConsumerNotFoundError(BrokerError):
    """A connection has no such consumer."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str, connection: str) -> None:
        super().__init__(f"there is no consumer named {name!r} in that session of connection {connection!r}")
        self.name = name


@final
class Connections:
    """The connections that there are.

    Attributes:
        opened: how many were made.
        errors: how many ended by an error, by its condition.
        containers: the open ones whose containers may want to have one only.
    """

    __slots__ = ("_authorization", "_families", "_handles", "_observers", "containers", "errors", "opened")

    def __init__(self, authorization: Authorization, observers: list[Observer]) -> None:
        self._authorization = authorization
        self._observers = observers
        self._handles: dict[ConnectionHandle, None] = {}
        self._families: dict[str, int] = {}
        self.errors: dict[str, int] = {"other": 0}
        self.opened = 0
        self.containers = Containers()

    def join(self, handle: ConnectionHandle) -> None:
        """A connection is made."""
        self._handles[handle] = None
        self._families[handle.family] = self._families.get(handle.family, 0) + 1
        self.opened += 1

    def leave(self, handle: ConnectionHandle) -> None:
        """It is gone; calling this more than once does no harm."""
        if handle in self._handles:
            del self._handles[handle]
            self._families[handle.family] -= 1

    def failed(self, condition: str) -> None:
        """A connection ended by an error with this condition."""
        self.errors[condition] = self.errors.get(condition, 0) + 1

    def by_protocol(self) -> dict[str, int]:
        """How many connections there are, by protocol."""
        return dict(self._families)

    def entered(self, peer: PeerIdentity, user: str) -> None:
        """A connection opens for a user, or becomes another's."""
        opens = peer.user is None
        peer.user = user
        if opens:
            for observer in self._observers:
                observer.connection_opened(peer)

    def ended(self, peer: PeerIdentity) -> None:
        """A connection has ended; calling this more than once does no harm."""
        if peer.user is not None:
            for observer in self._observers:
                observer.connection_closed(peer)
            peer.user = None

    def login_refused(self, peer: PeerIdentity, claimed: str) -> None:
        """A peer was refused for its credentials; `claimed` is whom it said it is."""
        for observer in self._observers:
            observer.login_refused(peer, claimed)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._handles)

    def visible(self, owner: Owner) -> Iterator[ConnectionStatistics]:
        """The connections that the caller may see, its user's or all, with the links on what it reaches.

        They are read one by one; connections that come meanwhile are left out.
        """
        allows = self._authorization.allows_owned
        reaches = self._authorization.reaches
        for _, connection in self._open():
            if not allows(owner, connection.user, Verb.CLOSE_CONNECTION):
                continue
            for session in connection.sessions:
                session.links = [link for link in session.links if not link.node or reaches(owner, link.node)]
            yield connection

    def unfinished(self) -> Unfinished:
        """What the peers of all connections have begun and not finished; it reads every session."""
        unfinished = Unfinished()
        for _, connection in self._open():
            unfinished.transactions += connection.transactions
            for session in connection.sessions:
                unfinished.messages += session.unsettled
        return unfinished

    def close(self, name: str, reason: str, owner: Owner) -> None:
        """Close the connection of that name.

        Raises:
            NotPermittedError: it is another user's, or there is none, and the caller may not close others'.
            ConnectionNotFoundError: there is none.
        """
        for handle, connection in self._open():
            if connection.name == name:
                self._authorization.check_owned(owner, connection.user, Verb.CLOSE_CONNECTION)
                handle.shut_down(reason)
                self._authorization.note(owner, Verb.CLOSE_CONNECTION, name, "", f"of {connection.user}")
                return
        self._authorization.check(owner, Verb.CLOSE_CONNECTION)
        raise ConnectionNotFoundError(name)

    def end_by_fault(self, number: i64) -> None:
        """Close the connection with this number for a fault of the broker."""
        for handle in list(self._handles):
            handle.end_by_fault(number)

    def reader(self, name: str, session: str, connection: str, owner: Owner) -> QueueReader:
        """What a consumer reads, for the caller to end it.

        Raises:
            NotPermittedError: it is another user's, or there is none, and the caller may not close others'.
            ConsumerNotFoundError: there is none of that name in that session.
        """
        for _, peer in self._open():
            if peer.name != connection:
                continue
            self._authorization.check_owned(owner, peer.user, Verb.CLOSE_CONSUMER)
            for link in [each for shown in peer.sessions if shown.name == session for each in shown.links]:
                if link.reader is not None and link.name == name:
                    self._authorization.note(
                        owner, Verb.CLOSE_CONSUMER, name, "", f"of {peer.user} on {connection}"
                    )
                    return link.reader
        self._authorization.check(owner, Verb.CLOSE_CONSUMER)
        raise ConsumerNotFoundError(name, connection)

    def _open(self) -> Iterator[tuple[ConnectionHandle, ConnectionStatistics]]:
        """The connections that are open and still there when they are reached."""
        for handle in list(self._handles):
            statistics = handle.statistics() if handle in self._handles else None
            if statistics is not None:
                yield handle, statistics
