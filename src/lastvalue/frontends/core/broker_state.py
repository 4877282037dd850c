"""What the CORE connections of one broker share."""

from abc import abstractmethod
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.delivery.authentication import Authentication
from lastvalue.delivery.branches import Branches


@mypyc_attr(allow_interpreted_subclasses=True)
class Management:
    """Takes the messages that are sent to the address for management."""

    @abstractmethod
    def begin(self) -> None:
        """A client may come: from now on there is an address for notifications. Again it does nothing."""
        raise NotImplementedError

    @abstractmethod
    def takes(self, address: str) -> bool:
        """Whether a message to this address is a request."""
        raise NotImplementedError

    @abstractmethod
    def take(self, payload: bytes, owner: Owner, now: i64) -> None:
        """Carry out a request, and send the answer to its reply address.

        Raises:
            LastvalueError: the caller may not do this.
        """
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class SessionHolder:
    """Has sessions that their client may attach to another connection.

    Attributes:
        host: from which the client connected, and has to connect again.
        identity: the user.
        authentication: how the client became that user, which has to be valid; None is for ever.
    """

    __slots__ = ("authentication", "host", "identity")

    def __init__(self, host: str, identity: str, authentication: Authentication | None) -> None:
        self.host = host
        self.identity = identity
        self.authentication = authentication

    @property
    def is_revoked(self) -> bool:
        """Whether the client's user or token is valid no more."""
        return self.authentication is not None and self.authentication.revoked is not None


@final
class BrokerState:
    """The broker, with the sessions of its CORE connections.

    Attributes:
        branches: of distributed transactions.
        holders: of sessions that a client can attach to another connection, by their names.
        metadata: texts that one session alone may have, by key and text.
        management: takes requests for management, or None.
        node_id: of the broker, which clients compare after a reconnect.
    """

    __slots__ = ("branches", "broker", "holders", "management", "metadata", "node_id")

    def __init__(self, broker: Broker, branches: Branches, node_id: str = "") -> None:
        self.broker = broker
        self.branches = branches
        self.node_id = node_id
        self.holders: dict[str, SessionHolder] = {}
        self.metadata: dict[tuple[str, str], object] = {}
        self.management: Management | None = None

    def begin(self) -> None:
        """A client may come."""
        if self.management is not None:
            self.management.begin()
