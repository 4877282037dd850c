"""The engine of AMQP 0-10: opening, sessions, completion, and what peers do wrong."""

import pytest
from amqp010_peer import START_MS, Peer

from lastvalue.broker.broker import Broker
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
from lastvalue.protocols.amqp010.session import nearest
from lastvalue.protocols.amqp010.spans import Spans
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import QueueSpec


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    return BrokerState(broker)


@pytest.fixture
def peer(broker_state: BrokerState) -> Peer:
    return Peer(broker_state)


def test_a_connection_opens_by_start_tune_and_open(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, options=Options(properties={"product": "lastvalue"}))
    names = [record.layout.name for record in peer.controls[:3]]
    assert peer.start == PROTOCOL_HEADER
    assert names == ["connection.start", "connection.tune", "connection.open-ok"]
    assert peer.controls[0].map("server_properties") == {"product": "lastvalue"}
    assert peer.controls[1].number("max_frame_size") == 65535


def test_a_password_is_asked_for_and_looked_at(broker_state: BrokerState) -> None:
    authenticator = Authenticator(anonymous=False, check=lambda user, word: (user, word) == ("ann", "pw"))
    peer = Peer(broker_state, authenticator=authenticator, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.control("connection.start-ok", mechanism="PLAIN", locale="en_US")
    assert peer.last("connection.secure").binary("challenge") == b""
    peer.control("connection.secure-ok", response=b"\0ann\0pw")
    assert peer.last("connection.tune").number("channel_max") == 255


@pytest.mark.parametrize(
    ("mechanism", "response"), [("PLAIN", b"\0ann\0wrong"), ("ANONYMOUS", b""), ("NONE", b"")]
)
def test_who_is_not_known_is_not_let_in(broker_state: BrokerState, mechanism: str, response: bytes) -> None:
    authenticator = Authenticator(anonymous=False, check=lambda user, word: (user, word) == ("ann", "pw"))
    peer = Peer(broker_state, authenticator=authenticator, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.control("connection.start-ok", mechanism=mechanism, response=response)
    assert peer.last("connection.close").number("reply_code") == 320


def test_commands_before_the_connection_is_open_close_it(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.exchange(peer.command_bytes("queue.query", queue="q"))
    assert peer.last("connection.close").number("reply_code") == 501


def test_another_header_is_answered_with_the_right_one(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, opens=False)
    peer.exchange(b"AMQP\x01\x01\x00\x09")
    assert peer.start == PROTOCOL_HEADER
    assert peer.conversation.finished


def test_a_session_is_attached_and_detached_by_its_name(peer: Peer) -> None:
    assert peer.last("session.attached").binary("name") == b"test"
    peer.control("session.detach", 1, name=b"test")
    assert peer.last("session.detached").number("code") == 0


def test_a_session_that_somebody_has_is_busy(broker_state: BrokerState, peer: Peer) -> None:
    other = Peer(broker_state)
    assert other.last("session.detached").number("code") == 1
    peer.control("session.detach", 1, name=b"test")
    other.attach()
    assert other.last("session.attached").binary("name") == b"test"


def test_a_session_may_be_attached_and_detached_in_one_breath(peer: Peer) -> None:
    peer.control("session.detach", 1, name=b"test")
    peer.controls = []
    peer.exchange(
        peer.control_bytes("session.attach", 1, name=b"test")
        + peer.control_bytes("session.detach", 1, name=b"test")
    )
    assert [record.layout.name for record in peer.controls] == ["session.attached", "session.detached"]


def test_the_peer_is_told_what_is_complete(peer: Peer) -> None:
    peer.send("q", b"one")
    peer.send("q", b"two")
    assert peer.completed == {0, 1}


def test_a_flush_is_answered_with_what_was_asked(peer: Peer) -> None:
    peer.send("q", b"one")
    peer.controls = []
    peer.control("session.flush", 1, expected=True, confirmed=True, completed=True)
    told = {record.layout.name: record.ranges("commands") for record in peer.controls}
    assert told == {
        "session.expected": [(1, 1)],
        "session.confirmed": [(0, 0)],
        "session.completed": [(0, 0)],
    }


def test_what_the_peer_knows_to_be_complete_is_not_told_again(peer: Peer) -> None:
    peer.send("q", b"one")
    peer.control("session.known-completed", 1, commands=[(0, 0)])
    peer.send("q", b"two")
    assert peer.last("session.completed").ranges("commands") == [(1, 1)]


def test_a_timeout_is_never_promised(peer: Peer) -> None:
    peer.control("session.request-timeout", 1, timeout=300)
    assert peer.last("session.timeout").number("timeout") == 0


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


def test_a_sync_is_complete_when_all_before_it_is(broker_state: BrokerState) -> None:
    broker_state.broker.declare(QueueSpec("kept", durable=True))
    peer = Peer(broker_state)
    peer.flushed = 0
    peer.send("kept", b"one", delivery={"delivery_mode": 2})
    peer.do("execution.sync")
    assert peer.completed == set()
    peer.flushed = 1
    peer.exchange()
    assert peer.completed == {0, 1}


def test_a_command_that_fails_ends_the_session_with_the_reason(peer: Peer) -> None:
    assert peer.fails("message.subscribe", queue="nosuch", destination="d") == 404
    failure = peer.failures[-1]
    assert (failure.number("class_code"), failure.number("command_code")) == (4, 7)
    assert "nosuch" in failure.text("description")
    assert peer.last("session.detach").binary("name") == b"test"


def test_commands_behind_one_that_fails_are_not_carried_out(broker_state: BrokerState, peer: Peer) -> None:
    bad = peer.command_bytes("exchange.declare", exchange="x", type="nosuch")
    good = peer.command_bytes("exchange.declare", exchange="y", type="direct")
    peer.exchange(bad + good)
    assert broker_state.broker.exchanges.get("y") is None


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


def test_a_connection_that_is_not_opened_in_time_ends(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, options=Options(open_timeout_ms=1000), opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.conversation.advance(START_MS + 1000, START_MS)
    peer.conversation.data_to_send()
    assert peer.conversation.finished


def test_a_shut_down_says_why_and_waits_for_the_answer(peer: Peer) -> None:
    peer.conversation.shut_down("the broker is shutting down")
    peer.exchange()
    assert peer.last("connection.close").text("reply_text") == "the broker is shutting down"
    assert not peer.conversation.finished
    peer.control("connection.close-ok")
    assert peer.conversation.finished


def test_ids_go_on_behind_the_end_of_32_bits() -> None:
    assert nearest(5, 2**32 - 3) == 2**32 + 5
    assert nearest(2**32 - 3, 2**32 + 5) == 2**32 - 3
    assert nearest(7, 0) == 7


def test_runs_join_where_they_touch_and_part_where_something_is_taken_out() -> None:
    spans = Spans()
    for first, last in [(0, 0), (1, 2), (5, 6), (9, 9), (4, 4), (3, 3)]:
        spans.add(first, last)
    assert spans.runs == [(0, 6), (9, 9)]
    spans.discard(2, 3)
    assert spans.runs == [(0, 1), (4, 6), (9, 9)]
    assert (1 in spans, 2 in spans) == (True, False)
