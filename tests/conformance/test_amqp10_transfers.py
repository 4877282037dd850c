"""AMQP 1.0 part 2, sections 2.6.12 to 2.6.14 and 2.7.5: deliveries and their settlement."""

import pytest
from scripted_peer import ScriptedPeer, client_in_session, in_session, receiving, sending

from lastvalue.codec.amqp10.performatives import (
    RECEIVER_FIRST,
    RECEIVER_SECOND,
    ROLE_RECEIVER,
    ROLE_SENDER,
    SENDER_SETTLED,
    SENDER_UNSETTLED,
    Accepted,
    AmqpError,
    Detach,
    Disposition,
    Modified,
    Received,
    Rejected,
    Released,
    Target,
    Transfer,
)
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.sender import DeliverySettled
from lastvalue.protocols.amqp10.session import LinkDetached, WindowChanged
from lastvalue.protocols.amqp10.wire import STREAM_ROOM

ACCEPTED = Accepted()


def transfers(peer: ScriptedPeer) -> list[Transfer]:
    said = [frame.performative for frame in peer.frames()]
    return [performative for performative in said if isinstance(performative, Transfer)]


def dispositions(peer: ScriptedPeer) -> list[Disposition]:
    said = [frame.performative for frame in peer.frames()]
    assert all(isinstance(performative, Disposition) for performative in said)
    return [performative for performative in said if isinstance(performative, Disposition)]


def outcomes(peer: ScriptedPeer) -> list[tuple[object, object]]:
    return [(told.context, told.state) for told in peer.events() if isinstance(told, DeliverySettled)]


# ---- 2.7.5 Transfer: what comes in


@pytest.mark.spec("amqp-1.0", "2.7.5", "a message of one frame is a delivery")
@pytest.mark.parametrize("settled", [True, False])
def test_a_transfer_is_a_delivery(settled: bool) -> None:
    peer, link = sending()
    peer.transfer(7, b"message", settled=settled)
    delivery = peer.event(Delivery)
    assert (delivery.link, delivery.delivery_id, delivery.tag) == (link, 7, b"\x00\x00\x00\x07")
    assert (delivery.payload, delivery.settled) == (b"message", settled)


@pytest.mark.spec("amqp-1.0", "2.6.14", "a message may come in several frames: all but the last say more")
def test_a_message_of_several_frames_is_one_delivery() -> None:
    peer, link = sending(credit=5)
    peer.transfer(7, b"one ", more=True).transfer(None, b"two ", more=True)
    assert peer.kinds() == []
    peer.transfer(7, b"three")
    delivery = peer.event(Delivery)
    assert (delivery.payload, delivery.delivery_id, delivery.tag) == (
        b"one two three",
        7,
        b"\x00\x00\x00\x07",
    )
    assert link.credit == 4


@pytest.mark.spec("amqp-1.0", "2.7.5", "the delivery is settled if any of its transfers says so")
@pytest.mark.parametrize("flags", [(True, False), (False, True), (None, True), (True, None)])
def test_any_frame_may_say_that_a_delivery_is_settled(flags: tuple[bool | None, bool | None]) -> None:
    peer, _ = sending()
    peer.transfer(0, b"a", settled=flags[0], more=True).transfer(None, b"b", settled=flags[1])
    assert peer.event(Delivery).settled


@pytest.mark.spec("amqp-1.0", "2.7.5", "frames of different links may be interleaved")
def test_messages_of_two_links_may_be_interleaved() -> None:
    peer, _ = sending()
    peer.attach(ROLE_SENDER, name="other", handle=1)
    peer.receiver_of_engine(credit=5)
    peer.transfer(0, b"a", more=True).transfer(1, b"x", handle=1, more=True)
    peer.transfer(None, b"b").transfer(None, b"y", handle=1)
    assert peer.deliveries() == [b"ab", b"xy"]


@pytest.mark.spec("amqp-1.0", "2.7.5", "messages of one link MUST NOT be interleaved")
def test_another_delivery_before_the_first_is_complete_detaches_the_link() -> None:
    peer, link = sending()
    peer.transfer(0, b"a", more=True).transfer(1, b"b")
    assert peer.condition(Detach) == "amqp:invalid-field"
    assert peer.event(LinkDetached).link is link
    assert peer.engine.opened


@pytest.mark.spec("amqp-1.0", "2.7.5", "delivery-id MUST be set on the first transfer of a delivery")
def test_a_delivery_without_an_id_detaches_the_link() -> None:
    peer, _ = sending()
    assert peer.transfer(None, b"a").condition(Detach) == "amqp:invalid-field"


@pytest.mark.spec(
    "amqp-1.0", "2.7.5", "delivery-tag MUST be set on the first transfer, with 32 octets at most"
)
@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("tag", [None, bytes(33), bytes(300)], ids=["none", "33 bytes", "300 bytes"])
def test_a_delivery_without_a_valid_tag_detaches_the_link(tag: bytes | None, more: bool) -> None:
    peer, _ = sending()
    peer.say(Transfer(handle=0, delivery_id=0, delivery_tag=tag, message_format=0, more=more), b"a")
    assert peer.condition(Detach) == "amqp:invalid-field"
    assert peer.deliveries() == []


@pytest.mark.parametrize("tag", [b"", bytes(32)], ids=["empty", "32 bytes"])
def test_a_delivery_tag_may_be_as_long_as_32_bytes(tag: bytes) -> None:
    peer, _ = sending()
    peer.say(Transfer(handle=0, delivery_id=0, delivery_tag=tag), b"a")
    assert peer.event(Delivery).tag == tag


@pytest.mark.spec(
    "amqp-1.0", "2.7.5", "tag and format of a continuation are those of the first transfer, or absent"
)
@pytest.mark.parametrize(
    "continuation",
    [
        Transfer(handle=0, delivery_tag=b"other"),
        Transfer(handle=0, delivery_tag=b""),
        Transfer(handle=0, message_format=1),
        Transfer(handle=0, message_format=1, aborted=True),
    ],
    ids=["another tag", "an empty tag", "another format", "another format, aborted"],
)
def test_a_continuation_that_changes_its_delivery_detaches_the_link(continuation: Transfer) -> None:
    peer, _ = sending()
    peer.transfer(0, b"a", more=True).say(continuation, b"b")
    assert peer.condition(Detach) == "amqp:invalid-field"


def test_a_continuation_may_repeat_the_tag_and_the_format() -> None:
    peer, _ = sending()
    peer.transfer(0, b"a", more=True).transfer(0, b"b")
    assert peer.deliveries() == [b"ab"]


@pytest.mark.spec("amqp-1.0", "2.7.5", "settled: as the sender-settle-mode of the link says")
@pytest.mark.parametrize("frames", [1, 2])
@pytest.mark.parametrize(("mode", "settled"), [(SENDER_SETTLED, False), (SENDER_UNSETTLED, True)])
def test_a_delivery_settled_against_the_mode_of_its_link_detaches_it(
    mode: int, settled: bool, frames: int
) -> None:
    peer = in_session().attach(ROLE_SENDER, snd_settle_mode=mode)
    peer.receiver_of_engine(credit=5)
    for frame in range(frames):
        peer.transfer(None if frame else 0, b"a", settled=settled, more=frame + 1 < frames)
    assert peer.condition(Detach) == "amqp:invalid-field"
    assert peer.deliveries() == []


@pytest.mark.parametrize(("mode", "settled"), [(SENDER_SETTLED, True), (SENDER_UNSETTLED, False)])
def test_a_delivery_settled_in_the_mode_of_its_link_is_taken(mode: int, settled: bool) -> None:
    peer = in_session().attach(ROLE_SENDER, snd_settle_mode=mode)
    peer.receiver_of_engine(credit=5)
    peer.transfer(0, b"a", settled=settled).transfer(1, b"b", more=True)
    peer.transfer(None, b"c", settled=settled).transfer(2, b"d", settled=True, aborted=True)
    assert peer.deliveries() == [b"a", b"bc"]


@pytest.mark.spec(
    "amqp-1.0", "2.7.5", "it is illegal to set rcv-settle-mode second where the link's is first"
)
def test_a_delivery_cannot_ask_for_second_on_a_link_that_settles_first() -> None:
    peer, _ = sending()
    peer.transfer(0, b"a", rcv_settle_mode=RECEIVER_SECOND)
    assert peer.condition(Detach) == "amqp:invalid-field"


@pytest.mark.spec("amqp-1.0", "2.7.5", "an aborted delivery is discarded, its last payload too")
@pytest.mark.parametrize("frames", [0, 1, 2])
def test_an_aborted_delivery_never_was(frames: int) -> None:
    peer, link = sending(credit=10)
    for number in range(frames):
        peer.transfer(None if number else 0, b"gone", more=True)
    peer.transfer(None if frames else 0, b"ignored", aborted=True)
    peer.transfer(1, b"next")
    assert peer.deliveries() == [b"next"]
    assert link.credit == 8


@pytest.mark.spec(
    "amqp-1.0", "2.8.18", "message-size-exceeded: the peer sent a larger message than is supported"
)
def test_a_message_over_the_limit_detaches_the_link_alone() -> None:
    peer, _ = sending(max_message_size=10)
    peer.transfer(0, b"x" * 10)
    peer.transfer(1, b"x" * 11)
    assert peer.condition(Detach) == "amqp:link:message-size-exceeded"
    assert peer.kinds() == [Delivery, LinkDetached]
    assert peer.engine.sessions[0].open


@pytest.mark.spec("amqp-1.0", "2.8.18", "message-size-exceeded: counted over all frames")
def test_a_message_over_the_limit_in_several_frames_detaches_the_link() -> None:
    peer, _ = sending(max_message_size=10)
    peer.transfer(0, b"x" * 6, more=True).transfer(None, b"x" * 6, more=True)
    assert peer.condition(Detach) == "amqp:link:message-size-exceeded"
    peer.transfer(None, b"x" * 6)
    assert peer.deliveries() == []


@pytest.mark.spec("amqp-1.0", "2.6.4", "a link that ends takes an unfinished delivery with it")
def test_an_unfinished_message_ends_with_its_link() -> None:
    peer, _ = sending()
    peer.transfer(0, b"a", more=True).detach()
    peer.frames()
    peer.events()
    peer.attach(ROLE_SENDER).receiver_of_engine(credit=2)
    assert peer.transfer(1, b"b").deliveries() == [b"b"]


# ---- 2.7.5 Transfer: what goes out


@pytest.mark.spec("amqp-1.0", "2.7.5", "a delivery has an id, a tag, a format and says whether it is settled")
@pytest.mark.parametrize("settled", [True, False])
def test_a_message_that_fits_goes_out_in_one_frame(settled: bool) -> None:
    peer, link = receiving()
    assert link.send(b"message", settled=settled) == 0
    frame = peer.frames()[0]
    assert frame.payload == b"message"
    assert frame.performative == Transfer(
        handle=0, delivery_id=0, delivery_tag=bytes(4), message_format=0, settled=settled
    )
    assert link.send(b"next", settled=True) == 1


@pytest.mark.spec("amqp-1.0", "2.6.14", "a message larger than a frame is sent in several")
@pytest.mark.parametrize("size", [0, 1, 478, 479, 480, 481, 958, 959, 5000])
def test_no_frame_is_larger_than_the_peer_takes(size: int) -> None:
    peer, link = receiving(frame_size=512)
    message = bytes(range(256)) * 20
    link.send(message[:size], settled=True)
    data = peer.engine.data_to_send()
    sizes = []
    position = 0
    while position < len(data):
        sizes.append(int.from_bytes(data[position : position + 4], "big"))
        position += sizes[-1]
    assert max(sizes) <= 512
    peer._splitter.feed(data)
    frames = peer.frames()
    assert b"".join(frame.payload for frame in frames) == message[:size]
    heads = [frame.performative for frame in frames if isinstance(frame.performative, Transfer)]
    assert [head.more for head in heads] == [True] * (len(heads) - 1) + [False]
    assert [head.delivery_id for head in heads] == [0] + [None] * (len(heads) - 1)


@pytest.mark.spec("amqp-1.0", "2.5.6", "the window counts frames: a message waits in its middle")
def test_a_message_of_several_frames_waits_for_the_window_in_its_middle() -> None:
    peer, link = receiving(window=2, frame_size=512)
    link.send(bytes(1500), settled=False, context="large")
    link.send(b"after", settled=True)
    assert [head.more for head in transfers(peer)] == [True, True]
    peer.flow(next_incoming_id=2, window=1)
    assert [head.more for head in transfers(peer)] == [True]
    peer.flow(next_incoming_id=3, window=5)
    frames = peer.frames()
    assert [len(frame.payload) for frame in frames] == [1500 - 3 * 479, 5]


@pytest.mark.spec("amqp-1.0", "2.6.4", "no transfer follows a detach")
def test_what_waits_for_the_window_ends_with_its_link() -> None:
    peer, link = receiving(window=1, frame_size=512)
    link.send(bytes(1000), settled=True)
    link.send(b"waits", settled=True)
    peer.frames()
    link.detach()
    peer.flow(next_incoming_id=1, window=10)
    assert [type(frame.performative) for frame in peer.frames()] == [Detach]


@pytest.mark.spec("amqp-1.0", "2.7.4", "a flow tells what the peer can have seen: not the messages that wait")
def test_an_echo_does_not_count_what_waits_for_the_window() -> None:
    peer, link = receiving(window=1, credit=5)
    link.send(b"a", settled=True)
    link.send(b"b", settled=True)
    peer.frames()
    peer.flow(next_incoming_id=0, window=1, handle=0, delivery_count=0, credit=5, echo=True)
    frame = peer.frames()[0].performative
    assert getattr(frame, "delivery_count", None) == 1
    assert getattr(frame, "link_credit", None) == 4
    assert link.credit == 3


# ---- 2.6.12 Settlement


@pytest.mark.spec("amqp-1.0", "2.6.12", "a receiver that settles tells the outcome once")
@pytest.mark.parametrize(
    "state",
    [
        ACCEPTED,
        Released(),
        Rejected(AmqpError("amqp:not-allowed", "no")),
        Modified(delivery_failed=True, undeliverable_here=True),
        None,
    ],
    ids=["accepted", "released", "rejected", "modified", "none"],
)
def test_the_peers_outcome_settles_a_delivery(
    state: Accepted | Released | Rejected | Modified | None,
) -> None:
    peer, link = receiving()
    link.send(b"a", settled=False, context="a")
    peer.frames()
    disposition = Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=state)
    peer.say(disposition).say(disposition)
    assert outcomes(peer) == [("a", state)]
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.6.12", "where the receiver keeps it unsettled, the sender settles")
def test_an_outcome_that_the_peer_has_not_settled_is_settled_by_this_side() -> None:
    peer, link = receiving()
    link.send(b"a", settled=False, context="a")
    peer.frames()
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, state=ACCEPTED))
    assert outcomes(peer) == [("a", ACCEPTED)]
    assert dispositions(peer) == [
        Disposition(role=ROLE_SENDER, first=0, last=0, settled=True, state=ACCEPTED)
    ]


@pytest.mark.spec("amqp-1.0", "3.4.1", "received is no outcome")
def test_a_delivery_that_is_only_received_is_not_settled() -> None:
    peer, link = receiving()
    link.send(b"a", settled=False, context="a")
    peer.frames()
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, state=Received(section_number=0, section_offset=0)))
    peer.say(Disposition(role=ROLE_RECEIVER, first=0))
    assert outcomes(peer) == []
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "2.7.6", "first to last, across the session's links; others are not touched")
def test_a_range_settles_what_is_in_it() -> None:
    peer, link = receiving()
    peer.attach(ROLE_RECEIVER, name="other", handle=1)
    other = peer.sender_of_engine()
    peer.flow(handle=1, delivery_count=0, credit=9)
    for number, sender in enumerate([link, other, link, other, link]):
        sender.send(b"x", settled=number == 2, context=number)
    peer.frames()
    peer.events()
    peer.say(Disposition(role=ROLE_RECEIVER, first=1, last=3, settled=True, state=ACCEPTED))
    assert outcomes(peer) == [(1, ACCEPTED), (3, ACCEPTED)]
    assert [unsettled.context for unsettled in peer.engine.sessions[0].windows.unsettled.values()] == [0, 4]


@pytest.mark.spec(
    "amqp-1.0", "2.7.6", "a range may be as long as ids go; only what is unsettled is looked at"
)
def test_the_longest_range_is_no_burden() -> None:
    peer, link = receiving()
    for number in range(3):
        link.send(b"x", settled=False, context=number)
    peer.frames()
    peer.say(Disposition(role=ROLE_RECEIVER, first=1, last=0, settled=True, state=ACCEPTED))
    assert outcomes(peer) == [(1, ACCEPTED), (2, ACCEPTED), (0, ACCEPTED)]


@pytest.mark.spec("amqp-1.0", "2.7.6", "outcomes of neighbours are told in one frame")
def test_outcomes_leave_as_ranges() -> None:
    peer, link = sending()
    for number in range(6):
        peer.transfer(number, b"x")
    for number in (0, 1, 2):
        link.settle(number, number, ACCEPTED)
    link.settle(3, 3, Released())
    link.settle(4, 5, Released())
    assert peer.engine.output_size > 0
    assert dispositions(peer) == [
        Disposition(role=ROLE_RECEIVER, first=0, last=2, settled=True, state=ACCEPTED),
        Disposition(role=ROLE_RECEIVER, first=3, last=5, settled=True, state=Released()),
    ]
    assert peer.engine.output_size == 0


@pytest.mark.spec("amqp-1.0", "2.8.10", "delivery-ids wrap")
def test_a_range_goes_on_behind_the_highest_id() -> None:
    peer, link = sending()
    link.settle(2**32 - 1, 2**32 - 1, ACCEPTED)
    link.settle(0, 0, ACCEPTED)
    assert [(told.first, told.last) for told in dispositions(peer)] == [(2**32 - 1, 0)]


@pytest.mark.spec("amqp-1.0", "2.6.12", "what is owed is told before the link detaches")
def test_outcomes_leave_before_the_detach() -> None:
    peer, link = sending()
    peer.transfer(0, b"x")
    link.settle(0, 0, ACCEPTED)
    link.detach()
    assert [type(frame.performative) for frame in peer.frames()] == [Disposition, Detach]


@pytest.mark.spec("amqp-1.0", "2.8.3", "rcv-settle-mode second: the receiver settles after the sender")
def test_a_receiver_that_settles_second_leaves_the_delivery_unsettled() -> None:
    peer = in_session().attach(ROLE_SENDER, rcv_settle_mode=RECEIVER_SECOND)
    link = peer.receiver_of_engine(credit=5)
    peer.transfer(0, b"x")
    link.settle(0, 0, ACCEPTED)
    assert dispositions(peer) == [
        Disposition(role=ROLE_RECEIVER, first=0, last=0, settled=False, state=ACCEPTED)
    ]
    peer.say(Disposition(role=ROLE_SENDER, first=0, settled=True, state=ACCEPTED))
    assert peer.hears_nothing()
    assert peer.kinds() == [Delivery]


@pytest.mark.spec(
    "amqp-1.0", "2.7.5", "rcv-settle-mode first: the receiver settles, even where the link says second"
)
def test_a_delivery_may_ask_for_first_on_a_link_that_settles_second() -> None:
    peer = in_session().attach(ROLE_SENDER, rcv_settle_mode=RECEIVER_SECOND)
    link = peer.receiver_of_engine(credit=5)
    peer.transfer(0, b"second")
    peer.transfer(1, b"first, in two ", more=True, rcv_settle_mode=RECEIVER_FIRST)
    peer.transfer(None, b"frames")
    peer.transfer(2, b"first", rcv_settle_mode=RECEIVER_FIRST)
    peer.transfer(3, b"second", rcv_settle_mode=RECEIVER_SECOND)
    link.settle(0, 3, ACCEPTED)
    assert [(each.first, each.last, each.settled) for each in dispositions(peer)] == [
        (0, 0, False),
        (1, 2, True),
        (3, 3, False),
    ]


@pytest.mark.spec("amqp-1.0", "2.8.2", "snd-settle-mode settled: every delivery is sent settled")
def test_a_link_that_sends_everything_settled_says_so() -> None:
    _, link = receiving(snd_settle_mode=SENDER_SETTLED)
    assert link.settles


@pytest.mark.spec("amqp-1.0", "2.6.12", "deliveries of a link that ended are settled by nobody")
def test_an_outcome_for_a_link_that_ended_is_nobodys() -> None:
    peer, link = receiving()
    link.send(b"a", settled=False, context="a")
    peer.detach()
    peer.frames()
    peer.events()
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, state=ACCEPTED))
    assert peer.kinds() == []
    assert peer.hears_nothing()


def test_a_client_sends_and_is_answered() -> None:
    peer = client_in_session()
    link = peer.engine.sessions[0].attach_sender("up", Target(address="node"))
    peer.frames()
    peer.attach(ROLE_RECEIVER, name="up", handle=4).flow(handle=4, delivery_count=0, credit=1)
    assert link.sendable()
    link.send(b"hello", settled=False, context="hello")
    assert peer.frames()[0].payload == b"hello"
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=ACCEPTED))
    assert outcomes(peer) == [("hello", ACCEPTED)]


def test_a_message_of_very_many_frames_arrives_whole() -> None:
    peer, link = sending(credit=2)
    link.credit_window = 2
    message = bytes(range(256)) * 12
    peer.transfer(0, message[:1], more=True)
    for position in range(1, len(message)):
        peer.transfer(None, message[position : position + 1], more=True)
    peer.transfer(None)
    assert peer.deliveries() == [message]
    assert link.credit == 2


# [2.6.14] Transferring a Message


def test_a_large_message_leaves_a_part_at_a_time_and_what_follows_waits_for_its_end() -> None:
    peer, link = receiving(10, frame_size=4096)
    engine = peer.engine
    link.send(b"x" * 3 * STREAM_ROOM, settled=True)
    link.send(b"small", settled=True)
    assert not link.sendable()
    sizes = []
    while data := engine.data_to_send():
        sizes.append(len(data))
        peer.overhear(data)
    assert max(sizes) < STREAM_ROOM + 4096
    assert len(sizes) >= 3
    assert link.sendable()
    assert peer.kinds() == [WindowChanged]
    frames = peer.frames()
    assert b"".join(frame.payload for frame in frames) == b"x" * 3 * STREAM_ROOM + b"small"


def test_a_large_message_waits_while_the_transport_takes_nothing() -> None:
    peer, link = receiving(10, frame_size=4096)
    link.send(b"x" * 3 * STREAM_ROOM, settled=True)
    peer.engine.data_to_send()
    peer.engine.wire.blocked = True
    assert peer.engine.data_to_send() == b""
    peer.engine.wire.blocked = False
    assert len(peer.engine.data_to_send()) >= STREAM_ROOM


def test_a_large_message_whose_link_ends_makes_room_for_the_others() -> None:
    peer, link = receiving(10, frame_size=4096)
    peer.attach(ROLE_RECEIVER, "other", handle=1)
    other = peer.sender_of_engine()
    peer.flow(handle=1, delivery_count=0, credit=1)
    peer.events()
    link.send(b"x" * 3 * STREAM_ROOM, settled=True)
    peer.engine.data_to_send()
    assert not other.sendable()
    peer.detach()
    peer.engine.data_to_send()
    assert other.sendable()
    assert peer.kinds() == [LinkDetached, WindowChanged]
