"""AMQP 1.0 part 2, sections 2.2 to 2.4: protocol headers, frames, connections."""

import pytest
from scripted_peer import ScriptedPeer, client, in_session, opened, server

from lastvalue.codec.amqp10.frames import (
    AMQP_HEADER,
    EMPTY_FRAME,
    KIND_SASL,
    SASL_HEADER,
    TLS_HEADER,
    encode_frame,
)
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    AmqpError,
    Begin,
    Close,
    End,
    Flow,
    Open,
    Performative,
    SaslInit,
    encode_performative,
)
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp10.connection import ConnectionClosed, ConnectionOpened
from lastvalue.protocols.engine import UsageError

CLOSE = encode_performative(Close())


def closed_with(peer: ScriptedPeer) -> str:
    condition = peer.condition(Close)
    assert peer.engine.finished
    return condition


# ---- 2.2 Version negotiation


@pytest.mark.spec("amqp-1.0", "2.2", "the server answers a header it supports with the same header")
def test_a_header_is_answered_with_the_same() -> None:
    assert server().send(AMQP_HEADER).heard_header() == AMQP_HEADER


@pytest.mark.spec(
    "amqp-1.0", "2.2", "otherwise it MUST write a supported protocol header and close the socket"
)
@pytest.mark.parametrize(
    "header",
    [b"AMQP\x00\x00\x09\x01", b"AMQP\x00\x01\x00\x01", TLS_HEADER, SASL_HEADER, b"GET / HT"],
    ids=["amqp 0-9-1", "another revision", "tls", "sasl where there is none", "http"],
)
def test_any_other_header_is_answered_with_ours_and_the_connection_ends(header: bytes) -> None:
    peer = server().send(header)
    assert peer.heard_header() == AMQP_HEADER
    assert peer.engine.finished
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.2", "the header is eight octets; nothing is said before all of it came")
def test_a_header_may_come_octet_by_octet() -> None:
    peer = server()
    for octet in AMQP_HEADER[:-1]:
        peer.send(bytes((octet,)))
    assert peer.engine.data_to_send() == b""
    assert peer.send(AMQP_HEADER[-1:]).heard_header() == AMQP_HEADER


@pytest.mark.spec("amqp-1.0", "2.2", "a client whose protocol the server does not support closes")
def test_a_client_leaves_a_server_that_answers_with_another_protocol() -> None:
    peer = client()
    peer.engine.open()
    peer.send(SASL_HEADER)
    assert peer.engine.finished
    assert peer.event(ConnectionClosed).error is not None


# ---- 2.3 Framing


@pytest.mark.spec("amqp-1.0", "2.3.1", "the extended header is ignored: the body starts at the data offset")
def test_an_extended_header_is_skipped() -> None:
    peer = opened()
    frame = (12 + len(CLOSE)).to_bytes(4, "big") + b"\x03\x00\x00\x00" + b"\xff\xff\xff\xff" + CLOSE
    peer.send(frame)
    assert peer.heard(Close).error is None


@pytest.mark.spec("amqp-1.0", "2.3.1", "the frame is malformed if the data offset is less than 2")
@pytest.mark.parametrize(
    "head",
    [
        b"\x00\x00\x00\x08\x01\x00\x00\x00",
        b"\x00\x00\x00\x07\x02\x00\x00\x00",
        b"\x00\x00\x00\x08\x03\x00\x00\x00",
    ],
    ids=["data offset in the header", "smaller than its header", "data offset beyond the frame"],
)
def test_a_malformed_frame_header_closes_with_framing_error(head: bytes) -> None:
    assert closed_with(opened().send(head)) == "amqp:connection:framing-error"


@pytest.mark.spec("amqp-1.0", "2.3.1", "type 0x00 is an AMQP frame, 0x01 a SASL frame")
def test_a_sasl_frame_on_an_open_connection_closes_it() -> None:
    assert closed_with(opened().say(Close(), kind=KIND_SASL)) == "amqp:connection:framing-error"


@pytest.mark.spec("amqp-1.0", "2.3.2", "a frame with no body may be sent to avoid an idle timeout")
def test_an_empty_frame_means_nothing() -> None:
    peer = opened().send(EMPTY_FRAME)
    assert peer.hears_nothing()
    assert peer.engine.opened


# ---- 2.4 Connections


@pytest.mark.spec("amqp-1.0", "2.4.1", "each peer MUST send an open; nothing else comes before it")
def test_an_open_is_answered_with_an_open() -> None:
    peer = server().send(AMQP_HEADER).open(hostname="here")
    peer.heard_header()
    assert peer.heard(Open).container_id == "server"
    assert peer.event(ConnectionOpened).remote.hostname == "here"
    assert peer.engine.opened


@pytest.mark.spec("amqp-1.0", "2.4.1", "the open frame is the first frame")
def test_a_frame_before_the_open_closes_the_connection() -> None:
    peer = server().send(AMQP_HEADER).begin()
    peer.heard_header()
    peer.heard(Open)
    assert closed_with(peer) == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.4.1", "the open frame can only be sent once")
def test_a_second_open_closes_the_connection() -> None:
    assert closed_with(opened().open()) == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.4.2", "a pipelined open: frames may follow it before the peer's open came")
def test_a_peer_may_say_everything_at_once() -> None:
    frames: list[Performative] = [
        Open(container_id="peer"),
        Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1),
        End(),
        Close(),
    ]
    said = b"".join([encode_frame(encode_performative(frame), 0) for frame in frames])
    peer = server().send(AMQP_HEADER + said)
    assert peer.heard_header() == AMQP_HEADER
    assert [type(frame.performative) for frame in peer.frames()] == [Open, Begin, End, Close]
    assert peer.engine.finished


@pytest.mark.spec("amqp-1.0", "2.4.3", "a close is answered with a close")
def test_a_close_is_answered() -> None:
    peer = opened().say(Close(AmqpError("amqp:connection:forced", "going")))
    assert peer.heard(Close).error is None
    assert peer.engine.finished
    assert peer.event(ConnectionClosed).error == AmqpError("amqp:connection:forced", "going")


@pytest.mark.spec("amqp-1.0", "2.4.3", "after writing a close a peer waits for its partner's")
def test_a_connection_that_this_side_closed_ends_with_the_peers_close() -> None:
    peer = opened()
    peer.engine.close(AmqpError("amqp:connection:forced"))
    assert peer.condition(Close) == "amqp:connection:forced"
    assert peer.begin().kinds() == []
    peer.say(Close())
    assert peer.engine.finished
    assert peer.kinds() == [ConnectionClosed]
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.4.3", "a timeout guards against a partner that never closes")
def test_the_peers_close_is_not_waited_for_for_ever() -> None:
    peer = opened(close_timeout_ms=500)
    peer.engine.close()
    finished = [peer.at(now).engine.finished for now in (10_000, 10_499, 10_500)]
    assert finished == [False, False, True]


@pytest.mark.spec("amqp-1.0", "2.4.5", "silence beyond the idle timeout closes with resource-limit-exceeded")
def test_a_silent_peer_is_left() -> None:
    peer = opened(idle_timeout_ms=1000)
    assert peer.engine.next_deadline() == 1000
    assert peer.at(999).hears_nothing()
    assert closed_with(peer.at(1000)) == "amqp:resource-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "2.4.5", "a peer SHOULD advertise half of the timeout that it enforces")
def test_half_of_the_idle_timeout_is_told() -> None:
    peer = server(idle_timeout_ms=1000).send(AMQP_HEADER).open()
    peer.heard_header()
    assert peer.heard(Open).idle_time_out == 500


@pytest.mark.spec("amqp-1.0", "2.4.5", "any frame, an empty one too, is a sign of life")
def test_an_empty_frame_keeps_the_connection() -> None:
    peer = opened(idle_timeout_ms=1000).at(900).send(EMPTY_FRAME)
    assert peer.at(1899).engine.opened
    assert not peer.at(1900).engine.opened


@pytest.mark.spec("amqp-1.0", "2.4.5", "a peer that has nothing to send keeps the other from timing out")
def test_the_peer_hears_something_within_half_of_its_timeout() -> None:
    peer = server().send(AMQP_HEADER).open(idle_time_out=400)
    peer.frames_from_start()
    heard = [now for now in range(0, 2000, 10) if peer.at(now).frames()]
    assert heard == list(range(200, 2000, 200))


@pytest.mark.spec("amqp-1.0", "2.4.5", "a peer that cannot support a proposed timeout closes and says why")
def test_an_absurd_idle_timeout_is_refused() -> None:
    peer = server().send(AMQP_HEADER).open(idle_time_out=1)
    peer.heard_header()
    peer.heard(Open)
    assert closed_with(peer) == "amqp:not-allowed"


@pytest.mark.spec(
    "amqp-1.0", "2.4.6", "frames after a close that this side sent are discarded, but for the close"
)
def test_a_connection_that_is_closing_hears_only_the_close() -> None:
    peer = in_session()
    peer.engine.close()
    peer.heard(Close)
    peer.attach(ROLE_RECEIVER).flow(handle=7)
    assert peer.hears_nothing()
    peer.say(Close())
    assert peer.kinds() == [ConnectionClosed]


# ---- 2.7.1 Open


@pytest.mark.spec("amqp-1.0", "2.7.1", "a peer MUST NOT send frames larger than its partner can handle")
def test_a_frame_over_the_limit_closes_before_it_is_gathered() -> None:
    peer = opened(max_frame_size=600).send((601).to_bytes(4, "big") + b"\x02\x00\x00\x00")
    assert closed_with(peer) == "amqp:connection:framing-error"


@pytest.mark.spec("amqp-1.0", "2.7.1", "a peer MUST accept frames of up to 512 octets")
def test_a_max_frame_size_below_512_is_invalid() -> None:
    peer = server().send(AMQP_HEADER).open(max_frame_size=511)
    peer.heard_header()
    peer.heard(Open)
    assert closed_with(peer) == "amqp:invalid-field"


@pytest.mark.spec(
    "amqp-1.0", "2.7.1", "a channel number outside the supported range closes with framing-error"
)
def test_a_channel_beyond_the_limit_closes_the_connection() -> None:
    assert closed_with(opened(channel_max=3).begin(channel=4)) == "amqp:connection:framing-error"


@pytest.mark.spec("amqp-1.0", "2.7.1", "channel-max is the highest channel: 3 means 4 sessions")
def test_the_highest_channel_may_be_used() -> None:
    assert opened(channel_max=3).begin(channel=3).heard(Begin).remote_channel == 3


@pytest.mark.spec("amqp-1.0", "2.4.1", "the open frame can only be sent on channel 0")
def test_an_open_on_another_channel_closes_the_connection() -> None:
    peer = server().send(AMQP_HEADER).say(Open(container_id="peer"), channel=1)
    assert [type(frame.performative) for frame in peer.frames_from_start()] == [Open, Close]
    assert peer.engine.error is not None
    assert peer.engine.error.condition == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.4.3", "the close frame is sent on channel 0")
def test_a_close_on_another_channel_is_an_error() -> None:
    assert closed_with(in_session().say(Close(), channel=1)) == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.7.1", "the limits of this side are told")
def test_the_open_tells_the_limits() -> None:
    peer = server(max_frame_size=5000, channel_max=7, properties={"product": "x"}).send(AMQP_HEADER).open()
    peer.heard_header()
    said = peer.heard(Open)
    assert (said.max_frame_size, said.channel_max, said.properties) == (5000, 7, {"product": "x"})


@pytest.mark.spec("amqp-1.0", "2.8.15", "frame-size-too-small: a performative does not fit the agreed frames")
def test_an_answer_that_the_peers_frames_cannot_hold_closes_the_connection() -> None:
    peer = in_session(512).attach(ROLE_RECEIVER)
    link = peer.sender_of_engine()
    link.detach(AmqpError("amqp:internal-error", "x" * 500))
    assert closed_with(peer) == "amqp:frame-size-too-small"


# ---- Data that cannot be read


@pytest.mark.spec("amqp-1.0", "2.8.15", "decode-error: data could not be decoded")
@pytest.mark.parametrize(
    "body",
    [b"\xff" * 20, b"\x00\x53\x12\xc0\xff\x01", b"\x00\x53\x99\x45", b"\x40", bytes(30_000)],
    ids=["no type", "longer than the frame", "no performative", "null", "nested too deeply"],
)
def test_what_cannot_be_read_closes_with_decode_error(body: bytes) -> None:
    assert closed_with(in_session().send(encode_frame(body, 0))) == "amqp:decode-error"


@pytest.mark.spec("amqp-1.0", "2.8.15", "invalid-field: a mandatory field is missing or has a wrong type")
@pytest.mark.parametrize(
    "body",
    [b"\x00\x53\x14\x45", b"\x00\x53\x12\x45", b"\x00\x53\x13\xc0\x05\x01\xa1\x02xy"],
    ids=["transfer without a handle", "attach without a name", "flow with a text for a window"],
)
def test_a_wrong_field_closes_with_invalid_field(body: bytes) -> None:
    assert closed_with(in_session().send(encode_frame(body, 0))) == "amqp:invalid-field"


@pytest.mark.spec("amqp-1.0", "2.5", "frames on a channel belong to the session that was begun there")
def test_a_frame_on_a_channel_without_a_session_closes_the_connection() -> None:
    assert closed_with(
        in_session().say(Flow(incoming_window=1, next_outgoing_id=0, outgoing_window=1), channel=5)
    ) == ("amqp:not-allowed")


def test_a_peer_that_vanishes_is_told_as_a_close() -> None:
    peer = in_session()
    peer.engine.receive_eof(0)
    closed = peer.event(ConnectionClosed).error
    assert closed is not None
    assert closed.condition == "amqp:connection:forced"
    assert peer.engine.finished


def test_an_error_that_ended_the_connection_ends_its_sessions_without_an_event_each() -> None:
    peer = in_session().attach(ROLE_RECEIVER)
    link = peer.sender_of_engine()
    peer.open()
    assert peer.kinds() == [ConnectionClosed]
    assert not link.attached
    link.detach()
    assert [type(frame.performative) for frame in peer.frames()] == [Close]
    assert peer.kinds() == []


@pytest.mark.spec("amqp-1.0", "2.4.1", "the open frame is the first frame, before a close too")
def test_a_close_before_the_open_is_answered_with_both() -> None:
    peer = server().send(AMQP_HEADER).say(Close())
    assert [type(frame.performative) for frame in peer.frames_from_start()] == [Open, Close]
    assert peer.engine.finished


@pytest.mark.spec("amqp-1.0", "5.3", "SASL frames come before the connection opens")
def test_a_sasl_performative_within_a_session_closes_the_connection() -> None:
    assert closed_with(in_session().say(SaslInit("PLAIN"))) == "amqp:not-allowed"


def test_a_connection_that_this_side_closes_before_it_opened_is_over() -> None:
    peer = server()
    peer.engine.close()
    assert peer.engine.finished
    assert peer.kinds() == [ConnectionClosed]
    assert peer.at(10**9).send(AMQP_HEADER).hears_nothing()
    assert peer.engine.next_deadline() == NEVER


def test_a_peer_that_says_nothing_is_left_after_the_time_to_open() -> None:
    peer = server(open_timeout_ms=500)
    assert peer.engine.next_deadline() == 500
    assert not peer.at(499).engine.finished
    assert peer.at(500).kinds() == [ConnectionClosed]


def test_a_client_opens_once_and_begins_when_it_is_open() -> None:
    peer = client()
    peer.engine.open()
    peer.engine.open()
    assert [type(frame.performative) for frame in peer.frames_from_start()] == [Open]
    with pytest.raises(UsageError, match="open sent"):
        peer.engine.begin()
