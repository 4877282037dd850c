"""The options of an AMQP 0-9-1 server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mypy_extensions import mypyc_attr

CAPABILITIES: Final = (
    "authentication_failure_close",
    "basic.nack",
    "connection.blocked",
    "consumer_cancel_notify",
    "consumer_priorities",
    "exchange_exchange_bindings",
    "per_consumer_qos",
    "publisher_confirms",
)
"""Extensions that clients ask for before they use them."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Options:
    """The options of an engine. Sizes in bytes, times in milliseconds.

    Attributes:
        frame_max: the largest frame this side takes.
        channel_max: the highest number that a channel may have.
        heartbeat_s: the interval of heartbeats; the peer may ask for another, or 0 for never.
        open_timeout_ms: how long the peer may take to open; 0 is without limit.
        close_timeout_ms: how long it may take to answer a close.
        max_message_size: the largest message body.
        properties: of the server, besides its capabilities.
    """

    frame_max: int = 128 * 1024
    channel_max: int = 2047
    heartbeat_s: int = 60
    open_timeout_ms: int = 10_000
    close_timeout_ms: int = 2_000
    max_message_size: int = 8 * 1024 * 1024
    properties: Mapping[str, Any] = field(default_factory=dict)
