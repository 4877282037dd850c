"""lastvalue.protocols.amqp10.lease."""

import pytest

from lastvalue.codec.amqp10.performatives import Open
from lastvalue.codec.amqp10.values import Symbol, Value
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp10.lease import LEASE, announced_lease_ms, heed_lease
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.liveness import Liveness

ASKS = (Symbol(LEASE),)


def deadline(remote: Open, options: ConnectionOptions) -> int:
    """When an open connection has something to do next: a heartbeat, or its end."""
    liveness = Liveness(options.idle_timeout_ms, 0, 0, 0)
    liveness.opened()
    heed_lease(remote, options, liveness)
    return liveness.next_deadline()


def announced(lease_ms: Value) -> Open:
    return Open(container_id="broker", properties={Symbol(LEASE): lease_ms})


@pytest.mark.parametrize(
    ("told", "lease_ms"), [(200, 200), (20, 20), (19, 0), (-1, 0), ("200", 0), (None, 0), (2.5, 0)]
)
def test_a_lease_is_a_number_of_milliseconds_that_heartbeats_can_keep(told: Value, lease_ms: int) -> None:
    assert announced_lease_ms(announced(told)) == lease_ms


def test_a_broker_without_a_lease_announces_none() -> None:
    assert announced_lease_ms(Open(container_id="broker")) == 0


@pytest.mark.parametrize(("idle_ms", "due"), [(0, 200), (1000, 200), (100, 100)])
def test_a_client_that_asks_for_the_lease_waits_no_longer(idle_ms: int, due: int) -> None:
    options = ConnectionOptions("client", idle_timeout_ms=idle_ms, desired_capabilities=ASKS)
    assert deadline(announced(200), options) == due


def test_one_that_does_not_ask_for_it_takes_no_notice() -> None:
    assert deadline(announced(200), ConnectionOptions("client")) == NEVER


@pytest.mark.parametrize(("idle_ms", "due"), [(None, 100), (1000, 100), (200, NEVER)])
def test_a_broker_writes_as_often_as_its_lease_asks_for(idle_ms: int | None, due: int) -> None:
    remote = Open(container_id="client", idle_time_out=idle_ms, desired_capabilities=ASKS)
    # What the peer's own idle timeout asks for is set elsewhere.
    assert deadline(remote, ConnectionOptions("broker", lease_ms=400)) == due
