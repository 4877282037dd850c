"""lastvalue.cli.mqtt_peer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from waiting import wait_until

from lastvalue.cli import mqtt_peer
from lastvalue.cli.exits import CommandFailedError
from lastvalue.cli.mqtt_peer import MqttPeer
from lastvalue.client.errors import ConnectFailedError, ConnectionLostError
from lastvalue.client.url import BrokerUrl
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import Ack, ConnAck, Connect, Packet, Ping, Publish, SubAck, Subscribe
from lastvalue.codec.mqtt.properties import NONE
from lastvalue.codec.mqtt.reason_codes import ReasonCode

GRANTED = SubAck(PacketType.SUBACK, 1, (ReasonCode.SUCCESS,))
MESSAGE = Publish("a", b"1", 0, 0, NONE)


@contextmanager
def scripted(answers: dict[type[Packet], list[Packet]]) -> Iterator[tuple[BrokerUrl, list[Packet]]]:
    """A broker that answers each kind of packet so, and closes after an empty answer; and what it heard."""
    listener = socket.create_server(("127.0.0.1", 0))
    heard: list[Packet] = []

    def serve() -> None:
        peer = listener.accept()[0]
        reader = FrameReader(1 << 20)
        while data := peer.recv(1 << 16):
            reader.feed(data)
            while reader.next():
                packet = decode_packet(reader.first, reader.data, reader.start, reader.end, LEVEL_5)
                answer = answers.get(type(packet))
                heard.append(packet)
                peer.sendall(b"".join(encode_packet(each, LEVEL_5) for each in answer or []))
                if answer == []:
                    peer.close()
                    return
        peer.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with listener:
        yield BrokerUrl("127.0.0.1", listener.getsockname()[1], "ann", "secret"), heard
        thread.join(60)


def test_messages_come_until_the_broker_closes_the_connection_and_meanwhile_it_is_pinged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mqtt_peer, "_PING_S", 0.02)
    answers: dict[type[Packet], list[Packet]] = {
        Connect: [ConnAck()],
        Subscribe: [GRANTED, MESSAGE],
        Ping: [],
    }
    with scripted(answers) as (url, heard), MqttPeer(url) as peer:
        messages = peer.messages(["a"])
        assert next(messages).topic == "a"
        with pytest.raises(ConnectionLostError, match="closed the connection"):
            next(messages)
    assert [type(each) for each in heard] == [Connect, Subscribe, Ping]
    connect = heard[0]
    assert isinstance(connect, Connect)
    assert (connect.user_name, connect.password, connect.clean_start) == ("ann", b"secret", True)


def test_what_is_published_is_settled_and_refusals_are_kept() -> None:
    refused = Ack(PacketType.PUBACK, 2, ReasonCode.QUOTA_EXCEEDED)
    answers: dict[type[Packet], list[Packet]] = {Connect: [ConnAck()]}
    with scripted(answers) as (url, heard), MqttPeer(url) as peer:
        peer.publish(MESSAGE)
        # The first one is not answered when it comes.
        wait_until(lambda: len(heard) == 2)
        answers[Publish] = [Ack(PacketType.PUBACK, 1), refused]
        peer.publish(MESSAGE)
        peer.settle(0)
        assert peer.refused == [("a", ReasonCode.QUOTA_EXCEEDED)]
        sent = [each for each in heard if isinstance(each, Publish)]
        assert [(each.qos, each.retain, each.packet_id) for each in sent] == [(1, True, 1), (1, True, 2)]


def test_a_broker_that_answers_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_peer, "_TIMEOUT_S", 0.05)
    with scripted({Connect: [ConnAck()]}) as (url, _), MqttPeer(url) as peer:
        with pytest.raises(CommandFailedError, match="does not answer a subscription"):
            next(peer.messages(["a"]))
        peer.publish(MESSAGE)
        with pytest.raises(ConnectionLostError, match="does not confirm"):
            peer.settle(0)


def test_where_nobody_listens_there_is_no_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with (
        pytest.raises(ConnectFailedError, match="Connection refused"),
        MqttPeer(BrokerUrl("127.0.0.1", port)),
    ):
        pass
