"""Queues and subscriptions that are deleted some time after their last use, over a restart."""

from typing import Any, Final

from node_steps import (
    ANYCAST,
    Clients,
    Declare,
    Row,
    core_queue,
    core_sent,
    every,
    queue,
    queue010,
    queue091,
    sent,
    sent010,
    sent091,
)
from proton import Terminus
from proton.reactor import LinkOption
from raw_amqp010 import RawAmqp010
from raw_core import RawCore
from served_broker import HOST

_HOUR_MS: Final = 3_600_000
_SOON_MS: Final = 3000
"""Longer than it takes to end a broker, once the last rows are declared."""
TIMED: Final = "$subscription/anonymous/reader/timed"


def read010(name: str) -> Declare:
    """A consumer that comes and goes."""

    def read(it: Clients) -> None:
        with RawAmqp010(HOST, it.port) as peer:
            peer.consume(name, accept_mode=0, messages=0)
            peer.query_queue(name)

    return read


def read_core(name: str) -> Declare:
    def read(it: Clients) -> None:
        with RawCore(HOST, it.port) as peer:
            peer.create_session()
            peer.read(name)

    return read


def read10(name: str) -> Declare:
    return lambda it: it.proton.create_receiver(name, credit=0).close()


def leased(name: str, unused_ms: int) -> Declare:
    return queue(name, lifetime="delete-on-no-outbound-links", auto_delete_delay_ms=unused_ms)


def leased010(name: str, unused_s: int) -> Declare:
    return queue010(name, auto_delete=True, arguments={"qpid.auto_delete_timeout": unused_s})


def leased_core(name: str, unused_ms: int) -> Declare:
    more: dict[str, Any] = {"auto_delete": True, "auto_delete_delay": unused_ms}
    return core_queue(name, routing=ANYCAST, auto_delete_message_count=-1, **more)


LEASED: Final = [
    Row(
        "AMQP 1.0", "queue that goes an hour after its last use",
        every(leased("10 leased", _HOUR_MS), read10("10 leased")), sent("10 leased"), "10 leased",
    ),
    Row(
        "AMQP 0-9-1", "queue that goes an hour after its last use",
        queue091("091 leased", x_expires=_HOUR_MS), sent091("", "091 leased"), "091 leased",
    ),
    Row(
        "AMQP 0-10", "queue that goes an hour after its last use",
        every(leased010("010 leased", _HOUR_MS // 1000), read010("010 leased")), sent010("", "010 leased"),
        "010 leased",
    ),
    Row(
        "CORE", "queue that goes an hour after its last use",
        every(leased_core("core.leased", _HOUR_MS), read_core("core.leased")),
        core_sent("core.leased"), "core.leased",
    ),
]  # fmt: skip

UNUSED: Final = ("10 unused", "091 unused", "010 unused", "core.unused")


def declare_unused(it: Clients) -> None:
    """Queues that nobody uses any more, and whose time ends while the broker is down, or after that."""
    every(
        leased("10 unused", _SOON_MS), read10("10 unused"),
        queue091("091 unused", x_expires=_SOON_MS),
        leased010("010 unused", _SOON_MS // 1000), read010("010 unused"),
        leased_core("core.unused", _SOON_MS), read_core("core.unused"),
    )(it)  # fmt: skip


class Timed(LinkOption):  # type: ignore[misc] # proton has no types
    """The source of a subscription that goes an hour after its connection, and asks to be durable."""

    def apply(self, receiver: Any) -> None:
        receiver.source.durability = Terminus.DELIVERIES
        receiver.source.expiry_policy = Terminus.EXPIRE_WITH_CONNECTION
        receiver.source.timeout = _HOUR_MS // 1000
        receiver.source.distribution_mode = Terminus.DIST_MODE_COPY


def subscribe_timed(it: Clients) -> None:
    """The broker answers such a subscription that it is not durable: a restart ends it."""
    it.proton.create_receiver("amq.topic/a.*", credit=0, name="timed", options=Timed())
