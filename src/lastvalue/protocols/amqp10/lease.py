"""The lease of a broker that others may take over from: clients leave it once it is silent for so long."""

from typing import Final

from lastvalue.codec.amqp10.performatives import Open
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.liveness import MIN_IDLE_TIMEOUT_MS, Liveness

LEASE: Final = "lastvalue:lease"
"""A capability that a client desires, and the property with the milliseconds by which a broker answers."""


def announced_lease_ms(remote: Open) -> int:
    """The lease that a broker has announced to a client; 0 if it has none."""
    lease_ms = (remote.properties or {}).get(Symbol(LEASE))
    return lease_ms if isinstance(lease_ms, int) and lease_ms >= MIN_IDLE_TIMEOUT_MS else 0


def heed_lease(remote: Open, options: ConnectionOptions, liveness: Liveness) -> None:
    """Have a client expect no longer silence of the broker than its lease, and a broker keep to that."""
    if LEASE in remote.desired_capabilities and 0 < options.lease_ms < (remote.idle_time_out or NEVER):
        liveness.keep_alive(options.lease_ms)
    lease_ms = announced_lease_ms(remote)
    if LEASE in options.desired_capabilities and 0 < lease_ms < (options.idle_timeout_ms or NEVER):
        liveness.expect(lease_ms)
