"""What a connection offers and demands, and who decides whether it opens."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mypy_extensions import mypyc_attr

from lastvalue.codec.amqp10.frames import MIN_MAX_FRAME_SIZE
from lastvalue.codec.amqp10.performatives import UINT_MAX, USHORT_MAX, AmqpError, Open
from lastvalue.codec.amqp10.values import Value
from lastvalue.protocols.engine import UsageError
from lastvalue.protocols.sasl import Authenticator, Credentials


class Role(Enum):
    """Which side of the connection this is."""

    CLIENT = "client"
    SERVER = "server"


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class ConnectionOptions:
    """Sizes in bytes, times in milliseconds.

    Attributes:
        max_frame_size: the largest frame this side takes.
        channel_max: the highest channel this side takes; sessions are at most one more.
        handle_max: the highest handle this side takes in a session.
        incoming_window: transfer frames that a session takes before it renews the window.
        max_message_size: the largest message a link takes; 0 is no limit.
        max_unsettled: unsettled deliveries that a session may have sent.
        idle_timeout_ms: the connection ends when the peer is silent for so long; 0 is never.
        lease_ms: server side: another broker may take over after so long a silence, so a peer that desires
            `lastvalue:lease` is told it and hears something in every half of it; 0 is no other.
        open_timeout_ms: the connection ends when it is not open after so long; 0 is never.
        close_timeout_ms: how long this side waits for the peer's close after its own.
        authenticator: server side; None takes everyone without SASL.
        credentials: client side; None skips the SASL exchange.
    """

    container_id: str
    hostname: str | None = None
    max_frame_size: int = 64 * 1024
    channel_max: int = 255
    handle_max: int = 1023
    incoming_window: int = 4096
    max_message_size: int = 16 * 1024 * 1024
    max_unsettled: int = 65_536
    idle_timeout_ms: int = 0
    lease_ms: int = 0
    open_timeout_ms: int = 10_000
    close_timeout_ms: int = 10_000
    authenticator: Authenticator | None = None
    credentials: Credentials | None = None
    offered_capabilities: tuple[str, ...] = ()
    desired_capabilities: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the sizes.

        Raises:
            UsageError: a size is out of the protocol's range.
        """
        if not MIN_MAX_FRAME_SIZE <= self.max_frame_size <= UINT_MAX:
            raise UsageError(
                f"max_frame_size is {MIN_MAX_FRAME_SIZE} to {UINT_MAX}, not {self.max_frame_size}"
            )
        if not 0 <= self.channel_max <= USHORT_MAX:
            raise UsageError(f"channel_max is 0 to {USHORT_MAX}, not {self.channel_max}")
        if self.incoming_window < 1 or self.max_unsettled < 1:
            raise UsageError("incoming_window and max_unsettled are 1 or more")


@mypyc_attr(allow_interpreted_subclasses=True)
class OpenPolicy:
    """Decides who may open a connection."""

    __slots__ = ()

    @abstractmethod
    def refusal(self, remote: Open) -> AmqpError | None:
        """The reason why the peer may not open the connection, or None."""
        raise NotImplementedError

    @abstractmethod
    def admit(self, user: str) -> str | None:
        """The open connection is another user's: the reason why that one may not have it, or None."""
        raise NotImplementedError

    @abstractmethod
    def properties(self, remote: Open) -> dict[str, Value]:
        """The properties of the answer that the peer's capabilities ask for."""
        raise NotImplementedError
