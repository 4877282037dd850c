"""The options of an MQTT server."""

from dataclasses import dataclass

from mypy_extensions import mypyc_attr


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Options:
    """The options of an engine. Sizes in bytes, times in milliseconds or, with `_s`, in seconds.

    Attributes:
        max_packet_size: the largest packet that is taken, once the peer has entered.
        receive_maximum: messages above QoS 0 that the peer may send before they are answered.
        topic_alias_maximum: topic aliases in each direction.
        keep_alive_max_s: the longest keep alive of a peer of MQTT 5.0 that asks for one, which is told to one
            that asks for more; 0 is any.
        open_timeout_ms: how long the peer may take to enter; 0 is without limit.
        close_timeout_ms: how long the peer may take to close the connection once the end was sent.
    """

    max_packet_size: int = 8 * 1024 * 1024
    receive_maximum: int = 1024
    topic_alias_maximum: int = 64
    keep_alive_max_s: int = 0
    open_timeout_ms: int = 10_000
    close_timeout_ms: int = 2_000
