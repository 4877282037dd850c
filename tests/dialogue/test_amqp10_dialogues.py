"""Whole conversations of an engine with a peer that follows a script."""

import pytest
from scripted_peer import Frame, client, in_session, server

from lastvalue.codec.amqp10.frames import AMQP_HEADER, EMPTY_FRAME, SASL_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Accepted,
    AmqpError,
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Released,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    Source,
    Target,
    Transfer,
    encode_performative,
)
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.protocols.amqp10.connection import ConnectionClosed, ConnectionOpened
from lastvalue.protocols.amqp10.lease import LEASE, announced_lease_ms
from lastvalue.protocols.amqp10.receiver import Delivery, Drained, ReceiverLink
from lastvalue.protocols.amqp10.sender import CreditChanged, DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import LinkAttached, LinkDetached, SessionBegun, SessionEnded
from lastvalue.protocols.sasl import Authenticator, Credentials

ACCEPTED = Accepted()


OPENING = (
    Open(container_id="peer"),
    Begin(next_outgoing_id=0, incoming_window=9, outgoing_window=9),
    Attach(name="link", handle=0, role=ROLE_SENDER, initial_delivery_count=0),
    Detach(handle=0, closed=True),
)


def kinds(frames: list[Frame]) -> list[type]:
    return [type(frame.performative) for frame in frames]


def test_a_producer_connects_publishes_and_leaves() -> None:
    authenticator = Authenticator(anonymous=False, check=lambda user, password: user == password)
    peer = server(authenticator=authenticator)

    peer.send(SASL_HEADER).sasl(SaslInit("PLAIN", b"\0me\0me"))
    assert peer.heard_header() == SASL_HEADER
    peer.heard(SaslMechanisms)
    assert peer.heard(SaslOutcome).code == 0
    peer.send(AMQP_HEADER).open().begin().attach(ROLE_SENDER, name="producer")
    assert peer.heard_header() == AMQP_HEADER
    assert kinds(peer.frames()) == [Open, Begin]
    assert [type(happened) for happened in peer.events()[:2]] == [ConnectionOpened, SessionBegun]

    link = next(iter(peer.engine.sessions[0].links.values()))
    assert isinstance(link, ReceiverLink)
    link.accept(Source(), Target(address="prices"))
    link.credit_window = 10
    link.add_credit(10)
    assert kinds(peer.frames()) == [Attach, Flow]

    for number in range(6):
        peer.transfer(number, b"update")
    for delivery in peer.events():
        assert isinstance(delivery, Delivery)
        link.settle(delivery.delivery_id, delivery.delivery_id, ACCEPTED)
    said = [frame.performative for frame in peer.frames()]
    assert [type(performative) for performative in said] == [Flow, Disposition]
    assert said[1] == Disposition(role=ROLE_RECEIVER, first=0, last=5, settled=True, state=ACCEPTED)

    peer.detach().say(End()).say(Close())
    assert kinds(peer.frames()) == [Detach, End, Close]
    assert peer.kinds() == [LinkDetached, SessionEnded, ConnectionClosed]
    assert peer.engine.finished


@pytest.mark.parametrize(("right", "code"), [(True, 0), (False, 1)])
def test_what_comes_ahead_waits_for_the_check_of_the_password(right: bool, code: int) -> None:
    answers: list[bool | None] = [None]
    authenticator = Authenticator(anonymous=False, check=lambda user, password: answers[-1])
    peer = server(authenticator=authenticator)
    peer.send(SASL_HEADER).sasl(SaslInit("PLAIN", b"\0me\0me")).send(AMQP_HEADER).open()
    assert peer.heard_header() == SASL_HEADER
    assert kinds(peer.frames()) == [SaslMechanisms]
    answers.append(right)
    peer.send(b"")
    assert peer.heard(SaslOutcome).code == code
    assert peer.engine.identity == ("me" if right else None)
    assert (ConnectionOpened in peer.kinds()) is right


def test_a_consumer_takes_some_messages_drains_and_releases_one() -> None:
    peer = in_session().attach(ROLE_RECEIVER, name="consumer")
    link = peer.sender_of_engine()
    peer.flow(handle=0, delivery_count=0, credit=2)
    assert peer.event(CreditChanged).link is link
    link.send(b"one", settled=False, context=1)
    link.send(b"two", settled=False, context=2)
    assert not link.sendable()
    assert [frame.payload for frame in peer.frames()] == [b"one", b"two"]

    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=ACCEPTED))
    peer.say(Disposition(role=ROLE_RECEIVER, first=1, settled=True, state=Released()))
    assert [(told.context, told.state) for told in peer.events() if isinstance(told, DeliverySettled)] == [
        (1, ACCEPTED),
        (2, Released()),
    ]

    peer.flow(next_incoming_id=2, handle=0, delivery_count=2, credit=10, drain=True)
    link.send(b"two", settled=False, context=2)
    link.drained()
    transfer, flow = [frame.performative for frame in peer.frames()]
    assert isinstance(transfer, Transfer)
    assert isinstance(flow, Flow)
    assert (flow.delivery_count, flow.link_credit) == (12, 0)


def test_a_client_publishes_and_browses() -> None:
    peer = client(credentials=Credentials("me", "secret"))
    peer.engine.open()
    peer.send(SASL_HEADER).sasl(SaslMechanisms(("PLAIN",)))
    assert peer.heard_header() == SASL_HEADER
    peer.heard(SaslInit)
    peer.sasl(SaslOutcome(0)).send(AMQP_HEADER).open()
    assert kinds(peer.frames_from_start()) == [Open]

    session = peer.engine.begin()
    sender = session.attach_sender("out", Target(address="prices"))
    receiver = session.attach_receiver("in", Source(address="prices", distribution_mode="copy"))
    receiver.add_credit(2)
    assert kinds(peer.frames()) == [Begin, Attach, Attach, Flow]

    peer.begin(remote_channel=0)
    peer.attach(ROLE_RECEIVER, name="out", handle=0).flow(handle=0, delivery_count=0, credit=100)
    peer.attach(ROLE_SENDER, name="in", handle=1)
    assert peer.kinds() == [ConnectionOpened, SessionBegun, LinkAttached, CreditChanged, LinkAttached]
    assert sender.sendable()
    sender.send(b"update", settled=False, context="update")
    receiver.request_drain()
    assert kinds(peer.frames()) == [Transfer, Flow]

    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=ACCEPTED))
    peer.transfer(0, b"update", handle=1, settled=True).flow(handle=1, delivery_count=2, credit=0, drain=True)
    assert peer.kinds() == [DeliverySettled, Delivery, Drained]

    peer.engine.close()
    assert kinds(peer.frames()) == [Close]
    peer.say(Close())
    assert peer.event(ConnectionClosed).error is None


def test_a_misbehaving_link_a_misbehaving_session_and_their_unharmed_neighbours() -> None:
    peer = in_session()
    peer.begin(channel=1)
    peer.heard(Begin)
    peer.event(SessionBegun)
    peer.attach(ROLE_SENDER, name="good").receiver_of_engine(credit=100)
    peer.attach(ROLE_SENDER, name="bad", handle=1).receiver_of_engine()
    peer.attach(ROLE_SENDER, name="other", channel=1).receiver_of_engine(credit=100)

    peer.transfer(0, b"one").transfer(1, b"no credit", handle=1).transfer(2, b"two")
    assert peer.condition(Detach) == "amqp:link:transfer-limit-exceeded"
    assert peer.deliveries() == [b"one", b"two"]

    peer.transfer(3, b"nowhere", handle=9).transfer(4, b"too late")
    assert peer.condition(End) == "amqp:session:unattached-handle"
    assert peer.kinds() == [SessionEnded]

    transfer = Transfer(handle=0, delivery_id=0, delivery_tag=b"t", message_format=0)
    peer.say(transfer, b"still here", channel=1)
    assert peer.deliveries() == [b"still here"]
    assert peer.engine.opened


@pytest.mark.parametrize("piece", [1, 3, 7])
def test_a_conversation_in_small_pieces_is_the_same(piece: int) -> None:
    whole, pieces = server(), server()
    said = b"".join([AMQP_HEADER, *[encode_frame(encode_performative(frame), 0) for frame in OPENING]])
    whole.send(said)
    for start in range(0, len(said), piece):
        pieces.send(said[start : start + piece])
    assert pieces.kinds() == whole.kinds()
    assert pieces.engine.data_to_send() == whole.engine.data_to_send()


def test_a_connection_that_idles_stays_open_by_heartbeats() -> None:
    peer = server(idle_timeout_ms=1000).send(AMQP_HEADER).open(idle_time_out=1000)
    peer.frames_from_start()
    for now in range(0, 10_000, 250):
        peer.at(now).send(EMPTY_FRAME)
        assert all(frame.performative is None for frame in peer.frames())
    assert peer.engine.opened
    assert not peer.at(10_750).engine.opened
    assert peer.condition(Close) == "amqp:resource-limit-exceeded"


def test_a_client_that_asks_for_the_lease_is_told_it_and_hears_something_in_every_half_of_it() -> None:
    peer = server(lease_ms=400).send(AMQP_HEADER).open(desired_capabilities=(Symbol(LEASE),))
    peer.heard_header()
    assert announced_lease_ms(peer.heard(Open)) == 400
    heard = [now for now in range(0, 2000, 10) if peer.at(now).frames()]
    assert heard == list(range(200, 2000, 200))


def test_a_client_that_does_not_ask_for_the_lease_is_told_none() -> None:
    peer = server(lease_ms=400).send(AMQP_HEADER).open()
    peer.heard_header()
    assert announced_lease_ms(peer.heard(Open)) == 0
    assert not any(peer.at(now).frames() for now in range(0, 2000, 10))


def test_a_server_that_shuts_down_says_why() -> None:
    peer = in_session().attach(ROLE_RECEIVER)
    link = peer.sender_of_engine()
    peer.flow(handle=0, delivery_count=0, credit=5)
    peer.engine.close(AmqpError("amqp:connection:forced", "the broker is shutting down"))
    assert not link.sendable()
    assert isinstance(link, SenderLink)
    assert peer.condition(Close) == "amqp:connection:forced"
    assert peer.say(Close()).engine.finished
