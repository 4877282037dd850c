"""The engine of AMQP 0-9-1: how a connection opens, what a peer may do wrong, and the older versions."""

import struct
from typing import Any

import pytest
from amqp091_peer import SAID, Peer
from hypothesis import example, given
from hypothesis import strategies as st
from pamqp import commands, encode, frame, heartbeat

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp091.dialects import HEADER_08, HEADER_09, HEADER_091
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.amqp091.connection import Connection as AmqpConnection
from lastvalue.protocols.amqp091.options import Options
from lastvalue.protocols.sasl import Authenticator, SaslExchange

Connection, Channel, Basic, Queue = commands.Connection, commands.Channel, commands.Basic, commands.Queue
WITH_PASSWORD = Authenticator(
    anonymous=False, check=lambda user, password: (user, password) == ("me", "secret")
)


def peer(**more: Any) -> Peer:
    return Peer(Broker(), **more)


def closed(one: Peer) -> int | None:
    return one.expect(Connection.Close, channel=0).reply_code


def test_a_server_says_what_it_can_and_how_to_prove_who_one_is() -> None:
    """S-327."""
    one = peer(authenticator=WITH_PASSWORD).raw(HEADER_091)
    start = one.expect(Connection.Start, channel=0)
    capabilities = (start.server_properties or {})["capabilities"]
    assert isinstance(capabilities, dict)
    assert {"publisher_confirms", "basic.nack", "consumer_cancel_notify"} <= capabilities.keys()
    assert start.mechanisms == "PLAIN AMQPLAIN"


@pytest.mark.parametrize(
    ("mechanism", "response"),
    [
        ("PLAIN", "\0me\0secret"),
        ("AMQPLAIN", encode.field_table({"LOGIN": "me", "PASSWORD": "secret"})[4:].decode("latin-1")),
    ],
)
def test_a_name_and_a_password_let_in(mechanism: str, response: str) -> None:
    one = peer(authenticator=WITH_PASSWORD).raw(HEADER_091)
    one.expect(Connection.Start, channel=0)
    one.say(Connection.StartOk({}, mechanism, response), channel=0)
    tune = one.expect(Connection.Tune, channel=0)
    assert (tune.channel_max, tune.frame_max, tune.heartbeat) == (2047, 131072, 60)


def test_plain_without_a_response_is_asked_for_one() -> None:
    one = peer(authenticator=WITH_PASSWORD).raw(HEADER_091)
    one.expect(Connection.Start, channel=0)
    one.say(Connection.StartOk({}, "PLAIN", ""), channel=0)
    assert one.expect(Connection.Secure, channel=0).challenge == ""
    one.say(Connection.SecureOk("\0me\0secret"), channel=0).expect(Connection.Tune, channel=0)


@pytest.mark.parametrize("mechanism", ["PLAIN", "AMQPLAIN"])
@pytest.mark.parametrize("right", [True, False])
def test_what_comes_ahead_waits_for_the_check_of_the_password(mechanism: str, right: bool) -> None:
    answers: list[bool | None] = [None]
    one = peer(authenticator=Authenticator(anonymous=False, check=lambda user, password: answers[-1]))
    one.raw(HEADER_091)
    one.expect(Connection.Start, channel=0)
    table = encode.field_table({"LOGIN": "me", "PASSWORD": "pw"})[4:].decode("latin-1")
    response = table if mechanism == "AMQPLAIN" else "\0me\0pw"
    sent = (
        Connection.StartOk(SAID, mechanism, response),
        Connection.TuneOk(0, 131072, 0),
        Connection.Open("/"),
    )
    one.raw(b"".join(frame.marshal(each, 0) for each in sent))
    assert one.silent()
    answers.append(right)
    one.conversation.password_checked(one.now, one.now)
    one.turn()
    if right:
        one.expect(Connection.Tune, channel=0)
        one.expect(Connection.OpenOk, channel=0)
    else:
        assert closed(one) == 403


OPENING = (
    Connection.StartOk(SAID, "PLAIN", "\0me\0pw"),
    Connection.TuneOk(0, 131072, 0),
    Connection.Open("/"),
)


def opening_with(*behind: tuple[Any, int]) -> bytes:
    """All that opens a connection, and what a client sends behind it without waiting for the answer."""
    return b"".join(frame.marshal(each, number) for each, number in (*((one, 0) for one in OPENING), *behind))


def test_a_channel_may_be_opened_in_one_write_with_its_connection() -> None:
    """[RabbitMQ] What comes behind connection.open waits for its answer."""
    one = peer().raw(HEADER_091)
    one.raw(
        opening_with((Channel.Open(), 1), (Queue.Declare(queue="q"), 1), (Connection.Close(200, "", 0, 0), 0))
    )
    for kind in (Connection.Start, Connection.Tune, Connection.OpenOk):
        one.expect(kind, channel=0)
    one.expect(Channel.OpenOk, channel=1)
    assert one.expect(Queue.DeclareOk, channel=1).queue == "q"
    one.expect(Connection.CloseOk, channel=0)


def test_what_comes_behind_an_opening_that_is_refused_is_not_done() -> None:
    options = Options()
    engine = AmqpConnection(options, Authenticator(check=lambda *_: True), MemoryAccount(), 0)
    engine.receive(HEADER_091 + opening_with((Channel.Open(), 1)), 0)
    assert [type(each).__name__ for each in engine.events()] == ["ConnectionOpened"]
    engine.fail(530, "no", (10, 40))
    engine.accept(0)
    engine.receive(frame.marshal(Connection.CloseOk(), 0), 0)
    assert (engine.finished, engine.events(), dict(engine.channels)) == (True, [], {})


def test_only_a_frame_may_wait_for_the_answer_to_an_opening() -> None:
    engine = AmqpConnection(Options(), Authenticator(check=lambda *_: True), MemoryAccount(), 0)
    engine.receive(HEADER_091 + opening_with(), 0)
    large = frame.marshal(Channel.Open(), 1) * 10_000
    causes = []
    for _ in range(2):
        engine.receive(large, 0)
        causes.append(engine.end_cause)
    assert causes == ["", "more than a frame came ahead of connection.open-ok"]


@pytest.mark.parametrize(("secret", "code"), [("good", None), ("another's", 403), ("invalid", 403)])
def test_a_new_secret_is_a_valid_token_of_the_same_user(secret: str, code: int | None) -> None:
    users = {"good": "me", "another's": "you"}
    bearer = {"OAUTHBEARER": begun_plain}
    authenticator = Authenticator(anonymous=False, others=bearer, token=users.get)
    one = peer(authenticator=authenticator).raw(HEADER_091)
    one.say(Connection.StartOk(SAID, "OAUTHBEARER", "\0me\0pw"), channel=0)
    one.say(Connection.TuneOk(0, 131072, 0), channel=0).say(Connection.Open("/"), channel=0)
    for kind in (Connection.Start, Connection.Tune, Connection.OpenOk):
        one.expect(kind, channel=0)
    one.say(Connection.UpdateSecret(secret, "refresh"), channel=0)
    if code is None:
        one.expect(Connection.UpdateSecretOk, channel=0)
    else:
        assert closed(one) == code


def begun_plain() -> SaslExchange:
    """An exchange that takes every name."""
    exchange = Authenticator(check=lambda user, password: True).begin("PLAIN")
    assert exchange is not None
    return exchange


def test_a_wrong_password_is_told_to_who_can_be_told() -> None:
    one = peer(authenticator=WITH_PASSWORD).raw(HEADER_091)
    one.expect(Connection.Start, channel=0)
    one.say(Connection.StartOk(SAID, "PLAIN", "\0me\0wrong"), channel=0)
    assert closed(one) == 403
    other = peer(authenticator=WITH_PASSWORD).raw(HEADER_091)
    other.expect(Connection.Start, channel=0)
    other.say(Connection.StartOk({}, "PLAIN", "\0me\0wrong"), channel=0)
    assert (other.silent(), other.conversation.finished) == (True, True)


def test_a_user_with_too_many_connections_is_refused() -> None:
    one = peer()
    one.refusal = "too many"
    one.raw(HEADER_091).say(Connection.StartOk(SAID, "PLAIN", "\0me\0x"), channel=0)
    one.say(Connection.TuneOk(0, 131072, 0), Connection.Open("/"), channel=0)
    one.frames = one.frames[2:]
    assert closed(one) == 530


def test_bytes_may_come_one_by_one() -> None:
    one = peer().open()
    for octet in frame.marshal(Queue.Declare(queue="q"), 1):
        one.raw(bytes((octet,)))
    assert one.expect(Queue.DeclareOk).queue == "q"


def test_a_body_comes_and_goes_in_frames_of_the_size_that_is_agreed() -> None:
    one = peer()
    one.raw(HEADER_091).say(Connection.StartOk(SAID, "PLAIN", "\0me\0x"), channel=0)
    one.say(Connection.TuneOk(0, 4096, 0), Connection.Open("/"), channel=0).say(Channel.Open())
    one.frames.clear()
    one.say(Queue.Declare(queue="q")).expect(Queue.DeclareOk)
    one.publish_in_pieces(b"x" * 10_000, "q", 4088)
    one.say(Basic.Get(queue="q"))
    sizes = [len(part.value) for _, part in one.frames if part.name == "ContentBody"]
    assert sizes == [4088, 4088, 1824]
    assert one.content(Basic.GetOk)[2] == b"x" * 10_000


@pytest.mark.parametrize(
    ("octets", "code"),
    [
        (b"\x01\x00\x01\x00\x00\x00\x02\x00\x00\xce", 502),
        (b"\x08\x00\x01\x00\x00\x00\x00\xce", 501),
        (b"\x01\x00\x01\x00\x00\x00\x04\x00\x63\x00\x63\xce", 503),
        (b"\x03\x00\x01\x00\x00\x00\x01x\xce", 505),
        (b"\x02\x00\x01\x00\x00\x00\x0e\x00\x3c" + bytes(12) + b"\xce", 505),
        (frame.marshal(Basic.Publish(), 1) + frame.marshal(Queue.Declare(queue="q"), 1), 505),
        (frame.marshal(Basic.Get(queue="q"), 7), 504),
        (frame.marshal(Channel.Open(), 1), 504),
        (frame.marshal(Channel.Open(), 3000), 530),
        (frame.marshal(Connection.TuneOk(0, 0, 0), 0), 503),
        (frame.marshal(Connection.Open("/"), 1), 504),
    ],
)
def test_what_breaks_the_rules_ends_the_connection_with_its_code(octets: bytes, code: int) -> None:
    one = peer().open().raw(octets)
    assert closed(one) == code
    assert one.say(Connection.CloseOk(), channel=0).conversation.finished


def test_a_frame_that_is_too_large_ends_the_connection_at_once() -> None:
    one = peer().open().raw(struct.pack(">BHI", 1, 1, 1 << 20))
    assert (closed(one), one.conversation.finished) == (501, True)


@pytest.mark.parametrize(
    "octets",
    [
        b"\x01\x00\x01\x00\x00\x00\x04\x00\x3c\x00\x3c\xcf",
        b"\x07\x00\x01\x00\x00\x00\x00\xce",
        b"\x00\x00\x00\x00\x00\x00\x00\xce",
    ],
    ids=["no end", "unknown type", "unknown type on channel 0"],
)
@pytest.mark.parametrize("closing", [False, True])
def test_a_frame_that_cannot_be_one_ends_the_connection_without_a_word(octets: bytes, closing: bool) -> None:
    one = peer().open()
    if closing:
        one.conversation.shut_down("the end")
        one.turn().frames.clear()
    one.raw(octets)
    assert (one.silent(), one.conversation.finished) == (True, True)


def test_a_message_that_is_too_large_ends_its_channel_only() -> None:
    one = peer(options=Options(max_message_size=10)).open()
    one.publish(b"x" * 11, "q")
    assert one.expect(Channel.Close).reply_code == 311
    one.say(Channel.CloseOk()).say(Channel.Open()).expect(Channel.OpenOk)


def test_heartbeats_are_sent_and_missed() -> None:
    one = peer()
    one.raw(HEADER_091).say(Connection.StartOk(SAID, "PLAIN", "\0me\0x"), channel=0)
    one.say(Connection.TuneOk(0, 131072, 2), Connection.Open("/"), channel=0)
    one.frames.clear()
    one.at(one.now + 1000).at(one.now + 1000)
    assert [type(part) for _, part in one.frames] == [heartbeat.Heartbeat]
    one.at(one.now + 1999)
    assert not one.conversation.finished
    one.raw(b"\x08\x00\x00\x00\x00\x00\x00\xce")
    assert not one.at(one.now + 3999).conversation.finished
    assert one.at(one.now + 1).conversation.finished


def test_a_peer_that_does_not_open_in_time_is_left() -> None:
    one = peer().raw(HEADER_091)
    assert one.conversation.next_deadline() == one.now + 10_000
    assert one.at(one.now + 10_000).conversation.finished


def test_a_shut_down_is_told_and_waits_for_the_answer_for_a_while() -> None:
    one = peer().open()
    one.conversation.shut_down("good night")
    close = one.turn().expect(Connection.Close, channel=0)
    assert (close.reply_code, close.reply_text) == (320, "CONNECTION_FORCED - good night")
    # The wait begins at the next look at the time, which is due at once.
    assert one.conversation.next_deadline() <= one.now
    one.at(one.now)
    assert one.conversation.next_deadline() == one.now + 2_000
    assert not one.at(one.now + 1_999).conversation.finished
    assert one.at(one.now + 1).conversation.finished


@pytest.mark.parametrize("header", [HEADER_08, HEADER_09])
def test_older_versions_are_spoken_with_what_they_have_otherwise(header: bytes) -> None:
    one = peer().raw(header)
    start = one.expect(Connection.Start, channel=0)
    assert (start.version_major, start.version_minor) == ((8, 0) if header == HEADER_08 else (0, 9))
    one.say(Connection.StartOk({}, "PLAIN", "\0me\0x"), channel=0)
    one.say(Connection.TuneOk(0, 131072, 0), Connection.Open("/"), channel=0)
    one.frames.clear()
    opened = one.octets(frame.marshal(Channel.Open(), 1))
    assert len(opened) == (12 if header == HEADER_08 else 17)
    access = b"\x00\x1e\x00\x0a\x05/data\x1f"
    assert (
        one.octets(struct.pack(">BHI", 1, 1, len(access)) + access + b"\xce")[7:13]
        == b"\x00\x1e\x00\x0b\x00\x01"
    )
    bound = b"\x00\x28\x00\x16\x09amq.topic\x00\x00"
    assert (
        one.octets(struct.pack(">BHI", 1, 1, len(bound)) + bound + b"\xce")[7:13]
        == b"\x00\x28\x00\x17\x00\x03"
    )
    number = b"\x00\x0a\x00\x3c" if header == HEADER_08 else b"\x00\x0a\x00\x32"
    close = number + bytes(7)
    answer = one.octets(struct.pack(">BHI", 1, 0, len(close)) + close + b"\xce")
    assert answer[7:11] == number[:3] + bytes((number[3] + 1,))


def test_a_refusal_ends_the_connection_of_an_older_version() -> None:
    one = peer().raw(HEADER_09)
    one.say(Connection.StartOk({}, "PLAIN", "\0me\0x"), channel=0)
    one.say(Connection.TuneOk(0, 131072, 0), Connection.Open("/"), channel=0).say(Channel.Open())
    one.frames.clear()
    one.say(commands.Exchange.Declare(exchange="amq.direct", exchange_type="topic"))
    assert closed(one) == 530


@given(st.binary(max_size=200), st.integers(1, 3))
def test_whatever_a_peer_sends_raises_nothing(octets: bytes, kind: int) -> None:
    one = peer().open()
    whole = struct.pack(">BHI", kind, 1, len(octets)) + octets + b"\xce"
    one.conversation.receive(whole + octets, one.now, one.now)
    one.conversation.lost(one.now, one.now)


@pytest.mark.parametrize("size", [2**63 - 1, 2**63, 2**64 - 1])
def test_a_message_that_would_be_larger_than_any_is_too_large(size: int) -> None:
    header = struct.pack(">HHQH", 60, 0, size, 0)
    one = peer().open().say(Basic.Publish(routing_key="q"))
    one.raw(struct.pack(">BHI", 2, 1, len(header)) + header + b"\xce")
    assert one.expect(Channel.Close).reply_code == 311


@example(60, 8, b"\xff" * 9)
@given(st.sampled_from([40, 50, 60, 85, 90]), st.integers(1, 12), st.binary(max_size=60))
def test_whatever_a_method_has_for_fields_raises_nothing(class_id: int, tens: int, octets: bytes) -> None:
    payload = struct.pack(">HH", class_id, tens * 10) + octets
    one = peer().open()
    one.conversation.receive(struct.pack(">BHI", 1, 1, len(payload)) + payload + b"\xce", one.now, one.now)
    one.conversation.data_to_send()
