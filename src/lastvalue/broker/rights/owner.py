"""Owners: the caller of a command, and the owner of an exclusive queue."""

from collections.abc import Mapping
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import NEVER


@final
class PeerIdentity:
    """What is known of a connection's peer, for the audit and the log.

    Attributes:
        address: the peer's, with its port; empty where it has none.
        tls: the version of TLS that it speaks; empty without TLS.
        protocol: and its version, once the connection has opened.
        client: the product and version that it says it is.
        connection: the name of the connection.
        mechanism: by which its user was proved.
        user: for whom the connection has opened; None while it is not open.
    """

    __slots__ = ("address", "client", "connection", "mechanism", "protocol", "tls", "user")

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.tls = ""
        self.protocol = ""
        self.client = ""
        self.connection = ""
        self.mechanism = ""
        self.user: str | None = None

    def describe(self, connection: str, protocol: str, mechanism: str) -> None:
        """The peer opens a connection."""
        self.connection = connection
        self.protocol = protocol
        self.mechanism = mechanism

    def name_client(self, properties: Mapping[str, Any], otherwise: str = "") -> None:
        """The peer says by its properties what it is."""
        product = properties.get("product", otherwise)
        self.client = f"{product} {properties.get('version', '')}".strip()


UNKNOWN_PEER: Final = PeerIdentity()


@final
class Owner:
    """The caller of a command; each of its parts may own a queue.

    Attributes:
        connection, session, link: numbers from `Broker.identify`, all different; 0 means none.
        container, principal: the peer's container id and user; empty means none.
        peer: who is connected.
        trusted: the caller is the broker itself, which may do everything.
        on_behalf_of: for whom the peer says that it asks; for the audit alone.
    """

    __slots__ = (
        "connection",
        "container",
        "link",
        "on_behalf_of",
        "peer",
        "principal",
        "session",
        "trusted",
    )

    def __init__(
        self,
        connection: i64 = 0,
        session: i64 = 0,
        link: i64 = 0,
        container: str = "",
        principal: str = "",
        peer: PeerIdentity = UNKNOWN_PEER,
    ) -> None:
        self.peer = peer
        self.connection: i64 = connection
        self.session: i64 = session
        self.link: i64 = link
        self.container = container
        self.principal = principal
        self.trusted = False
        self.on_behalf_of = ""

    @property
    def user(self) -> str:
        """Its user, or the container of a client without a name."""
        return self.principal or self.container


_CONNECTIONS: Final = ("amqp-0-9-1 connection ", "amqp-0-10:")
"""How the names of containers begin that are connections of AMQP 0-x, which have no container ids."""


def _trusted() -> Owner:
    owner = Owner()
    owner.trusted = True
    return owner


NOBODY: Final = Owner()
"""An anonymous caller, which has the rights of everybody."""

BROKER: Final = _trusted()
"""The broker itself, when it restores nodes and declares those of the configuration."""


def lasting_container(container: str) -> str:
    """The container, or "" where the broker named it after a connection: after a restart it is another's."""
    return "" if container.startswith(_CONNECTIONS) else container


@final
class QueueOwnership:
    """The owner of a queue, and how long the queue lives.

    Attributes:
        owner: the owner of an exclusive queue, or None while it has none.
        by_use: the first user became the owner; ownership ends when that one leaves.
        read, linked: it has had a reader; a reader or a publisher.
        ends_ms: when it is deleted unless it is used before, milliseconds since the epoch, or NEVER.
        over: its lifetime is over, and its messages leave before it is deleted: nobody else may use it.
        ending: it is deleted.
        scopes: the connection, session or link with which it is deleted, or to which it belongs.
    """

    __slots__ = ("by_use", "ending", "ends_ms", "linked", "over", "owner", "read", "scopes")

    def __init__(self) -> None:
        self.owner: Owner | None = None
        self.by_use = False
        self.read = False
        self.linked = False
        self.ends_ms: i64 = NEVER
        self.over = False
        self.ending = False
        self.scopes: list[int] = []


@mypyc_attr(native_class=False)
class QueueLockedError(BrokerError):
    """Another owner has the exclusive queue, or the temporary exchange."""

    condition = Condition.RESOURCE_LOCKED

    def __init__(self, name: str, whose: str) -> None:
        others = "publish" if whose in ("connection", "session") else "browse and publish"
        super().__init__(f"{name!r} is reserved for its {whose}; others may only {others}")
        self.name = name


@mypyc_attr(native_class=False)
class QueueEndingError(BrokerError):
    """A queue's lifetime is over, and its messages are leaving."""

    condition = Condition.RESOURCE_LOCKED

    def __init__(self, name: str) -> None:
        super().__init__(f"queue {name!r} is being deleted, as its lifetime is over; try again")
        self.name = name
