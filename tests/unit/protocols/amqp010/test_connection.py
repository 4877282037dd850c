"""What a connection of AMQP 0-10 takes, drops and ends for."""

import pytest
from amqp010_peer import START_MS, Peer

from lastvalue.codec.amqp010.command_layouts import MESSAGE_DELIVERY_PROPERTIES, MESSAGE_TRANSFER
from lastvalue.codec.amqp010.encoder import encode_fields, encode_struct
from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    FIRST_SEGMENT,
    HEADER,
    LAST_SEGMENT,
    PROTOCOL_HEADER,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.protocols.amqp010.connection import Options


def test_commands_before_the_connection_is_open_close_it(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.exchange(peer.command_bytes("queue.query", queue="q"))
    assert peer.last("connection.close").number("reply_code") == 501


def transfer_of(peer: Peer, body: bytes | None, channel: int = 1, size: int = 4096) -> bytes:
    """The frames of a message to the queue, on a channel, of that size at most."""
    header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": "q"}))
    record = Record(MESSAGE_TRANSFER, {"destination": ""})
    payload = b"\x04\x01\x01\x00" + encode_fields(record)
    data = encode_segment(FIRST_SEGMENT, COMMAND, channel, payload, size)
    if body is None:
        return data + encode_segment(LAST_SEGMENT, HEADER, channel, header, size)
    data += encode_segment(0, HEADER, channel, header, size)
    return data + encode_segment(LAST_SEGMENT, BODY, channel, body, size)


def held_by(broker_state: BrokerState) -> list[bytes]:
    """The bodies on the queue."""
    found = [
        decode_content(entry.message.encoded).body
        for entry in broker_state.broker.lookup("q").queue.entries()
    ]
    return [body if isinstance(body, bytes) else b"none" for body in found]


@pytest.mark.parametrize("piece", [1, 7, 50, 1000])
def test_messages_are_taken_however_their_bytes_come(
    broker_state: BrokerState, peer: Peer, piece: int
) -> None:
    bodies = [b"one", None, b"x" * 90, b"", b"last"]
    data = b"".join(transfer_of(peer, body, size=100 if body else 4096) for body in bodies)
    for start in range(0, len(data), piece):
        peer.exchange(data[start : start + piece])
    assert held_by(broker_state) == [b"one", b"none", b"x" * 90, b"", b"last"]
    assert peer.completed == {0, 1, 2, 3, 4}


def test_messages_of_two_sessions_come_with_their_frames_mixed(broker_state: BrokerState, peer: Peer) -> None:
    peer.attach(b"other", channel=2)
    first, second = transfer_of(peer, b"first"), transfer_of(peer, b"second", channel=2)
    end = int.from_bytes(first[2:4])
    peer.exchange(first[:end] + second + first[end:] + transfer_of(peer, b"third"))
    assert held_by(broker_state) == [b"second", b"first", b"third"]


def test_messages_on_a_channel_without_a_session_are_dropped(broker_state: BrokerState, peer: Peer) -> None:
    peer.exchange(transfer_of(peer, b"lost", channel=5) + transfer_of(peer, b"kept"))
    assert held_by(broker_state) == [b"kept"]


def test_messages_behind_a_session_that_ends_are_dropped(broker_state: BrokerState, peer: Peer) -> None:
    detach = peer.control_bytes("session.detach", 1, name=b"test")
    attach = peer.control_bytes("session.attach", 1, name=b"test")
    message = transfer_of(peer, b"one")
    peer.exchange(message + detach + message + attach + message)
    assert held_by(broker_state) == [b"one", b"one"]


def test_a_transfer_whose_fields_are_malformed_closes_the_connection(peer: Peer) -> None:
    data = bytearray(transfer_of(peer, b"one"))
    data[16] = 0xFF
    peer.exchange(bytes(data))
    assert peer.last("connection.close").number("reply_code") == 501


def test_a_command_that_there_is_not_closes_the_connection(peer: Peer) -> None:
    data = bytearray(peer.command_bytes("tx.select"))
    data[12:14] = b"\x77\x01"
    peer.exchange(bytes(data))
    assert peer.last("connection.close").number("reply_code") == 540


def test_a_message_that_is_too_large_closes_the_connection(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, options=Options(max_message_size=10))
    peer.send("q", b"x" * 100_000)
    assert peer.last("connection.close").number("reply_code") == 501


def test_a_peer_that_asked_for_heartbeats_hears_them_and_is_left_when_silent(
    broker_state: BrokerState,
) -> None:
    peer = Peer(broker_state, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.control("connection.start-ok", mechanism="ANONYMOUS", response=b"x")
    peer.control("connection.tune-ok", heartbeat=10)
    peer.control("connection.open", virtual_host="/")
    for second in range(0, 20, 5):
        peer.conversation.advance(START_MS + 1000 * second, START_MS)
        peer.exchange()
    assert peer.last("connection.heartbeat").values == {}
    peer.conversation.advance(START_MS + 41_000, START_MS)
    peer.conversation.data_to_send()
    assert peer.conversation.finished


def test_a_shut_down_says_why_and_waits_for_the_answer(peer: Peer) -> None:
    peer.conversation.shut_down("the broker is shutting down")
    peer.exchange()
    assert peer.last("connection.close").text("reply_text") == "the broker is shutting down"
    assert not peer.conversation.finished
    peer.control("connection.close-ok")
    assert peer.conversation.finished
