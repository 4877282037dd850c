"""What a connection offers and demands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mypy_extensions import mypyc_attr

from lastvalue.protocols.amqp10.sasl import Authenticator, Credentials


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
        incoming_window: transfer frames a session takes ahead.
        max_message_size: the largest message a link takes; 0 is no limit.
        idle_timeout_ms: the connection ends when the peer is silent for so long; 0 is never.
        open_timeout_ms: the connection ends when it is not open after so long; 0 is never.
        authenticator: server side; None takes everyone without SASL.
        credentials: client side; None skips the SASL exchange.
    """

    container_id: str
    hostname: str | None = None
    max_frame_size: int = 64 * 1024
    channel_max: int = 255
    handle_max: int = 1023
    incoming_window: int = 4096
    max_message_size: int = 0
    idle_timeout_ms: int = 0
    open_timeout_ms: int = 0
    authenticator: Authenticator | None = None
    credentials: Credentials | None = None
    offered_capabilities: tuple[str, ...] = ()
    desired_capabilities: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)
