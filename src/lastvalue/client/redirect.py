"""Where a broker sends a client that asks for what another one does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.model.conditions import Condition

_CONDITIONS: Final = (Condition.LINK_REDIRECT.amqp10, Condition.REDIRECT.amqp10)
_PARTITION: Final = "partition"


@dataclass(frozen=True, slots=True)
class Redirect:
    """The host and the port of the broker that does it."""

    host: str
    port: int


def redirect_of(error: AmqpError | None) -> Redirect | None:
    """Where an error sends the client, or None."""
    return None if error is None else redirect_in(error.condition, error.info)


def redirect_in(condition: object, info: object) -> Redirect | None:
    """Where a condition sends the client by its information [1.0 §2.8.17, §2.8.18]; None if nowhere.

    What is about a part of the queues does not send the connection with all of its links there.
    """
    if condition not in _CONDITIONS or not isinstance(info, Mapping) or _PARTITION in info:
        return None
    host, port = info.get("network-host"), info.get("port")
    if not isinstance(host, str) or not host or not isinstance(port, int) or not 0 < port < 1 << 16:
        return None
    return Redirect(host, int(port))
