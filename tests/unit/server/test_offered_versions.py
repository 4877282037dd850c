"""The protocols that a server offers, and what its options make of their engines."""

from uuid import UUID

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.config.server_options import AMQP_10, CORE, MQTT, ServerOptions
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.mqtt.broker_state import BrokerState as MqttState
from lastvalue.frontends.mqtt.broker_state import MqttSettings
from lastvalue.server.offered_versions import (
    amqp010_options,
    core_state_of,
    offered_versions,
    web_versions,
)


def test_only_what_is_offered_is_opened() -> None:
    state = BrokerState(Broker(), UUID(int=0))
    core_state = core_state_of(state, ServerOptions())
    mqtt_state = MqttState(state.broker, MqttSettings())
    header = b"AMQP\x01\x01\x00\x0a"
    all_versions = offered_versions(ServerOptions(), state, core_state, mqtt_state)
    versions = offered_versions(ServerOptions(protocols=(AMQP_10,)), state, core_state, mqtt_state)
    strange = b"AMQP\x03\x01\x00\x00"
    assert all_versions.opener(header) is not all_versions.opener(strange)
    assert versions.opener(header) is versions.opener(strange)
    connect = b"\x10\x0c\0\4MQTT"
    assert all_versions.opener(connect) is not all_versions.opener(strange)
    assert versions.opener(connect) is versions.opener(strange)


@pytest.mark.parametrize(
    ("protocols", "subprotocols"),
    [
        ((), ["amqp", "mqtt", "mqttv3.1"]),
        ((AMQP_10,), ["amqp"]),
        ((MQTT,), ["mqtt", "mqttv3.1"]),
        ((CORE,), []),
    ],
)
def test_over_websocket_what_is_offered_has_its_subprotocols(
    protocols: tuple[str, ...], subprotocols: list[str]
) -> None:
    options = ServerOptions(protocols=protocols)
    assert list(web_versions(options, MqttState(Broker(), MqttSettings()))) == subprotocols


@pytest.mark.parametrize(("idle_timeout_ms", "heartbeat_s"), [(8000, 4), (0, 120), (2**31 - 1, 65535)])
def test_a_peer_of_amqp_0_10_asks_for_heartbeats_of_at_most_half_the_idle_timeout(
    idle_timeout_ms: int, heartbeat_s: int
) -> None:
    options = ServerOptions(idle_timeout_ms=idle_timeout_ms)
    assert amqp010_options(options).heartbeat_max_s == heartbeat_s


@pytest.mark.parametrize(("turned", "offered"), [(None, False), (True, True)])
def test_management_over_core_is_off_on_other_addresses_unless_it_is_turned_on(
    turned: bool | None, offered: bool
) -> None:
    broker = Broker()
    options = ServerOptions(host="0.0.0.0", core_management=turned)
    core_state_of(BrokerState(broker, UUID(int=0)), options).begin()
    assert (broker.resolve("activemq.notifications") is not None) is offered
