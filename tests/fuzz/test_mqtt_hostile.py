"""Peers of MQTT that send anything: nothing is raised, and the broker continues for others."""

from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from mqtt_packets import packets
from mqtt_peer import MqttPeer, mqtt_state

from lastvalue.broker.broker import Broker
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packets import Packet
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.frontends.mqtt.broker_state import BrokerState

EXAMPLES = example_count(25)
LEVELS = st.sampled_from([3, 4, 5])
SAID = LEVELS.flatmap(lambda level: st.tuples(st.just(level), st.lists(packets(level), max_size=12)))


def is_alive(state: BrokerState) -> None:
    """Another peer is served as ever, and nothing is held once all are gone."""
    other = MqttPeer(state)
    other.now += 1_000_000_000_000
    other.connect("another")
    assert other.subscribe("alive", qos=1) == [ReasonCode.GRANTED_QOS_1]
    other.publish("alive", b"yes", qos=1)
    assert other.messages() == [("alive", b"yes")]
    other.disconnect()
    for queue in state.broker.queues():
        assert queue.subscriptions == {}


@settings(max_examples=EXAMPLES, deadline=None)
@given(SAID)
def test_any_packets_in_any_order_are_answered_or_refused(said: tuple[int, list[Packet]]) -> None:
    level, several = said
    state = mqtt_state(Broker())
    peer = MqttPeer(state, level)
    peer.connect()
    peer.say(*several).lost()
    is_alive(state)


@settings(max_examples=EXAMPLES, deadline=None)
@given(SAID, SAID, st.binary(max_size=20))
def test_two_clients_that_do_anything_and_meet_do_no_harm(
    one: tuple[int, list[Packet]], two: tuple[int, list[Packet]], rest: bytes
) -> None:
    state = mqtt_state(Broker())
    peers = [MqttPeer(state, level) for level, _ in (one, two)]
    for peer in peers:
        peer.connect(clean_start=False)
    for peer, (_, several) in zip(peers, (one, two), strict=True):
        for packet in several:
            peer.say(packet)
            peers[0].turn()
    peers[0].raw(rest)
    for peer in peers:
        peer.lost()
    is_alive(state)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.binary(max_size=80), st.booleans(), LEVELS)
def test_any_bytes_close_the_connection_at_worst(data: bytes, opens: bool, level: int) -> None:
    state = mqtt_state(Broker())
    peer = MqttPeer(state, level)
    if opens:
        peer.connect()
    peer.conversation.receive(data, peer.now, peer.now)
    peer.conversation.data_to_send()
    peer.lost()
    is_alive(state)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 400), st.integers(0, 255), SAID)
def test_a_changed_byte_closes_the_connection_at_worst(
    place: int, byte: int, said: tuple[int, list[Packet]]
) -> None:
    level, several = said
    state = mqtt_state(Broker())
    peer = MqttPeer(state, level)
    peer.connect()
    octets = bytearray(b"".join(encode_packet(packet, level) for packet in several) or b"\xc0\0")
    octets[place % len(octets)] = byte
    peer.raw(bytes(octets)).lost()
    is_alive(state)
