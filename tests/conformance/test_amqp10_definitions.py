"""AMQP 1.0 parts 2, 4 and 5: what the other files leave: ends that cross, definitions, layers."""

import pytest
from scripted_peer import ScriptedPeer, client_in_session, in_session, opened, receiving, sending, server

from lastvalue.codec.amqp10.frames import AMQP_HEADER, SASL_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    RECEIVER_SECOND,
    ROLE_RECEIVER,
    ROLE_SENDER,
    SENDER_MIXED,
    SENDER_SETTLED,
    SENDER_UNSETTLED,
    Accepted,
    AmqpError,
    Attach,
    Begin,
    Close,
    Declared,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Source,
    Target,
    Transfer,
    decode_composite,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Described, Symbol, UByte, UInt, ULong, Value
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.receiver import Delivery, Drained
from lastvalue.protocols.amqp10.sender import DeliverySettled
from lastvalue.protocols.amqp10.session import LinkAttached, SessionEnded
from lastvalue.protocols.sasl import Authenticator

TLS_HEADER = b"AMQP\x02\x01\x00\x00"


@pytest.fixture
def peer() -> ScriptedPeer:
    return in_session()


# ---- closes and ends that cross


@pytest.mark.spec("amqp-1.0", "2.4.4", "closes that cross end the connection without another")
def test_closes_that_cross_end_the_connection() -> None:
    peer = opened()
    peer.engine.close(AmqpError("x:ours"))
    peer.say(Close(AmqpError("x:theirs")))
    assert peer.condition(Close) == "x:ours"
    assert peer.hears_nothing()
    assert peer.engine.finished


@pytest.mark.spec("amqp-1.0", "2.5.3", "ends that cross end the session without another")
def test_ends_that_cross_end_the_session(peer: ScriptedPeer) -> None:
    peer.engine.sessions[0].end()
    peer.say(End())
    peer.heard(End)
    assert peer.hears_nothing()
    assert peer.engine.sessions == {}
    peer.begin()
    peer.heard(Begin)


@pytest.mark.spec("amqp-1.0", "2.5.4", "an end may carry an error, which the other side is told")
def test_the_error_of_an_end_is_told(peer: ScriptedPeer) -> None:
    peer.say(End(AmqpError("x:why", "because")))
    error = peer.event(SessionEnded).error
    assert error is not None
    assert (error.condition, error.description) == ("x:why", "because")


@pytest.mark.spec("amqp-1.0", "2.4.6", "what a state does not allow closes the connection")
@pytest.mark.spec("amqp-1.0", "2.4.7", "a second open is not in the diagram")
def test_a_connection_goes_through_its_states() -> None:
    peer = opened()
    peer.say(Open(container_id="again"))
    assert peer.condition(Close) == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.5.5", "an answer to a begin maps the channels of the two sides")
def test_a_session_has_a_channel_of_each_side() -> None:
    peer = client_in_session()
    session = peer.engine.sessions[0]
    assert (session.channel, session.remote_channel) == (0, 0)
    peer.engine.begin()
    peer.heard(Begin)
    peer.begin(channel=7, remote_channel=1)
    assert peer.engine.sessions[1].remote_channel == 7


@pytest.mark.spec("amqp-1.0", "2.6.2", "a handle is each side's own number for a link")
def test_handles_of_the_two_sides_are_their_own(peer: ScriptedPeer) -> None:
    peer.attach(ROLE_SENDER, "a", handle=9).attach(ROLE_SENDER, "b", handle=4)
    for link in peer.links():
        link.accept(Source(), Target())
    assert [peer.heard(Attach).handle for _ in range(2)] == [0, 1]
    peer.detach(4)
    assert peer.heard(Detach).handle == 1
    peer.attach(ROLE_SENDER, "c", handle=4)
    (link,) = peer.links()
    assert link.link_state.handle == 1


@pytest.mark.spec("amqp-1.0", "2.6.6", "a detach with closed is answered with closed")
def test_a_closing_detach_is_answered_so(peer: ScriptedPeer) -> None:
    peer.attach(ROLE_SENDER)
    peer.receiver_of_engine()
    peer.detach()
    assert peer.heard(Detach).closed


@pytest.mark.spec("amqp-1.0", "2.6.8", "a get: credit for one message, and a drain of the rest")
@pytest.mark.parametrize("messages", [0, 1])
def test_a_synchronous_get_ends_with_a_message_or_without(messages: int) -> None:
    peer, link = receiving(0)
    peer.flow(handle=0, delivery_count=0, credit=1, drain=True)
    for _ in range(messages):
        link.send(b"m", settled=True)
    link.drained()
    told = [type(frame.performative) for frame in peer.frames()]
    assert told == [Transfer, Flow] if messages else [Flow]
    assert (link.credit, link.delivery_count) == (0, 1)


@pytest.mark.spec("amqp-1.0", "2.6.8", "a receiver hears that its drain found nothing")
def test_a_drain_of_this_sides_is_told_when_it_is_answered() -> None:
    peer, link = sending(1)
    link.request_drain()
    assert peer.heard(Flow).drain
    peer.flow(handle=0, delivery_count=1, credit=0, drain=True)
    assert peer.event(Drained).link is link


@pytest.mark.spec("amqp-1.0", "2.6.9", "credit that is kept up has messages come as they are there")
def test_standing_credit_is_asynchronous_notification() -> None:
    peer, link = sending(0)
    link.credit_window = 4
    link.add_credit(4)
    peer.heard(Flow)
    for number in range(8):
        peer.transfer(number, b"m", settled=True)
    assert len(peer.deliveries()) == 8
    assert link.credit > 0


@pytest.mark.spec("amqp-1.0", "2.6.10", "a receiver stops a link by taking its credit back")
def test_a_link_is_stopped_by_no_credit() -> None:
    peer, link = receiving(5)
    peer.flow(handle=0, delivery_count=0, credit=0)
    assert not link.sendable()
    peer.flow(handle=0, delivery_count=0, credit=2)
    assert link.sendable()


@pytest.mark.spec("amqp-1.0", "2.6.11", "a message's bytes are none of the transport's business")
def test_the_transport_does_not_look_into_messages() -> None:
    peer, _ = sending()
    peer.transfer(0, b"\xff\x00 any bytes")
    assert peer.deliveries() == [b"\xff\x00 any bytes"]


# ---- performatives and definitions


@pytest.mark.spec("amqp-1.0", "2.7.7", "detach: handle, closed, error")
@pytest.mark.spec("amqp-1.0", "2.7.8", "end: error")
@pytest.mark.spec("amqp-1.0", "2.7.9", "close: error")
@pytest.mark.parametrize(
    "performative",
    [Detach(handle=3, closed=True, error=AmqpError("a:b")), End(AmqpError("a:b")), Close(AmqpError("a:b"))],
    ids=lambda each: type(each).__name__,
)
def test_what_ends_something_may_say_why(performative: Detach | End | Close) -> None:
    data = encode_performative(performative)
    assert decode_performative(data, 0, len(data)) == (performative, len(data))


@pytest.mark.spec("amqp-1.0", "2.7.3", "attach: the answer has the settlement modes and sizes in force")
@pytest.mark.spec("amqp-1.0", "2.8.2", "a snd-settle-mode is 0, 1 or 2")
@pytest.mark.parametrize("mode", [SENDER_UNSETTLED, SENDER_SETTLED, SENDER_MIXED])
def test_an_answer_to_an_attach_says_what_is_in_force(mode: int) -> None:
    peer = in_session(max_message_size=1000)
    peer.attach(ROLE_SENDER, snd_settle_mode=mode, rcv_settle_mode=RECEIVER_SECOND)
    peer.event(LinkAttached).link.accept(Source(), Target())
    answer = peer.heard(Attach)
    assert (answer.snd_settle_mode, answer.rcv_settle_mode) == (mode, RECEIVER_SECOND)
    assert (answer.role, answer.max_message_size) == (ROLE_RECEIVER, 1000)


@pytest.mark.spec("amqp-1.0", "2.8.2", "no other snd-settle-mode is taken")
@pytest.mark.spec("amqp-1.0", "2.8.3", "no other rcv-settle-mode is taken")
@pytest.mark.parametrize("modes", [[UByte(3)], [None, UByte(2)]], ids=["sender", "receiver"])
def test_settlement_modes_are_restricted(peer: ScriptedPeer, modes: list[Value]) -> None:
    fields: list[Value] = ["name", UInt(0), False, *modes]
    peer.send(encode_frame(encode_value(Described(ULong(0x12), fields)), 0))
    assert peer.condition(Close) == "amqp:invalid-field"


@pytest.mark.spec("amqp-1.0", "2.8.4", "handles are numbers of 32 bits")
@pytest.mark.spec("amqp-1.0", "2.8.8", "delivery numbers are 32 bits wide, and go round")
@pytest.mark.spec("amqp-1.0", "2.8.9", "so do transfer numbers")
def test_delivery_ids_go_round() -> None:
    peer, link = receiving(10)
    windows = link.link_state.windows
    windows.next_delivery_id = windows.next_outgoing_id = 2**32 - 1
    link.send(b"last", settled=False, context="last")
    link.send(b"first", settled=False, context="first")
    said = [frame.performative for frame in peer.frames()]
    ids = [transfer.delivery_id for transfer in said if isinstance(transfer, Transfer)]
    assert ids == [2**32 - 1, 0]
    assert windows.next_outgoing_id == 1
    peer.say(Disposition(role=ROLE_RECEIVER, first=2**32 - 1, last=0, settled=True, state=Accepted()))
    contexts = [event.context for event in peer.events() if isinstance(event, DeliverySettled)]
    assert contexts == ["last", "first"]


@pytest.mark.spec("amqp-1.0", "2.8.6", "an idle timeout is told in milliseconds")
def test_times_on_the_wire_are_milliseconds() -> None:
    peer = server(idle_timeout_ms=30_000).send(AMQP_HEADER).open()
    peer.heard_header()
    assert peer.heard(Open).idle_time_out == 15_000


@pytest.mark.spec("amqp-1.0", "2.8.7", "a delivery tag has up to 32 octets, the sender's own")
@pytest.mark.parametrize("tag", [b"", b"t", b"x" * 32], ids=len)
def test_a_delivery_tag_is_told(tag: bytes) -> None:
    peer, _ = sending()
    peer.say(Transfer(handle=0, delivery_id=0, delivery_tag=tag, message_format=0), b"m")
    assert peer.event(Delivery).tag == tag


@pytest.mark.spec("amqp-1.0", "2.8.11", "message-format 0 is AMQP's own, and is sent")
def test_messages_are_sent_in_the_format_of_amqp() -> None:
    peer, link = receiving()
    link.send(b"m", settled=True)
    assert peer.heard(Transfer).message_format == 0


@pytest.mark.spec("amqp-1.0", "2.8.12", "the locales of an open are symbols, and change nothing")
def test_locales_may_be_told() -> None:
    peer = server().send(AMQP_HEADER).open(outgoing_locales=("de-CH",), incoming_locales=("de-CH", "en-US"))
    peer.heard_header()
    peer.heard(Open)
    assert peer.engine.opened


@pytest.mark.spec("amqp-1.0", "2.8.13", "fields are a map whose keys are symbols; unknown ones are let be")
def test_unknown_properties_are_let_be() -> None:
    peer = server().send(AMQP_HEADER).open(properties={Symbol("x-odd"): [1, 2]})
    peer.heard_header()
    peer.heard(Open)
    assert peer.engine.opened


@pytest.mark.spec("amqp-1.0", "2.8.15", "the conditions of amqp-error that are used")
@pytest.mark.spec("amqp-1.0", "2.8.16", "connection-error: connection-forced, framing-error")
@pytest.mark.spec("amqp-1.0", "2.8.17", "session-error: window-violation, handle-in-use, unattached-handle")
@pytest.mark.spec("amqp-1.0", "2.8.18", "link-error: transfer-limit-exceeded, message-size-exceeded, stolen")
def test_conditions_are_those_of_the_standard() -> None:
    families = ("amqp:", "amqp:connection:", "amqp:session:", "amqp:link:", "amqp:transaction:")
    names = [condition.amqp10 for condition in Condition]
    assert [name for name in names if not name.startswith(families)] == []
    assert {name.rpartition(":")[0] + ":" for name in names} == set(families)
    assert len(set(names)) == len(names)


@pytest.mark.spec("amqp-1.0", "2.8.19", "every peer takes frames of 512 octets")
def test_the_constants_are_the_standards() -> None:
    peer = opened(frame_size=512)
    assert peer.engine.wire.max_frame_size == 512


# ---- transactions and security, on the wire


@pytest.mark.spec("amqp-1.0", "4.5.5", "declared has the transaction's id")
def test_declared_is_read() -> None:
    assert decode_composite(
        bytes.fromhex("0053 33 c0 07 01 a0 04 00000001".replace(" ", "")), Declared
    ) == Declared(b"\0\0\0\1")


@pytest.mark.spec("amqp-1.0", "5.1", "SASL comes before AMQP, each behind a header of its own")
@pytest.mark.spec("amqp-1.0", "5.2", "TLS is a port of its own: its header is answered with another")
@pytest.mark.parametrize("authenticator", [None, Authenticator()], ids=["no SASL", "SASL"])
def test_tls_is_not_negotiated_within_a_connection(authenticator: Authenticator | None) -> None:
    peer = server(authenticator=authenticator).send(TLS_HEADER)
    assert peer.heard_header() == (AMQP_HEADER if authenticator is None else SASL_HEADER)
    assert peer.engine.finished
