"""AMQP 1.0 part 2, section 2.5: sessions."""

import pytest
from scripted_peer import ScriptedPeer, client_in_session, in_session, opened, receiving, sending, server

from lastvalue.codec.amqp10.frames import AMQP_HEADER
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    AmqpError,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Performative,
    Target,
    Transfer,
)
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.session import LinkDetached, SessionBegun, SessionEnded, WindowChanged
from lastvalue.protocols.engine import UsageError

BYSTANDER = 1


def with_bystander(peer: ScriptedPeer) -> ScriptedPeer:
    """The peer has another session, on channel 1, with a link that it sends on."""
    peer.begin(channel=BYSTANDER)
    peer.heard(Begin)
    peer.event(SessionBegun)
    peer.attach(ROLE_SENDER, name="bystander", channel=BYSTANDER)
    peer.receiver_of_engine(credit=5)
    return peer


def bystander_works(peer: ScriptedPeer) -> bool:
    peer.events()
    transfer = Transfer(handle=0, delivery_id=0, delivery_tag=b"t", message_format=0)
    peer.say(transfer, b"unharmed", channel=BYSTANDER)
    return peer.deliveries() == [b"unharmed"] and peer.engine.opened


@pytest.mark.spec("amqp-1.0", "2.5.1", "a begin is answered with a begin that names the remote channel")
def test_a_begin_is_answered() -> None:
    peer = opened(incoming_window=10, handle_max=20).begin(channel=6)
    answer = peer.heard(Begin)
    assert (answer.remote_channel, answer.incoming_window, answer.handle_max) == (6, 10, 20)
    session = peer.event(SessionBegun).session
    assert session.open
    assert session.remote_channel == 6


@pytest.mark.spec("amqp-1.0", "2.5.1", "the initiating side leaves remote-channel null")
def test_a_session_that_this_side_begins_is_answered_by_the_peer() -> None:
    peer = opened()
    session = peer.engine.begin()
    assert peer.heard(Begin).remote_channel is None
    assert session.remote_channel == -1
    peer.begin(channel=9, remote_channel=0)
    assert peer.event(SessionBegun).session is session
    assert session.open
    assert session.remote_channel == 9


@pytest.mark.spec("amqp-1.0", "2.5.1", "remote-channel names a channel on which a session was begun")
@pytest.mark.parametrize("remote_channel", [0, 3])
def test_an_answer_to_nothing_closes_the_connection(remote_channel: int) -> None:
    peer = in_session().begin(channel=1, remote_channel=remote_channel)
    assert peer.condition(Close) == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.5.1", "a channel has one session at a time")
def test_a_second_begin_on_a_channel_closes_the_connection() -> None:
    assert in_session().begin().condition(Close) == "amqp:not-allowed"


@pytest.mark.spec("amqp-1.0", "2.5.1", "a peer that takes one session is not sent two")
def test_the_peers_channel_max_is_kept() -> None:
    peer = server().send(AMQP_HEADER).open(channel_max=0)
    assert peer.engine.begin().channel == 0
    with pytest.raises(UsageError, match="1 sessions a connection"):
        peer.engine.begin()
    peer.frames_from_start()
    peer.begin(channel=5)
    assert peer.condition(Close) == "amqp:resource-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "2.5.2", "an end is answered with an end, and its links end with it")
def test_an_end_is_answered() -> None:
    peer, link = receiving()
    peer.say(End(AmqpError("amqp:internal-error", "mine")))
    assert peer.heard(End).error is None
    ended = peer.event(SessionEnded)
    assert ended.error == AmqpError("amqp:internal-error", "mine")
    assert list(ended.session.links.values()) == [link]
    assert not link.attached
    assert peer.kinds() == []


@pytest.mark.spec("amqp-1.0", "2.5.2", "after an end the channel may carry another session")
def test_a_channel_can_be_used_again() -> None:
    peer = in_session().say(End())
    peer.heard(End)
    peer.begin().attach(ROLE_RECEIVER)
    assert peer.heard(Begin).remote_channel == 0
    assert peer.kinds()[:2] == [SessionEnded, SessionBegun]


@pytest.mark.spec("amqp-1.0", "2.5.4", "after an end with an error, what the peer still sends is discarded")
def test_a_session_that_this_side_ended_hears_only_the_end() -> None:
    peer, _ = sending()
    session = peer.engine.sessions[0]
    session.end(AmqpError("amqp:internal-error"))
    assert peer.condition(End) == "amqp:internal-error"
    peer.transfer(0, b"late").flow(handle=99).attach(ROLE_SENDER, name="late", handle=1)
    assert peer.hears_nothing()
    peer.say(End())
    assert peer.kinds() == []
    assert peer.engine.sessions == {}


@pytest.mark.spec("amqp-1.0", "2.5.2", "nothing is sent on a session after its end")
def test_a_link_of_an_ended_session_sends_nothing() -> None:
    peer, link = sending()
    peer.transfer(0, b"x")
    peer.engine.sessions[0].end()
    peer.heard(End)
    link.settle(0, 0, None)
    link.add_credit(5)
    link.detach()
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.5.6", "the incoming window is kept open as transfers come")
def test_the_window_is_opened_again_at_its_half() -> None:
    peer, _ = sending(incoming_window=4)
    peer.transfer(0, b"a")
    assert peer.hears_nothing()
    peer.transfer(1, b"b")
    flow = peer.heard(Flow)
    assert (flow.next_incoming_id, flow.incoming_window, flow.handle) == (2, 4, None)


@pytest.mark.spec("amqp-1.0", "2.5.6", "next-incoming-id starts at the peer's next-outgoing-id")
def test_transfer_numbers_start_where_the_peer_says_and_wrap() -> None:
    peer = opened(incoming_window=4)
    peer.say(Begin(next_outgoing_id=2**32 - 1, incoming_window=9, outgoing_window=9)).attach(ROLE_SENDER)
    peer.heard(Begin)
    peer.event(SessionBegun)
    peer.receiver_of_engine(credit=9)
    peer.transfer(2**32 - 1, b"a").transfer(0, b"b")
    assert peer.heard(Flow).next_incoming_id == 1
    assert peer.deliveries() == [b"a", b"b"]


@pytest.mark.spec("amqp-1.0", "2.5.6", "a transfer is sent only while the remote incoming window is open")
def test_what_the_window_does_not_let_out_waits() -> None:
    peer, link = receiving(window=2)
    for message in (b"a", b"b", b"c"):
        link.send(message, settled=True)
    assert [frame.payload for frame in peer.frames()] == [b"a", b"b"]
    assert not link.sendable()
    peer.flow(next_incoming_id=2, window=2)
    assert [frame.payload for frame in peer.frames()] == [b"c"]
    assert link.sendable()
    assert peer.kinds() == [WindowChanged]


@pytest.mark.spec("amqp-1.0", "2.5.6", "frames under way count: next-incoming-id + window - next-outgoing-id")
def test_a_window_that_the_peer_told_before_it_saw_our_frames_counts_them() -> None:
    peer, link = receiving(window=5)
    for message in (b"a", b"b", b"c"):
        link.send(message, settled=True)
    peer.frames()
    peer.flow(next_incoming_id=1, window=3)
    for message in (b"d", b"e"):
        link.send(message, settled=True)
    assert [frame.payload for frame in peer.frames()] == [b"d"]


@pytest.mark.spec("amqp-1.0", "2.8.10", "windows up to 2^32-1 are meant as they are")
def test_the_largest_window_is_no_negative_one() -> None:
    _, link = receiving(window=2**32 - 1)
    assert link.sendable()


@pytest.mark.spec("amqp-1.0", "2.8.17", "window-violation: the peer violated the incoming window")
def test_a_transfer_beyond_the_window_ends_the_session_alone() -> None:
    peer, link = sending(incoming_window=2)
    with_bystander(peer)
    peer.engine.sessions[0].windows.incoming_limit = 0
    peer.transfer(0, b"a").frames()
    peer.engine.sessions[0].windows.incoming_window = 0
    peer.transfer(1, b"b")
    assert peer.condition(End) == "amqp:session:window-violation"
    assert not link.attached
    assert bystander_works(peer)


@pytest.mark.spec(
    "amqp-1.0", "2.8.17", "unattached-handle: a frame other than an attach names an unattached handle"
)
@pytest.mark.parametrize("performative", ["transfer", "flow", "detach"])
def test_an_unattached_handle_ends_the_session_alone(performative: str) -> None:
    peer = with_bystander(in_session())
    spoken: dict[str, Performative] = {
        "transfer": Transfer(handle=7, delivery_id=0, delivery_tag=b"", message_format=0),
        "flow": Flow(incoming_window=1, next_outgoing_id=0, outgoing_window=1, handle=7),
        "detach": Detach(handle=7),
    }
    peer.say(spoken[performative])
    assert peer.condition(End) == "amqp:session:unattached-handle"
    assert peer.kinds() == [SessionEnded]
    assert bystander_works(peer)


@pytest.mark.spec("amqp-1.0", "2.8.17", "handle-in-use: an attach names a handle that is attached")
def test_a_handle_in_use_ends_the_session_alone() -> None:
    peer = with_bystander(in_session())
    peer.attach(ROLE_RECEIVER, name="first").attach(ROLE_RECEIVER, name="second")
    assert peer.condition(End) == "amqp:session:handle-in-use"
    assert bystander_works(peer)


@pytest.mark.spec("amqp-1.0", "2.7.2", "a handle outside the supported range closes with framing-error")
def test_a_handle_beyond_the_limit_closes_the_connection() -> None:
    peer = in_session(handle_max=3).attach(ROLE_RECEIVER, handle=4)
    assert peer.condition(Close) == "amqp:connection:framing-error"


@pytest.mark.spec("amqp-1.0", "2.7.2", "handle-max is the highest handle: 3 means 4 links")
def test_the_highest_handle_may_be_used() -> None:
    peer = in_session(handle_max=3).attach(ROLE_RECEIVER, handle=3)
    assert peer.sender_of_engine().attached


@pytest.mark.spec("amqp-1.0", "2.7.2", "a peer MUST NOT use handles that its partner cannot handle")
def test_the_peers_handle_max_is_kept() -> None:
    peer = opened()
    peer.say(Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1, handle_max=0))
    session = peer.event(SessionBegun).session
    session.attach_sender("first", Target(address="a"))
    with pytest.raises(UsageError, match="1 links a session"):
        session.attach_sender("second", Target(address="b"))
    peer.frames()
    peer.attach(ROLE_RECEIVER)
    assert peer.condition(End) == "amqp:resource-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "2.7.4", "echo: the partner sends its state at the earliest opportunity")
def test_an_echo_for_the_session_is_answered() -> None:
    peer = in_session().flow(echo=True)
    flow = peer.heard(Flow)
    assert flow.handle is None
    assert not flow.echo


@pytest.mark.spec("amqp-1.0", "2.6.12", "unsettled deliveries are bounded: no more are sendable at the limit")
def test_a_peer_that_settles_nothing_is_sent_no_more_until_it_does() -> None:
    peer = in_session(max_unsettled=2).attach(ROLE_RECEIVER)
    link = peer.sender_of_engine()
    peer.flow(handle=0, delivery_count=0, credit=10).events()
    link.send(b"a", settled=False)
    assert link.sendable()
    link.send(b"b", settled=False)
    assert not link.sendable()
    peer.frames()
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True))
    assert link.sendable()
    assert peer.kinds()[-1] is WindowChanged


def test_sessions_do_not_share_handles_or_names() -> None:
    peer = with_bystander(in_session()).attach(ROLE_SENDER, name="mine")
    link = peer.receiver_of_engine(credit=5)
    peer.transfer(0, b"mine")
    assert [
        (happened.link, happened.payload) for happened in peer.events() if isinstance(happened, Delivery)
    ] == [(link, b"mine")]
    assert bystander_works(peer)


def test_a_session_that_the_client_ends_before_it_began_is_over_when_the_peer_ended_it() -> None:
    peer = client_in_session()
    session = peer.engine.begin()
    session.end()
    assert [type(frame.performative) for frame in peer.frames()] == [Begin, End]
    peer.begin(channel=1, remote_channel=1).say(End(), channel=1)
    assert peer.kinds() == []
    assert list(peer.engine.sessions) == [0]


def test_events_of_a_session_come_before_its_end() -> None:
    peer, link = sending()
    peer.transfer(0, b"last").detach().say(End())
    assert peer.kinds() == [Delivery, LinkDetached, SessionEnded]
    assert not link.attached
    assert [type(frame.performative) for frame in peer.frames()] == [Detach, End]
