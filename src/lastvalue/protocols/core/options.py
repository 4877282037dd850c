"""The options of a CORE server."""

from dataclasses import dataclass

from mypy_extensions import mypyc_attr


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Options:
    """The options of an engine. Sizes in bytes, times in milliseconds.

    Attributes:
        max_message_size: the largest message body.
        idle_timeout_ms: how long a peer that says no time to live may be silent.
        open_timeout_ms: how long the peer may take to create its first session; 0 is without limit.
        node_id: of the broker, which clients compare after a reconnect.
    """

    max_message_size: int = 8 * 1024 * 1024
    idle_timeout_ms: int = 60_000
    open_timeout_ms: int = 10_000
    node_id: str = ""
