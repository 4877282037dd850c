"""AMQP 1.0 part 2, section 2.6: links, their life and their credit."""

import pytest
from scripted_peer import ScriptedPeer, client_in_session, in_session, receiving, sending

from lastvalue.codec.amqp10.performatives import (
    RECEIVER_SECOND,
    ROLE_RECEIVER,
    ROLE_SENDER,
    SENDER_SETTLED,
    AmqpError,
    Attach,
    Close,
    Detach,
    Flow,
    Source,
    Target,
)
from lastvalue.protocols.amqp10.receiver import Drained, ReceiverLink
from lastvalue.protocols.amqp10.sender import CreditChanged, SenderLink
from lastvalue.protocols.amqp10.session import LinkAttached, LinkDetached
from lastvalue.protocols.engine import UsageError

NOT_FOUND = AmqpError("amqp:not-found", "there is no such node")


def said(peer: ScriptedPeer) -> list[object]:
    return [frame.performative for frame in peer.frames()]


# ---- 2.6.1 Names


@pytest.mark.spec("amqp-1.0", "2.6.1", "the second attach succeeds and the first is closed with link:stolen")
@pytest.mark.parametrize("role", [ROLE_SENDER, ROLE_RECEIVER], ids=["the peer sends", "the peer receives"])
def test_a_link_that_is_attached_again_is_stolen(role: bool) -> None:
    peer = in_session().attach(role, name="same")
    first = peer.event(LinkAttached).link
    first.accept(Source(address="node"), Target(address="node"))
    peer.heard(Attach)
    peer.attach(role, name="same", handle=1)
    stolen = peer.event(LinkDetached)
    assert stolen.link is first
    assert stolen.error is not None
    assert stolen.error.condition == "amqp:link:stolen"
    second = peer.event(LinkAttached).link
    second.accept(Source(address="node"), Target(address="node"))
    assert peer.condition(Detach) == "amqp:link:stolen"
    assert peer.heard(Attach).name == "same"
    assert second.attached
    assert not first.attached
    peer.detach(0)
    assert peer.kinds() == []
    assert second.attached


@pytest.mark.spec("amqp-1.0", "2.6.1", "a link's name is its own across the sessions of a connection")
def test_a_link_is_stolen_across_sessions() -> None:
    peer, first = sending()
    peer.begin(channel=1).attach(ROLE_SENDER, channel=1)
    assert not first.attached
    assert peer.links()[0].name == first.name


@pytest.mark.spec(
    "amqp-1.0", "2.6.1", "a link that is stolen before it was answered is answered, then detached"
)
def test_a_link_that_is_stolen_at_once_is_answered_and_closed() -> None:
    peer = in_session().attach(ROLE_RECEIVER, name="same").attach(ROLE_RECEIVER, name="same", handle=1)
    first, second = peer.links()
    first.accept(Source(address="node"), Target())
    second.accept(Source(address="node"), Target())
    assert [type(performative) for performative in said(peer)] == [Attach, Detach, Attach]
    assert second.attached


@pytest.mark.spec("amqp-1.0", "2.6.1", "names are unique for a direction: one may be used once for each")
def test_a_name_may_be_used_once_in_each_direction() -> None:
    peer = in_session().attach(ROLE_SENDER, name="same").attach(ROLE_RECEIVER, name="same", handle=1)
    assert [type(link) for link in peer.links()] == [ReceiverLink, SenderLink]


def test_this_side_uses_a_name_once() -> None:
    peer = client_in_session()
    session = peer.engine.sessions[0]
    session.attach_sender("same", Target(address="node"))
    session.attach_receiver("same", Source(address="node"))
    with pytest.raises(UsageError, match="another name"):
        session.attach_sender("same", Target(address="node"))


# ---- 2.6.3 Establishing


@pytest.mark.spec(
    "amqp-1.0", "2.6.3", "an attach is answered with one of the opposite role and the same name"
)
def test_an_attach_is_answered() -> None:
    peer = in_session(max_message_size=5000).attach(ROLE_SENDER, name="mine", handle=9)
    link = peer.links()[0]
    assert not link.attached
    assert peer.hears_nothing()
    link.accept(Source(), Target(address="real"), offered_capabilities=("x",), properties={"a": 1})
    answer = peer.heard(Attach)
    assert (answer.name, answer.role, answer.max_message_size) == ("mine", ROLE_RECEIVER, 5000)
    assert answer.target == Target(address="real")
    assert (answer.offered_capabilities, answer.properties) == (("x",), {"a": 1})
    assert link.attached


@pytest.mark.spec("amqp-1.0", "2.6.3", "a sender tells its initial delivery count")
def test_a_sender_tells_its_delivery_count() -> None:
    peer = in_session().attach(ROLE_RECEIVER)
    peer.links()[0].accept(Source(address="node"), Target())
    assert peer.heard(Attach).initial_delivery_count == 0


@pytest.mark.spec("amqp-1.0", "2.6.3", "a refusal: an attach with no terminus, then a detach with the error")
def test_a_receiving_peer_is_refused_with_a_null_source() -> None:
    peer = in_session().attach(ROLE_RECEIVER)
    peer.links()[0].refuse(NOT_FOUND)
    answer = peer.heard(Attach)
    assert answer.source is None
    assert answer.target == Target(address="node")
    detach = peer.heard(Detach)
    assert (detach.closed, detach.error) == (True, NOT_FOUND)
    peer.detach()
    assert peer.kinds() == []
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.6.3", "a refusal: an attach with no terminus, then a detach with the error")
def test_a_sending_peer_is_refused_with_a_null_target() -> None:
    peer = in_session().attach(ROLE_SENDER)
    peer.links()[0].refuse(NOT_FOUND)
    answer = peer.heard(Attach)
    assert answer.target is None
    assert answer.source == Source(address="node")
    assert peer.heard(Detach).error == NOT_FOUND


@pytest.mark.spec("amqp-1.0", "2.6.3", "a null terminus in the answer means that no link was created")
def test_a_client_waits_for_the_reason_of_a_refusal() -> None:
    peer = client_in_session()
    session = peer.engine.sessions[0]
    sender = session.attach_sender("up", Target(address="node"))
    receiver = session.attach_receiver("down", Source(address="node"))
    peer.frames()
    peer.attach(ROLE_RECEIVER, name="up", handle=0, target=None)
    peer.attach(ROLE_SENDER, name="down", handle=1, source=None)
    assert peer.kinds() == []
    peer.say(Detach(handle=0, closed=True, error=NOT_FOUND)).say(
        Detach(handle=1, closed=True, error=NOT_FOUND)
    )
    assert [
        (happened.link, happened.error) for happened in peer.events() if isinstance(happened, LinkDetached)
    ] == [
        (sender, NOT_FOUND),
        (receiver, NOT_FOUND),
    ]
    assert [type(performative) for performative in said(peer)] == [Detach, Detach]


@pytest.mark.spec("amqp-1.0", "2.6.3", "a client's attach is answered by name and direction")
def test_a_clients_links_are_answered() -> None:
    peer = client_in_session()
    session = peer.engine.sessions[0]
    sender = session.attach_sender("link", Target(address="a"), settle_mode=SENDER_SETTLED)
    receiver = session.attach_receiver("link", Source(address="b"), rcv_settle_mode=RECEIVER_SECOND)
    assert peer.heard(Attach).snd_settle_mode == SENDER_SETTLED
    assert peer.heard(Attach).rcv_settle_mode == RECEIVER_SECOND
    peer.attach(ROLE_SENDER, handle=5, rcv_settle_mode=RECEIVER_SECOND)
    peer.attach(ROLE_RECEIVER, handle=6, snd_settle_mode=SENDER_SETTLED)
    assert peer.links() == [receiver, sender]
    assert sender.settles
    assert receiver.second


@pytest.mark.spec("amqp-1.0", "2.6.3", "an attach and its detach may be pipelined")
@pytest.mark.parametrize("closed", [True, False])
def test_a_peer_may_leave_before_it_was_answered(closed: bool) -> None:
    peer = in_session().attach(ROLE_RECEIVER).detach(closed=closed).attach(ROLE_SENDER, name="next")
    first, second = peer.links()
    first.accept(Source(address="node"), Target())
    peer.heard(Attach)
    assert peer.heard(Detach).closed is closed
    second.accept(Source(), Target(address="node"))
    peer.heard(Attach)
    assert second.attached
    assert not first.attached


@pytest.mark.spec("amqp-1.0", "2.6.3", "a link is answered once")
def test_a_link_is_answered_once() -> None:
    _, link = receiving()
    with pytest.raises(UsageError, match="answered once"):
        link.accept(Source(), Target())


def test_a_link_of_this_side_is_not_accepted_by_this_side() -> None:
    link = client_in_session().engine.sessions[0].attach_sender("mine", Target(address="node"))
    with pytest.raises(UsageError, match="not attached by the peer"):
        link.accept(Source(), Target())


# ---- 2.6.4 to 2.6.6 Detaching and closing


@pytest.mark.spec(
    "amqp-1.0", "2.6.6", "a closing detach is answered with closed = true, a suspending one without"
)
@pytest.mark.parametrize("closed", [True, False])
def test_a_detach_is_answered_alike(closed: bool) -> None:
    peer, link = receiving()
    peer.detach(closed=closed)
    detached = peer.event(LinkDetached)
    assert (detached.link, detached.closed, detached.error) == (link, closed, None)
    assert peer.heard(Detach).closed is closed
    assert not link.attached


@pytest.mark.spec(
    "amqp-1.0", "2.6.4", "the peer answers the detach of this side, after which the handle is free"
)
@pytest.mark.parametrize("closed", [True, False])
def test_a_detach_of_this_side_is_answered_by_the_peer(closed: bool) -> None:
    peer, link = sending()
    link.detach(NOT_FOUND, closed=closed)
    detach = peer.heard(Detach)
    assert (detach.closed, detach.error) == (closed, NOT_FOUND)
    peer.transfer(0, b"late").flow(handle=0)
    peer.detach(closed=closed)
    assert peer.kinds() == []
    assert peer.hears_nothing()
    assert peer.attach(ROLE_SENDER, name="again").receiver_of_engine().attached


@pytest.mark.spec("amqp-1.0", "2.6.4", "a link can be attached again after it was detached")
def test_a_detached_link_may_be_attached_again() -> None:
    peer, _ = receiving()
    peer.detach(closed=False)
    peer.frames()
    peer.events()
    assert peer.attach(ROLE_RECEIVER).sender_of_engine().attached


def test_detaching_twice_does_nothing() -> None:
    peer, link = receiving()
    link.detach()
    link.detach(NOT_FOUND)
    assert said(peer) == [Detach(handle=0, closed=True)]


# ---- 2.6.7 Flow control


@pytest.mark.spec(
    "amqp-1.0", "2.6.7", "link-credit(snd) = delivery-count(rcv) + link-credit(rcv) - delivery-count(snd)"
)
@pytest.mark.parametrize(
    ("sent", "counted", "told", "credit"),
    [(0, 0, 5, 5), (3, 3, 5, 5), (3, 1, 5, 3), (3, 0, 2, 0), (0, None, 4, 4), (0, 0, 2**32 - 1, 2**32 - 1)],
    ids=["fresh", "all seen", "two under way", "less than under way", "before our attach", "the most"],
)
def test_credit_counts_what_is_under_way(sent: int, counted: int | None, told: int, credit: int) -> None:
    peer, link = receiving(credit=10)
    for _ in range(sent):
        link.send(b"x", settled=True)
    peer.flow(handle=0, delivery_count=counted, credit=told)
    assert link.credit == credit
    assert peer.kinds() == [CreditChanged]


@pytest.mark.spec("amqp-1.0", "2.6.7", "without credit nothing may be sent")
def test_nothing_is_sent_without_credit() -> None:
    _, link = receiving(credit=1)
    link.send(b"x", settled=True)
    assert not link.sendable()
    with pytest.raises(UsageError, match="no credit"):
        link.send(b"y", settled=True)


@pytest.mark.spec("amqp-1.0", "2.6.7", "a receiver may take its credit back")
def test_credit_can_be_taken_back() -> None:
    peer, link = receiving(credit=10)
    peer.flow(handle=0, delivery_count=0, credit=0)
    assert not link.sendable()


@pytest.mark.spec("amqp-1.0", "2.6.7", "what is under way when credit is taken back may be handled as usual")
def test_messages_that_cross_a_withdrawal_are_taken_and_no_others() -> None:
    peer, link = sending(credit=3)
    peer.transfer(0, b"a")
    link.withdraw_credit()
    flow = peer.heard(Flow)
    assert (flow.delivery_count, flow.link_credit) == (1, 0)
    peer.transfer(1, b"b").transfer(2, b"c")
    assert peer.deliveries() == [b"a", b"b", b"c"]
    assert link.credit == 0
    peer.transfer(3, b"d")
    assert peer.condition(Detach) == "amqp:link:transfer-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "2.6.7", "link-credit(rcv) is what may come beyond delivery-count(rcv)")
@pytest.mark.parametrize(("given", "taken"), [(1, 3), (2, 3), (5, 6)])
def test_what_crosses_a_withdrawal_uses_the_credit_that_is_given_next(given: int, taken: int) -> None:
    peer, link = sending(credit=3)
    link.withdraw_credit()
    peer.transfer(0, b"x")
    link.add_credit(given)
    assert [flow.link_credit for flow in said(peer) if isinstance(flow, Flow)] == [0, given]
    for number in range(1, taken):
        peer.transfer(number, b"x")
    assert len(peer.deliveries()) == taken
    assert link.credit == 0
    peer.transfer(taken, b"x")
    assert peer.condition(Detach) == "amqp:link:transfer-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "2.6.7", "a sender that counts its withdrawn credit as used has used it")
def test_credit_that_is_given_up_after_a_withdrawal_is_gone() -> None:
    peer, link = sending(credit=3)
    link.withdraw_credit()
    assert peer.heard(Flow).link_credit == 0
    peer.flow(handle=0, delivery_count=3, credit=0)
    peer.transfer(0, b"x")
    assert peer.condition(Detach) == "amqp:link:transfer-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "2.6.7", "delivery counts wrap [2.8.10]")
def test_a_delivery_count_wraps() -> None:
    peer = in_session().attach(ROLE_SENDER, initial_delivery_count=2**32 - 1)
    link = peer.receiver_of_engine(credit=4)
    peer.transfer(0, b"a").transfer(1, b"b")
    link.add_credit(1)
    flow = peer.heard(Flow)
    assert (flow.delivery_count, flow.link_credit) == (1, 3)
    assert peer.deliveries() == [b"a", b"b"]


@pytest.mark.spec("amqp-1.0", "2.6.7", "drain: the sender uses its credit or gives it up, and tells")
def test_a_drain_is_answered_when_nothing_is_left() -> None:
    peer, link = receiving(credit=0)
    peer.flow(handle=0, delivery_count=0, credit=5, drain=True)
    assert link.drain
    link.send(b"x", settled=True)
    link.drained()
    frames = said(peer)
    assert isinstance(frames[-1], Flow)
    assert (frames[-1].delivery_count, frames[-1].link_credit, frames[-1].drain) == (5, 0, True)
    link.drained()
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.6.7", "drain: credit that was used up needs no giving up, but is told")
def test_a_drain_that_uses_all_credit_is_answered_at_once() -> None:
    peer, link = receiving(credit=0)
    peer.flow(handle=0, delivery_count=0, credit=1, drain=True)
    link.send(b"x", settled=True)
    flow = said(peer)[-1]
    assert isinstance(flow, Flow)
    assert (flow.delivery_count, flow.link_credit, flow.drain) == (1, 0, True)


@pytest.mark.spec("amqp-1.0", "2.6.7", "drain: without credit there is nothing to wait for")
def test_a_drain_without_credit_is_answered_at_once() -> None:
    peer, _ = receiving(credit=0)
    peer.flow(handle=0, delivery_count=0, credit=0, drain=True)
    assert peer.heard(Flow).drain


@pytest.mark.spec("amqp-1.0", "2.6.7", "a sender gives credit up only behind the messages that it has sent")
def test_a_drain_waits_for_the_sessions_window() -> None:
    peer, link = receiving(window=1, credit=0)
    peer.flow(window=1, handle=0, delivery_count=0, credit=5, drain=True)
    link.send(b"a", settled=True)
    link.send(b"b", settled=True)
    link.drained()
    assert [frame.payload for frame in peer.frames()] == [b"a"]
    peer.flow(next_incoming_id=1, window=1)
    frames = peer.frames()
    assert frames[0].payload == b"b"
    assert isinstance(frames[1].performative, Flow)
    assert (frames[1].performative.delivery_count, frames[1].performative.link_credit) == (5, 0)


@pytest.mark.spec("amqp-1.0", "2.6.7", "a receiver is told that its drain was answered")
def test_a_receiver_hears_that_its_credit_was_given_up() -> None:
    peer, link = sending(credit=5)
    link.request_drain()
    flow = peer.heard(Flow)
    assert (flow.link_credit, flow.drain) == (5, True)
    peer.transfer(0, b"x")
    peer.flow(handle=0, delivery_count=5, credit=0, drain=True)
    assert peer.deliveries() == [b"x"]
    assert link.credit == 0
    peer.flow(handle=0, delivery_count=5, credit=0, drain=True)
    assert peer.kinds() == [Drained]


@pytest.mark.spec("amqp-1.0", "2.7.4", "echo: the partner sends its state for the link")
@pytest.mark.parametrize("role", [ROLE_SENDER, ROLE_RECEIVER], ids=["the peer sends", "the peer receives"])
def test_an_echo_is_answered_for_the_link(role: bool) -> None:
    peer, _ = sending(credit=3) if role == ROLE_SENDER else receiving(credit=3)
    peer.flow(handle=0, delivery_count=0, credit=3, echo=True)
    flow = peer.heard(Flow)
    assert (flow.handle, flow.delivery_count, flow.link_credit, flow.echo) == (0, 0, 3, False)


@pytest.mark.spec("amqp-1.0", "2.7.4", "a flow before the attach is answered waits for the answer")
def test_an_echo_that_comes_with_the_attach_is_answered_after_it() -> None:
    peer = in_session().attach(ROLE_RECEIVER).flow(handle=0, credit=3, echo=True)
    link = peer.links()[0]
    assert peer.hears_nothing()
    link.accept(Source(address="node"), Target())
    assert [type(performative) for performative in said(peer)] == [Attach, Flow]
    assert isinstance(link, SenderLink)
    assert link.sendable()


@pytest.mark.spec(
    "amqp-1.0", "2.7.4", "delivery-count MUST NOT be set before the sender's attach was received"
)
def test_credit_given_with_the_attach_does_not_tell_a_delivery_count() -> None:
    peer = client_in_session()
    link = peer.engine.sessions[0].attach_receiver("down", Source(address="node"))
    link.add_credit(5)
    peer.heard(Attach)
    flow = peer.heard(Flow)
    assert (flow.delivery_count, flow.link_credit) == (None, 5)
    peer.attach(ROLE_SENDER, name="down", initial_delivery_count=7).transfer(0, b"x")
    link.add_credit(1)
    assert peer.heard(Flow).delivery_count == 8


def test_credit_given_before_the_answer_is_told_with_it() -> None:
    peer = in_session().attach(ROLE_SENDER)
    link = peer.links()[0]
    assert isinstance(link, ReceiverLink)
    link.add_credit(5)
    assert peer.hears_nothing()
    link.accept(Source(), Target(address="node"))
    peer.heard(Attach)
    assert peer.heard(Flow).link_credit == 5


def test_a_credit_window_is_topped_up_at_half() -> None:
    peer, link = sending(credit=4)
    link.credit_window = 4
    peer.transfer(0, b"a")
    assert peer.hears_nothing()
    peer.transfer(1, b"b")
    flow = peer.heard(Flow)
    assert (flow.delivery_count, flow.link_credit) == (2, 4)


@pytest.mark.spec("amqp-1.0", "2.8.18", "transfer-limit-exceeded: more messages than the credit allows")
def test_a_transfer_beyond_the_credit_detaches_the_link_alone() -> None:
    peer, link = sending(credit=1)
    peer.attach(ROLE_RECEIVER, name="other", handle=1)
    other = peer.sender_of_engine()
    peer.transfer(0, b"a").transfer(1, b"b").transfer(2, b"c")
    assert peer.condition(Detach) == "amqp:link:transfer-limit-exceeded"
    assert peer.deliveries() == [b"a"]
    assert not link.attached
    assert other.attached
    peer.detach()
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.8.18", "a transfer before any credit was given is one too many")
def test_a_transfer_that_comes_with_the_attach_is_one_too_many() -> None:
    peer = in_session().attach(ROLE_SENDER).transfer(0, b"early")
    link = peer.event(LinkAttached).link
    assert peer.event(LinkDetached).link is link
    link.accept(Source(), Target(address="node"))
    peer.heard(Attach)
    assert peer.condition(Detach) == "amqp:link:transfer-limit-exceeded"


def test_a_link_that_the_session_took_with_it_stays_ended() -> None:
    peer = in_session().attach(ROLE_RECEIVER)
    link = peer.links()[0]
    peer.engine.sessions[0].end()
    peer.frames()
    link.accept(Source(address="node"), Target())
    link.refuse(NOT_FOUND)
    assert peer.hears_nothing()
    assert not peer.say(Close()).engine.opened
