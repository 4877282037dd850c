"""Links that are detached without being closed, and attached again [1.0 §2.6.4, §2.6.13, §3.5.5, §3.5.6]."""

from collections.abc import Mapping

import pytest
from bare_queue import encoded
from broker_peer import BrokerPeer as Peer
from broker_peer import body_of
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.suspended_links import LONGEST_MS
from lastvalue.codec.amqp10.performatives import (
    RECEIVER_SECOND,
    ROLE_RECEIVER,
    ROLE_SENDER,
    Accepted,
    Attach,
    DeliveryState,
    Detach,
    Disposition,
    End,
    Flow,
    Modified,
    Received,
    Rejected,
    Released,
    Source,
    Target,
    Transfer,
)
from lastvalue.codec.amqp10.values import Described, ULong, Value
from lastvalue.frontends.amqp10.link_resumption import SuspendedReader
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.queues.spec import LastValue, QueueSpec

ACCEPTED = Described(ULong(0x24), [])


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    broker.declare(QueueSpec("kept", durable=True))
    broker.declare(QueueSpec("lvq", LastValue("k")))
    return broker


@pytest.fixture
def peer(broker: Broker, clock: Clock) -> Peer:
    publish(broker, clock, "A", "B")
    return Peer(broker, clock)


def publish(broker: Broker, clock: Clock, *bodies: str, queue: str = "q") -> None:
    line = Line(broker, clock)
    link = line.session.attach_sender("w", Target(address=queue))
    line.exchange()
    for body in bodies:
        link.send(encoded(body, {"k": "1"}, None), settled=True)
    line.exchange()


def held(broker: Broker, queue: str = "q") -> tuple[int, int]:
    """Messages on a queue, and those of them that are available."""
    found = broker.lookup(queue).queue
    return int(found.depth), int(found.available)


def tags(*numbers: int, state: Value = None) -> dict[Value, Value]:
    return {number.to_bytes(4, "big"): state for number in numbers}


# ---- a reader


@pytest.mark.spec("amqp-1.0", "2.6.4", "a link that is detached without being closed keeps its state")
def test_a_detached_link_keeps_what_is_unsettled_and_gets_nothing_more(peer: Peer, broker: Broker) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    assert held(broker) == (2, 1)
    other = Peer(broker, peer.clock).reads
    other(10, address="q")
    assert held(broker) == (2, 0)


@pytest.mark.spec("amqp-1.0", "2.7.6", "deliveries of a link that is detached but not closed are live")
@pytest.mark.parametrize(
    ("state", "left"),
    [(Accepted(), (1, 1)), (Released(), (2, 2)), (Modified(delivery_failed=True), (2, 2)), (None, (2, 2))],
    ids=repr,
)
def test_an_outcome_after_the_detach_is_in_force(
    peer: Peer, broker: Broker, state: DeliveryState | None, left: tuple[int, int]
) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=state))
    assert held(broker) == left


def test_an_outcome_after_the_detach_that_is_not_settled_is_answered(peer: Peer, broker: Broker) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.frames()
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, state=Accepted()))
    assert peer.heard(Disposition).settled
    assert held(broker) == (1, 1)


def test_a_delivery_that_is_released_after_the_detach_is_not_resumed(peer: Peer, broker: Broker) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=Released()))
    other = Peer(broker, peer.clock)
    other.reads(2)
    assert held(broker) == (2, 0)
    peer.frames()
    assert not peer.reads(10, unsettled=tags(0)).unsettled
    assert peer.got() == []
    other.say(Disposition(role=ROLE_RECEIVER, first=0, last=1, settled=True, state=Accepted()))
    assert held(broker) == (0, 0)


def test_once_a_link_is_resumed_its_deliveries_have_other_numbers(peer: Peer, broker: Broker) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.frames()
    peer.reads(1, unsettled=tags(0))
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=Accepted()))
    assert held(broker) == (2, 1)
    peer.say(Disposition(role=ROLE_RECEIVER, first=1, settled=True, state=Accepted()))
    assert held(broker) == (1, 1)


@pytest.mark.parametrize("closed", [True, False])
def test_what_a_link_leaves_does_not_count_as_unsettled_for_ever(
    broker: Broker, clock: Clock, closed: bool
) -> None:
    publish(broker, clock, "A")
    peer = Peer(broker, clock)
    for number in range(3):
        peer.reads(1, capabilities=() if closed else ("shared",))
        peer.detach(closed=closed)
        peer.frames()
        assert len(peer.engine.sessions[0].windows.unsettled) == 0, number
    assert held(broker) == (1, 1)


@pytest.mark.spec("amqp-1.0", "2.7.6", "a publisher that detached without closing gets its outcomes")
def test_a_message_is_confirmed_after_the_detach_of_its_link(broker: Broker, clock: Clock) -> None:
    peer = Peer(broker, clock)
    peer.writes()
    peer.frames()
    peer.flushed = 0
    peer.transfer(0, encoded("1", {}, None, durable=True)).detach(closed=False)
    assert peer.told() == []
    peer.flushed = 1
    peer.turn()
    assert peer.told() == [(0, Accepted())]


@pytest.mark.spec("amqp-1.0", "2.6.6", "a closed link is gone, and its terminus with it")
def test_a_closed_link_keeps_nothing(peer: Peer, broker: Broker) -> None:
    peer.reads(2)
    peer.detach(closed=True)
    assert held(broker) == (2, 2)


@pytest.mark.spec("amqp-1.0", "2.6.13", "both sides tell what they have unsettled; the sender resumes it")
def test_a_link_that_comes_again_is_told_and_sent_again_what_both_have_unsettled(
    peer: Peer, broker: Broker
) -> None:
    peer.reads(2)
    assert peer.got() == [(bytes(4), False, "A"), (b"\0\0\0\1", False, "B")]
    peer.detach(closed=False)
    peer.heard(Detach)
    answer = peer.reads(10, unsettled=tags(0, 1))
    assert answer.unsettled == tags(0, 1)
    assert peer.got() == [(bytes(4), True, "A"), (b"\0\0\0\1", True, "B")]
    peer.say(Disposition(role=ROLE_RECEIVER, first=2, last=3, settled=True, state=Accepted()))
    assert held(broker) == (0, 0)


@pytest.mark.spec("amqp-1.0", "3.4.1", "received: from where a sender sends again")
def test_a_resumed_delivery_says_that_it_comes_from_the_start(peer: Peer) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.frames()
    peer.reads(1, unsettled=tags(0))
    transfer = peer.heard(Transfer)
    assert (transfer.resume, transfer.delivery_id, transfer.settled) == (True, 1, False)
    assert transfer.state == Received(section_number=0, section_offset=0)


@pytest.mark.spec("amqp-1.0", "3.4.6", "a terminal state of the receiver's is the outcome")
def test_an_outcome_that_the_peer_tells_with_its_attach_counts_and_is_settled(
    peer: Peer, broker: Broker
) -> None:
    peer.reads(2)
    peer.detach(closed=False)
    peer.frames()
    peer.reads(10, unsettled=tags(0, state=ACCEPTED) | tags(1))
    assert held(broker) == (1, 0)
    first, second = (frame.performative for frame in peer.frames())
    assert isinstance(first, Transfer)
    assert isinstance(second, Transfer)
    assert (first.resume, first.settled, first.state) == (True, True, Accepted())
    assert (second.resume, second.settled) == (True, False)


@pytest.mark.spec("amqp-1.0", "2.6.13", "what the receiver does not know may be sent again")
@pytest.mark.parametrize("unsettled", [None, {}, tags(7)], ids=repr)
def test_what_the_peer_has_not_unsettled_comes_again_as_new(
    peer: Peer, broker: Broker, unsettled: Mapping[Value, Value] | None
) -> None:
    peer.reads(2)
    peer.detach(closed=False)
    peer.frames()
    answer = peer.reads(10, unsettled=unsettled)
    assert answer.unsettled == {}
    got = peer.got()
    assert [(resume, body) for _, resume, body in got] == [(False, "A"), (False, "B")]


@pytest.mark.spec("amqp-1.0", "2.8.7", "a tag is unique among a link's unsettled deliveries")
def test_tags_of_a_resumed_link_are_none_that_are_left_of_an_earlier_one(peer: Peer, broker: Broker) -> None:
    peer.reads(1)
    for unsettled in (tags(0), tags(0)):
        peer.detach(closed=False)
        peer.frames()
        peer.reads(1, unsettled=unsettled)
    publish(broker, peer.clock, "C")
    peer.flow(handle=0, delivery_count=1, credit=5)
    got = [tag for tag, _, _ in peer.got()]
    assert len(set(got)) == len(got) == 3


def test_resumed_deliveries_wait_for_credit_and_go_on_being_unsettled(peer: Peer, broker: Broker) -> None:
    peer.reads(2)
    peer.detach(closed=False)
    peer.frames()
    peer.reads(0, unsettled=tags(0, 1))
    assert peer.got() == []
    peer.flow(handle=0, delivery_count=0, credit=1)
    assert [body for _, _, body in peer.got()] == ["A"]
    peer.detach(closed=False)
    peer.frames()
    assert held(broker) == (2, 0)
    peer.reads(5, unsettled=tags(0, 1))
    assert [body for _, _, body in peer.got()] == ["A", "B"]


def test_what_a_newer_value_replaced_meanwhile_is_not_resumed(broker: Broker, clock: Clock) -> None:
    publish(broker, clock, "old", queue="lvq")
    peer = Peer(broker, clock)
    peer.reads(1, address="lvq")
    peer.detach(closed=False)
    publish(broker, clock, "new", queue="lvq")
    peer.frames()
    answer = peer.reads(10, unsettled=tags(0), address="lvq")
    assert answer.unsettled == {}
    assert [body for _, _, body in peer.got()] == ["new"]


def test_a_large_message_is_resumed_in_frames_that_the_peer_takes(broker: Broker, clock: Clock) -> None:
    publish(broker, clock, "x" * 3000)
    peer = Peer(broker, clock, frame_size=512)
    peer.reads(1)
    peer.detach(closed=False)
    peer.frames()
    other = Peer(broker, clock, frame_size=2048)
    other.reads(1, unsettled=tags(0), address=None)
    frames = [frame for frame in other.frames() if isinstance(frame.performative, Transfer)]
    assert [frame.performative.more for frame in frames] == [True, False]  # type: ignore[union-attr]  # as above
    assert body_of(b"".join(frame.payload for frame in frames)) == "x" * 3000


@pytest.mark.spec("amqp-1.0", "2.6.1", "a link is known by its name and the two containers")
def test_a_link_may_be_resumed_without_naming_its_source_and_only_in_its_container(
    peer: Peer, broker: Broker
) -> None:
    peer.reads(1, expiry_policy="never")
    peer.vanish()
    assert held(broker) == (2, 1)
    stranger = Line(broker, peer.clock, ConnectionOptions("stranger"))
    link = stranger.session.attach_receiver("r", Source(address="q"))
    link.add_credit(10)
    stranger.exchange()
    assert held(broker) == (2, 0)
    answer = Peer(broker, peer.clock).reads(1, unsettled=tags(0), address=None)
    assert isinstance(answer.source, Source)
    assert (answer.source.address, answer.unsettled) == ("q", tags(0))


@pytest.mark.parametrize(
    "other", [{"address": "kept"}, {"distribution_mode": "copy"}, {"filter": {"x": "y"}}], ids=repr
)
def test_a_link_that_asks_for_something_else_is_a_new_one(
    peer: Peer, broker: Broker, other: dict[str, object]
) -> None:
    peer.reads(2)
    peer.detach(closed=False)
    peer.frames()
    answer = peer.reads(0, tags(0), False, **other)
    assert answer.unsettled is None
    assert held(broker) == (2, 2)


def test_what_an_ended_queue_left_is_gone(peer: Peer, broker: Broker) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.frames()
    broker.delete("q", peer.clock.now)
    peer.attach(ROLE_RECEIVER, "r", source=Source(address="q"), unsettled=tags(0))
    peer.heard(Attach)
    assert peer.condition(Detach) == "amqp:not-found"
    assert len(broker.suspended_links) == 0


def test_a_browser_goes_on_where_it_was(peer: Peer, broker: Broker) -> None:
    peer.reads(1, distribution_mode="copy")
    peer.detach(closed=False)
    peer.frames()
    peer.reads(10, distribution_mode="copy")
    assert [body for _, _, body in peer.got()] == ["B"]


# ---- maps that are not complete


@pytest.mark.spec(
    "amqp-1.0", "2.7.3", "incomplete-unsettled: what is not named may be unsettled all the same"
)
def test_what_an_incomplete_map_leaves_out_stays_unsettled_and_nothing_new_is_sent(
    peer: Peer, broker: Broker
) -> None:
    publish(broker, peer.clock, "C")
    peer.reads(2)
    peer.detach(closed=False)
    peer.frames()
    answer = peer.reads(10, unsettled=tags(0, state=ACCEPTED), incomplete=True)
    assert (answer.unsettled, answer.incomplete_unsettled) == (tags(0, 1), False)
    assert peer.got() == [(bytes(4), True, None)]
    publish(broker, peer.clock, "D")
    assert peer.got() == []
    assert held(broker) == (3, 2)
    peer.detach(closed=False)
    peer.frames()
    answer = peer.reads(10, unsettled=tags(1))
    assert answer.unsettled == tags(1)
    assert [(resume, body) for _, resume, body in peer.got()] == [(True, "B"), (False, "C"), (False, "D")]


def test_a_drain_on_a_link_that_only_resumes_is_answered(peer: Peer) -> None:
    peer.reads(1)
    peer.detach(closed=False)
    peer.frames()
    peer.reads(0, unsettled=tags(0), incomplete=True)
    peer.flow(handle=0, delivery_count=0, credit=5, drain=True)
    transfer, flow = (frame.performative for frame in peer.frames())
    assert isinstance(transfer, Transfer)
    assert isinstance(flow, Flow)
    assert (flow.delivery_count, flow.link_credit) == (5, 0)
    peer.flow(handle=0, delivery_count=5, credit=3, drain=True)
    assert peer.heard(Flow).delivery_count == 8


def test_a_new_reader_with_an_incomplete_map_is_sent_nothing_before_it_comes_again(
    peer: Peer, broker: Broker
) -> None:
    answer = peer.reads(10, unsettled=tags(7), incomplete=True)
    assert answer.unsettled is None
    assert peer.got() == []
    peer.detach(closed=False)
    peer.frames()
    peer.reads(10, unsettled={})
    assert [body for _, _, body in peer.got()] == ["A", "B"]


@pytest.mark.spec("amqp-1.0", "2.6.13", "what does not fit an attach is resumed by the next ones")
def test_a_reader_with_more_unsettled_than_an_attach_can_name_resumes_it_in_several(
    broker: Broker, clock: Clock
) -> None:
    publish(broker, clock, *[str(number) for number in range(150)])
    peer = Peer(broker, clock, frame_size=512)
    peer.reads(120)
    unsettled = [tag for tag, _, _ in peer.got()]
    attached: list[bool] = []
    while unsettled:
        peer.detach(closed=False)
        peer.frames()
        answer = peer.reads(200, unsettled=dict.fromkeys(unsettled[:80]), incomplete=len(unsettled) > 80)
        transfers = [
            frame.performative for frame in peer.frames() if isinstance(frame.performative, Transfer)
        ]
        resumed = [transfer for transfer in transfers if transfer.resume]
        told = answer.unsettled or {}
        assert [transfer.delivery_tag for transfer in resumed] == [
            tag for tag in unsettled[:80] if tag in told
        ]
        attached.append(answer.incomplete_unsettled)
        assert len(transfers) - len(resumed) == (0 if attached[-1] else 30)
        for transfer in resumed:
            assert transfer.delivery_id is not None
            peer.say(
                Disposition(role=ROLE_RECEIVER, first=transfer.delivery_id, settled=True, state=Accepted())
            )
            unsettled.remove(transfer.delivery_tag)
    assert attached == [True, True, True, False]
    assert held(broker) == (30, 0)


@pytest.mark.parametrize("named", [{}, tags(0)], ids=repr)
def test_a_publisher_whose_map_is_incomplete_may_have_the_rest_unsettled_and_sends_nothing_new(
    broker: Broker, clock: Clock, named: dict[Value, Value]
) -> None:
    peer = Peer(broker, clock)
    peer.flushed = 0
    peer.writes(expiry_policy="never")
    for number in range(3):
        peer.transfer(number, message(str(number)))
    peer.vanish()
    again = Peer(broker, clock)
    answer = again.writes(unsettled=named, incomplete=True, expiry_policy="never")
    assert (answer.unsettled, answer.incomplete_unsettled) == (tags(0, 1, 2), False)
    again.frames()
    again.transfer(0, message("0"), resume=True)
    assert again.told() == [(0, Accepted())]
    again.transfer(5, message("5"))
    assert again.condition(Detach) == "amqp:illegal-state"
    assert held(broker, "kept") == (3, 3)
    again.detach(closed=False)
    again.frames()
    answer = again.writes(unsettled=tags(1), expiry_policy="never")
    assert answer.unsettled == tags(1)
    again.transfer(6, message("6"))
    assert held(broker, "kept") == (4, 4)


@pytest.mark.spec("amqp-1.0", "2.7.3", "a receiver that sent an incomplete map detaches over a new delivery")
def test_a_publisher_is_told_that_not_all_of_its_deliveries_could_be_named(
    broker: Broker, clock: Clock
) -> None:
    peer = Peer(broker, clock, frame_size=512)
    peer.flushed = 0
    peer.writes(expiry_policy="never")
    for number in range(100):
        peer.transfer(number, message(str(number)))
    peer.vanish()
    unsettled = [number.to_bytes(4, "big") for number in range(100)]
    while True:
        again = Peer(broker, clock, frame_size=512)
        answer = again.writes(
            unsettled=dict.fromkeys(unsettled[:60]), incomplete=len(unsettled) > 60, expiry_policy="never"
        )
        again.frames()
        told = [tag for tag in unsettled if tag in (answer.unsettled or {})]
        if not answer.incomplete_unsettled and len(unsettled) <= 60:
            break
        for tag in told:
            again.transfer(int.from_bytes(tag), b"", resume=True)
            unsettled.remove(tag)
        frames = [frame.performative for frame in again.frames()]
        assert {type(frame) for frame in frames} == {Disposition}
        assert sum(frame.last - frame.first + 1 for frame in frames) == len(told) > 30  # type: ignore[union-attr, operator, misc]  # as above
        again.vanish()
    assert told == unsettled
    again.transfer(200, message("200"))
    assert held(broker, "kept") == (101, 101)


# ---- how long it is kept

ENDS = {"link-detach": 0, "session-end": 1, "connection-close": 2, "never": 3}


@pytest.mark.spec("amqp-1.0", "2.8.5", "seconds")
@pytest.mark.spec("amqp-1.0", "3.5.3", "timeout: how many seconds a terminus is kept")
@pytest.mark.spec("amqp-1.0", "3.5.6", "link-detach, session-end, connection-close and never")
@pytest.mark.parametrize("ending", [0, 1, 2], ids=["detached", "session ended", "connection lost"])
@pytest.mark.parametrize("policy", list(ENDS))
@pytest.mark.parametrize("timeout", [0, 10])
def test_a_source_ends_by_its_expiry_policy_after_its_timeout(
    peer: Peer, broker: Broker, clock: Clock, policy: str, timeout: int, ending: int
) -> None:
    peer.reads(2, expiry_policy=policy, timeout=timeout)
    peer.detach(closed=False)
    if ending == 1:
        peer.say(End())
    elif ending == 2:
        peer.vanish()
    ended = ending >= ENDS[policy]
    assert held(broker) == ((2, 2) if ended and timeout == 0 else (2, 0))
    clock.now += 10_000
    broker.advance(clock.now)
    assert held(broker) == ((2, 2) if ended else (2, 0))
    clock.now += LONGEST_MS
    broker.advance(clock.now)
    assert held(broker) == (2, 2)
    assert len(broker.suspended_links) == 0


@pytest.mark.parametrize("lost", [False, True])
def test_a_link_that_was_never_detached_is_kept_by_the_same_rules(
    peer: Peer, broker: Broker, lost: bool
) -> None:
    peer.reads(2, expiry_policy="never" if lost else "session-end")
    peer.vanish()
    assert held(broker) == ((2, 0) if lost else (2, 2))


def test_the_default_outcome_is_given_when_a_source_expires(peer: Peer, broker: Broker, clock: Clock) -> None:
    peer.reads(1, timeout=5, expiry_policy="link-detach", default_outcome=Modified(delivery_failed=True))
    peer.detach(closed=False)
    clock.now += 5_000
    broker.advance(clock.now)
    assert [entry.delivery_count for entry in broker.lookup("q").queue.entries()] == [1, 0]


@pytest.mark.spec("amqp-1.0", "3.5.5", "the answer says what is durable in truth")
def test_the_answer_tells_how_durable_a_source_is_and_how_long_it_lasts_in_truth(peer: Peer) -> None:
    source = peer.reads(0, expiry_policy="never", durable=2, timeout=100_000).source
    assert isinstance(source, Source)
    assert (source.durable, source.expiry_policy, source.timeout) == (0, "never", LONGEST_MS // 1000)


@pytest.mark.parametrize("stores", [True, False])
@pytest.mark.parametrize("asked", [0, 1, 2])
def test_a_subscription_is_as_durable_as_the_broker_keeps_it(
    broker: Broker, clock: Clock, stores: bool, asked: int
) -> None:
    broker.stores = stores
    peer = Peer(broker, clock)
    source = peer.reads(0, address="amq.fanout", expiry_policy="never", durable=asked).source
    assert isinstance(source, Source)
    survives = 1 if stores and asked > 0 else 0
    assert source.durable == survives
    peer.vanish()
    clock.now += LONGEST_MS
    broker.advance(clock.now)
    # It is the subscription's durability that is told, whoever takes it up.
    source = Peer(broker, clock).reads(0, address=None).source
    assert isinstance(source, Source)
    assert source.durable == survives


@pytest.mark.parametrize("durable", [0, 1, 2])
def test_of_a_target_nothing_survives_a_restart(broker: Broker, clock: Clock, durable: int) -> None:
    broker.stores = True
    target = Peer(broker, clock).writes(durable=durable).target
    assert isinstance(target, Target)
    assert target.durable == 0


def test_who_shares_a_subscription_leaves_nothing_held(broker: Broker, clock: Clock) -> None:
    peer = Peer(broker, clock)
    answer = peer.reads(10, address="amq.fanout", capabilities=("shared",), expiry_policy="never")
    assert answer.source is not None
    publish(broker, clock, "A", queue="amq.fanout")
    peer.detach(closed=False)
    assert held(broker, "$subscription///r") == (1, 1)


# ---- a publisher


def message(body: str) -> bytes:
    return encoded(body, {}, None, durable=True)


@pytest.mark.spec("amqp-1.0", "2.6.13", "a delivery that was received is not received twice")
def test_a_delivery_whose_outcome_was_not_told_is_not_published_twice(broker: Broker, clock: Clock) -> None:
    peer = Peer(broker, clock)
    peer.flushed = 0
    peer.writes(expiry_policy="never")
    peer.transfer(0, message("A"))
    assert peer.told() == []
    peer.vanish()
    again = Peer(broker, clock)
    answer = again.writes(unsettled=tags(0, 1), expiry_policy="never")
    assert answer.unsettled == tags(0)
    again.transfer(0, message("A"), resume=True)
    again.transfer(1, message("B"))
    assert again.told() == [(0, Accepted())]
    assert held(broker, "kept") == (2, 2)


@pytest.mark.spec("amqp-1.0", "2.7.5", "resume: ignored where it is not known")
def test_a_resumed_delivery_that_is_not_known_is_ignored(broker: Broker, clock: Clock) -> None:
    peer = Peer(broker, clock)
    peer.writes(expiry_policy="never")
    peer.frames()
    peer.transfer(0, message("A"), resume=True)
    peer.transfer(1, message("B"), resume=True, more=True).transfer(None, b"")
    assert peer.told() == []
    assert held(broker, "kept") == (0, 0)


@pytest.mark.spec("amqp-1.0", "2.8.3", "second: a receiver keeps its outcome until the sender has settled")
@pytest.mark.parametrize("settles", [True, False])
def test_a_receiver_that_settles_second_keeps_outcomes_until_the_sender_settled(
    broker: Broker, clock: Clock, settles: bool
) -> None:
    peer = Peer(broker, clock)
    peer.writes(mode=RECEIVER_SECOND, expiry_policy="connection-close")
    peer.frames()
    peer.transfer(0, message("A")).transfer(1, b"\x00\x53\x99\x40")
    assert [type(state) for _, state in peer.told()] == [Accepted, Rejected]
    if settles:
        peer.say(Disposition(role=ROLE_SENDER, first=0, settled=True))
    peer.detach(closed=False)
    peer.frames()
    answer = peer.writes(unsettled=tags(0, 1), mode=RECEIVER_SECOND, expiry_policy="connection-close")
    known = answer.unsettled
    assert known is not None
    assert set(known) == set(tags(1) if settles else tags(0, 1))
    peer.frames()
    peer.transfer(1, resume=True)
    assert [type(state) for _, state in peer.told()] == [Rejected]
    assert held(broker, "kept") == (1, 1)


def test_a_settled_resumption_ends_a_delivery(broker: Broker, clock: Clock) -> None:
    peer = Peer(broker, clock)
    for _ in range(2):
        answer = peer.writes(unsettled=tags(0), mode=RECEIVER_SECOND)
        peer.frames()
        peer.transfer(0, message("A"), resume=bool(answer.unsettled), settled=bool(answer.unsettled))
        peer.detach(closed=False)
        peer.frames()
    assert peer.writes(unsettled=tags(0), mode=RECEIVER_SECOND).unsettled == {}


def test_a_usual_publisher_keeps_nothing(broker: Broker, clock: Clock) -> None:
    peer = Peer(broker, clock)
    peer.flushed = 0
    assert peer.writes().unsettled is None
    peer.transfer(0, message("A"))
    peer.detach(closed=False)
    assert len(broker.suspended_links) == 0


def test_a_suspended_reader_does_not_keep_its_session_in_memory(broker: Broker, clock: Clock) -> None:
    publish(broker, clock, "A")
    peer = Peer(broker, clock)
    peer.reads(1, expiry_policy="never")
    peer.detach(closed=False)
    peer.say(End())
    suspended = broker.suspended_links.take(("", "peer", "r", True))
    assert isinstance(suspended, SuspendedReader)
    assert (suspended.link, suspended.session) == (None, None)
    assert held(broker) == (1, 0)
