"""The versions of the protocols that a server offers, with engines as its options say."""

from typing import Final
from uuid import uuid4

from lastvalue import __version__
from lastvalue.codec.amqp010.frames import MIN_MAX_FRAME_SIZE
from lastvalue.codec.amqp010.frames import PROTOCOL_HEADER as AMQP010_HEADER
from lastvalue.codec.amqp091.dialects import DIALECTS
from lastvalue.codec.mqtt.frames import LARGEST_PACKET, begins_mqtt
from lastvalue.compat.artemis.management.management_requests import ManagementRequests
from lastvalue.config.server_options import AMQP_010, AMQP_091, AMQP_10, CORE, MQTT, ServerOptions
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.connection import opener as amqp010_opener
from lastvalue.frontends.amqp091.connection import opener as amqp091_opener
from lastvalue.frontends.amqp10.connection import opener as amqp10_opener
from lastvalue.frontends.amqp10.open_policy import SOLE_CONNECTION
from lastvalue.frontends.core.broker_state import BrokerState as CoreState
from lastvalue.frontends.core.connection import opener as core_opener
from lastvalue.frontends.mqtt.broker_state import BrokerState as MqttState
from lastvalue.frontends.mqtt.connection import opener as mqtt_opener
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.protocols.amqp010.connection import HEARTBEAT_MAX_S
from lastvalue.protocols.amqp010.connection import Options as Amqp010Options
from lastvalue.protocols.amqp091.options import Options as Amqp091Options
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.core.connection import HEADER as CORE_HEADER
from lastvalue.protocols.core.options import Options as CoreOptions
from lastvalue.protocols.mqtt.options import Options as MqttOptions
from lastvalue.server.versions import Opener, Version, Versions
from lastvalue.store.log_address import LogAddress

_CONTAINER: Final = "lastvalue"
_WEB_AMQP: Final = "amqp"


_WEB_MQTT: Final = ("mqtt", "mqttv3.1")
"""The subprotocols of MQTT; clients from before 3.1.1 use the second one."""


def offered_versions(
    options: ServerOptions, state: BrokerState, core_state: CoreState, mqtt_state: MqttState
) -> Versions:
    """Those that the options offer; each connection gets its engine from one of them."""
    amqp091 = amqp091_opener(
        _amqp091_options(options), ignore_unknown_arguments=options.ignore_unknown_arguments
    )
    amqp010 = amqp010_opener(amqp010_options(options), state)
    core_options = _core_options(options, core_state.node_id)
    others = {
        AMQP_010: Version((AMQP010_HEADER,), amqp010),
        AMQP_091: Version(tuple(DIALECTS), amqp091),
        CORE: Version((CORE_HEADER,), core_opener(core_options, core_state)),
        MQTT: Version((), mqtt_version(options, mqtt_state), begins_mqtt),
    }
    preferred = amqp10_version(options) if options.offers(AMQP_10) else None
    return Versions(preferred, [each for name, each in others.items() if options.offers(name)])


def web_versions(options: ServerOptions, mqtt_state: MqttState) -> dict[str, Opener]:
    """Those that the options offer over WebSocket, by their subprotocols."""
    offered: dict[str, Opener] = {}
    if options.offers(AMQP_10):
        offered[_WEB_AMQP] = amqp10_version(options)
    if options.offers(MQTT):
        offered |= dict.fromkeys(_WEB_MQTT, mqtt_version(options, mqtt_state))
    return offered


def core_state_of(state: BrokerState, options: ServerOptions) -> CoreState:
    """What the connections in CORE share while the server lives: sessions outlive connections."""
    core_state = CoreState(state.broker, state.branches, str(uuid4()))
    core_state.management = ManagementRequests(
        state.broker, core_state.node_id, options.offers_core_management
    )
    return core_state


def amqp10_version(options: ServerOptions) -> Opener:
    """AMQP 1.0."""
    engine_options = ConnectionOptions(
        container_id=_CONTAINER,
        max_frame_size=options.max_frame_size,
        max_message_size=options.max_message_size,
        idle_timeout_ms=options.idle_timeout_ms,
        lease_ms=options.store_lease_ms if isinstance(options.store, LogAddress) else 0,
        open_timeout_ms=options.open_timeout_ms,
        offered_capabilities=("ANONYMOUS-RELAY", "DELAYED_DELIVERY", "SHARED-SUBS", SOLE_CONNECTION),
        properties=_announced(options),
    )
    return amqp10_opener(engine_options, refuse_unknown_filters=options.refuse_unknown_filters)


def mqtt_version(options: ServerOptions, state: MqttState) -> Opener:
    """MQTT 3.1, 3.1.1 and 5.0."""
    engine_options = MqttOptions(
        max_packet_size=min(max(options.max_message_size, FIRST_BYTES.most), LARGEST_PACKET),
        keep_alive_max_s=_heartbeat_s(options),
        open_timeout_ms=options.open_timeout_ms,
    )
    return mqtt_opener(engine_options, state)


def amqp010_options(options: ServerOptions) -> Amqp010Options:
    """The options of AMQP 0-10."""
    return Amqp010Options(
        max_frame_size=max(MIN_MAX_FRAME_SIZE, min(options.max_frame_size, 65535)),
        heartbeat_max_s=_heartbeat_s(options) or HEARTBEAT_MAX_S,
        max_message_size=options.max_message_size,
        open_timeout_ms=options.open_timeout_ms,
        properties={
            "product": "lastvalue",
            "version": __version__,
            # Without this Qpid's JMS client reads all messages, and applies its selectors itself.
            "qpid.features": ["qpid.jms-selector"],
        },
    )


def _amqp091_options(options: ServerOptions) -> Amqp091Options:
    return Amqp091Options(
        max_message_size=options.max_message_size,
        heartbeat_s=_heartbeat_s(options),
        open_timeout_ms=options.open_timeout_ms,
        properties=_announced(options),
    )


def _core_options(options: ServerOptions, node_id: str) -> CoreOptions:
    return CoreOptions(
        max_message_size=options.max_message_size,
        open_timeout_ms=options.open_timeout_ms,
        node_id=node_id,
    )


def _announced(options: ServerOptions) -> dict[str, str]:
    """What the server says it is."""
    product, _, version = (options.announce or f"lastvalue {__version__}").rpartition(" ")
    return {"product": product, "version": version}


def _heartbeat_s(options: ServerOptions) -> int:
    """How often a peer sends a heartbeat: it is gone when it is silent for two of them."""
    return min(options.idle_timeout_ms // 2000, 65535)
