"""What the outcomes of a reader's deliveries do, and what its source says of them [1.0 §3.4, §3.5.3]."""

from typing import Any

import pytest
from bare_queue import encoded
from broker_peer import BrokerPeer
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Accepted,
    AmqpError,
    Coordinator,
    Declare,
    Declared,
    DeliveryState,
    Detach,
    Discharge,
    Disposition,
    End,
    Modified,
    Received,
    Rejected,
    Released,
    Source,
    Target,
    TransactionalState,
)
from lastvalue.codec.amqp10.values import Symbol, Value
from lastvalue.frontends.amqp10.outcomes import MOST_ANNOTATED, OUTCOMES
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.queues.spec import Limit, QueueSpec, Readers


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("dead"))
    broker.declare(QueueSpec("q", alternate="dead", readers=Readers(attempts=2)))
    return broker


@pytest.fixture
def line(broker: Broker) -> Line:
    line = Line(broker, Clock())
    publish(line, "A")
    return line


def publish(line: Line, *bodies: str) -> None:
    link = line.session.attach_sender(f"to q {bodies}", Target(address="q"))
    line.exchange()
    for body in bodies:
        link.send(encoded(body, {}, None, message_annotations={Symbol("x-opt-first"): 1}), settled=True)
    line.exchange()


def reader(line: Line, name: str, credit: int = 10, **source: Any) -> ReceiverLink:
    link = line.session.attach_receiver(name, Source(address="q", **source))
    line.exchange()
    link.add_credit(credit)
    return link


def got(line: Line) -> list[tuple[Delivery, MessageContent]]:
    return [(delivery, decode_content(delivery.payload)) for delivery in line.take(Delivery)]


def settle(line: Line, delivery: Delivery, state: DeliveryState | None) -> None:
    delivery.link.settle(delivery.delivery_id, delivery.delivery_id, state)
    line.exchange()


def bodies(broker: Broker, queue: str) -> list[tuple[object, int]]:
    return [
        (decode_content(entry.message.encoded).body, int(entry.delivery_count))
        for entry in broker.lookup(queue).queue.entries()
    ]


@pytest.mark.spec("amqp-1.0", "3.4.5", "undeliverable-here: never again to this link")
def test_a_message_that_is_undeliverable_here_goes_to_another_link_and_never_here_again(line: Line) -> None:
    one = reader(line, "one")
    ((delivery, _),) = got(line)
    settle(line, delivery, Modified(undeliverable_here=True))
    assert got(line) == []
    reader(line, "other")
    ((again, content),) = got(line)
    assert again.link is not one
    assert content.delivery_count == 0
    settle(line, again, Released())
    ((third, _),) = got(line)
    assert third.link is again.link


def test_a_message_that_is_undeliverable_everywhere_stays_until_somebody_takes_it(
    line: Line, broker: Broker
) -> None:
    reader(line, "one")
    ((delivery, _),) = got(line)
    settle(line, delivery, Modified(undeliverable_here=True, delivery_failed=True))
    assert bodies(broker, "q") == [("A", 1)]
    assert bodies(broker, "dead") == []


@pytest.mark.spec("amqp-1.0", "3.4.5", "delivery-failed: the delivery counts as failed")
def test_a_message_that_failed_too_often_is_a_dead_letter_whoever_it_was_undeliverable_to(
    line: Line, broker: Broker
) -> None:
    for name in ("one", "other"):
        reader(line, name)
        ((delivery, _),) = got(line)
        settle(line, delivery, Modified(undeliverable_here=True, delivery_failed=True))
    line.exchange()
    assert (bodies(broker, "q"), bodies(broker, "dead")) == ([], [("A", 0)])


@pytest.mark.spec("amqp-1.0", "3.4.5", "message-annotations: are merged, and replace those of their names")
def test_annotations_of_a_modified_outcome_are_the_messages_from_then_on(line: Line) -> None:
    reader(line, "one")
    ((delivery, _),) = got(line)
    notes: dict[str, Value] = {Symbol("x-opt-why"): "late", Symbol("x-opt-first"): 2}
    settle(line, delivery, Modified(message_annotations=notes))
    ((again, content),) = got(line)
    assert content.message_annotations == {"x-opt-why": "late", "x-opt-first": 2}
    settle(line, again, Modified(delivery_failed=True, message_annotations={Symbol("x-opt-why"): None}))
    ((_, content),) = got(line)
    assert content.message_annotations == {"x-opt-why": None, "x-opt-first": 2}
    assert (content.body, content.delivery_count) == ("A", 1)


def test_a_message_takes_annotations_of_its_readers_up_to_a_limit(line: Line, broker: Broker) -> None:
    reader(line, "one")
    for number in range(4):
        (delivery, _), *_ = got(line)
        settle(line, delivery, Modified(message_annotations={Symbol(f"x-opt-{number}"): "x" * 20_000}))
    (entry,) = broker.lookup("q").queue.entries()
    assert MOST_ANNOTATED - 20_000 < len(entry.message.encoded) < MOST_ANNOTATED + 100


def test_a_browser_changes_no_message(line: Line, broker: Broker) -> None:
    reader(line, "one", distribution_mode="copy")
    browser = line.session.attach_receiver("b", Source(address="q", distribution_mode="copy"), settle_mode=0)
    browser.add_credit(1)
    delivery = next(one for one, _ in got(line) if one.link is browser)
    settle(line, delivery, Modified(undeliverable_here=True, message_annotations={Symbol("x"): 1}))
    (entry,) = broker.lookup("q").queue.entries()
    assert "x" not in decode_content(entry.message.encoded).message_annotations


@pytest.mark.spec("amqp-1.0", "3.4.4", "released: the message is there again, and has not failed")
def test_a_released_message_comes_again_uncounted(line: Line) -> None:
    reader(line, "one")
    ((delivery, _),) = got(line)
    settle(line, delivery, Released())
    ((_, content),) = got(line)
    assert (content.body, content.delivery_count) == ("A", 0)


# ---- receivers that settle second


@pytest.mark.spec("amqp-1.0", "2.8.3", "second: what a receiver keeps is settled when the outcome is safe")
@pytest.mark.parametrize("ended", [False, True])
def test_what_a_receiver_keeps_is_settled_when_the_journal_has_its_outcome(
    line: Line, broker: Broker, ended: bool
) -> None:
    publish(line, "B")
    peer = BrokerPeer(broker, Clock())
    peer.reads(2)
    peer.frames()
    peer.flushed = 0
    peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=False, state=Accepted()))
    assert [body for body, _ in bodies(broker, "q")] == ["B"]
    assert peer.frames() == []
    if ended:
        peer.say(End())
        peer.frames()
    peer.flushed = 1
    peer.turn()
    told = [frame.performative for frame in peer.frames()]
    settled = Disposition(role=ROLE_SENDER, first=0, last=0, settled=True, state=Accepted())
    assert told == ([] if ended else [settled])


# ---- what a source says of outcomes


@pytest.mark.spec("amqp-1.0", "3.5.3", "default-outcome: of what is settled without an outcome, or never")
@pytest.mark.parametrize(
    ("default", "queue", "dead"),
    [
        (None, [("A", 0)], []),
        (Released(), [("A", 0)], []),
        (Accepted(), [], []),
        (Rejected(), [], [("A", 0)]),
        (Modified(delivery_failed=True), [("A", 1)], []),
    ],
    ids=repr,
)
@pytest.mark.parametrize("settled", [True, False])
def test_what_is_settled_without_an_outcome_or_never_has_the_default_one(
    line: Line,
    broker: Broker,
    default: DeliveryState | None,
    queue: list[tuple[object, int]],
    dead: list[tuple[object, int]],
    settled: bool,
) -> None:
    reader(line, "one", 1, default_outcome=default)
    ((delivery, _),) = got(line)
    if settled:
        settle(line, delivery, None)
    else:
        line.session.end()
        line.exchange()
    assert (bodies(broker, "q"), bodies(broker, "dead")) == (queue, dead)


@pytest.mark.parametrize(
    ("default", "error", "queue", "dead"),
    [
        (Modified(delivery_failed=True), None, [("A", 0)], []),
        (Modified(delivery_failed=True), AmqpError("x:broken"), [("A", 1)], []),
        (Rejected(), None, [], [("A", 0)]),
    ],
    ids=repr,
)
def test_what_was_sent_ahead_on_a_link_that_is_closed_in_order_has_not_failed(
    line: Line,
    broker: Broker,
    default: DeliveryState,
    error: AmqpError | None,
    queue: list[tuple[object, int]],
    dead: list[tuple[object, int]],
) -> None:
    """[1.0 §3.5.3] But for the count the default outcome is that of a link that is closed, too."""
    link = reader(line, "one", 1, default_outcome=default)
    assert len(got(line)) == 1
    link.detach(error)
    line.exchange()
    assert (bodies(broker, "q"), bodies(broker, "dead")) == (queue, dead)


@pytest.mark.spec("amqp-1.0", "3.5.3", "default-outcome: also when the source is destroyed")
@pytest.mark.parametrize("ended", ["session", "connection"])
def test_the_default_outcome_is_that_of_a_link_that_was_lost_too(
    line: Line, broker: Broker, ended: str
) -> None:
    reader(line, "one", 1, default_outcome=Modified(delivery_failed=True))
    assert len(got(line)) == 1
    if ended == "session":
        line.session.end()
        line.exchange()
    else:
        line.frontend.close(0)
    assert bodies(broker, "q") == [("A", 1)]


@pytest.mark.spec("amqp-1.0", "3.5.3", "outcomes: those that may be chosen")
def test_an_answer_tells_the_outcomes_there_are(line: Line) -> None:
    asked = reader(line, "asked", outcomes=("amqp:accepted:list", "x:odd:list"), default_outcome=Accepted())
    silent = reader(line, "silent", default_outcome=Received(section_number=0, section_offset=0))
    line.exchange()
    told = [link.remote.source for link in (asked, silent) if link.remote is not None]
    assert [(source.outcomes, source.default_outcome) for source in told if isinstance(source, Source)] == [
        (("amqp:accepted:list",), Accepted()),
        (OUTCOMES, Released()),
    ]


# ---- what a publisher's source says


ONLY_ACCEPTED = ("amqp:accepted:list",)
BOTH = ("amqp:accepted:list", "amqp:rejected:list")


def publishing(broker: Broker, outcomes: tuple[str, ...], target: Target | Coordinator) -> BrokerPeer:
    broker.declare(QueueSpec("full", limit=Limit(1)))
    peer = BrokerPeer(broker, Clock())
    peer.attach(ROLE_SENDER, source=Source(outcomes=outcomes), target=target)
    peer.frames()
    return peer


def message(to: str | None = None) -> bytes:
    return encode_content(MessageContent(body="x", to=to))


def rejected(peer: BrokerPeer) -> AmqpError:
    state = peer.heard(Disposition).state
    assert isinstance(state, Rejected)
    assert state.error is not None
    return state.error


def detached(peer: BrokerPeer) -> AmqpError:
    detach = peer.heard(Detach)
    assert detach.error is not None
    assert detach.closed
    return detach.error


@pytest.mark.spec("amqp-1.0", "3.5.3", "outcomes: a source that names none takes all of them")
@pytest.mark.parametrize("outcomes", [(), BOTH])
def test_a_message_is_rejected_where_the_source_has_that_outcome(
    broker: Broker, outcomes: tuple[str, ...]
) -> None:
    peer = publishing(broker, outcomes, Target(address="full"))
    peer.transfer(0, message()).transfer(1, message()).transfer(2, message())
    peer.heard(Disposition)
    assert rejected(peer).condition == "amqp:resource-limit-exceeded"


def test_a_message_that_is_taken_is_accepted_even_where_the_source_lacks_that_outcome(broker: Broker) -> None:
    peer = publishing(broker, ("amqp:rejected:list",), Target(address="full"))
    peer.transfer(0, message())
    assert peer.heard(Disposition).state == Accepted()
    assert broker.lookup("full").queue.depth == 1


@pytest.mark.spec("amqp-1.0", "3.5.3", "outcomes: where rejected is not among them the link is detached")
def test_a_link_ends_over_a_message_that_its_source_cannot_have_rejected(broker: Broker) -> None:
    peer = publishing(broker, ONLY_ACCEPTED, Target(address="full"))
    peer.transfer(0, message()).transfer(1, message()).transfer(2, message())
    assert peer.heard(Disposition).state == Accepted()
    assert detached(peer).condition == "amqp:resource-limit-exceeded"
    assert peer.hears_nothing()
    assert broker.lookup("full").publishers == {}


@pytest.mark.parametrize("to", ["nowhere", None])
@pytest.mark.parametrize(
    ("outcomes", "settled"), [((), True), (BOTH, True), (ONLY_ACCEPTED, True), (ONLY_ACCEPTED, False)]
)
def test_an_anonymous_link_ends_over_a_destination_that_cannot_be_rejected(
    broker: Broker, outcomes: tuple[str, ...], settled: bool, to: str | None
) -> None:
    """[Anonymous Terminus 1.0 §2.2.2]"""
    peer = publishing(broker, outcomes, Target())
    peer.transfer(7, message(to), settled=settled)
    error = detached(peer)
    assert error.condition == ("amqp:precondition-failed" if to is None else "amqp:not-found")
    assert error.info == {"delivery-tag": b"\0\0\0\7"}
    assert peer.transfer(8, message("q"), settled=settled).hears_nothing()
    assert broker.lookup("q").queue.depth == 0


def test_an_anonymous_link_rejects_an_unknown_destination(broker: Broker) -> None:
    peer = publishing(broker, (), Target()).transfer(7, message("nowhere"))
    error = rejected(peer)
    assert (error.condition, error.info) == ("amqp:not-found", {"delivery-tag": b"\0\0\0\7"})


def test_an_anonymous_link_goes_on_when_a_queue_drops_a_settled_message(broker: Broker) -> None:
    peer = publishing(broker, ONLY_ACCEPTED, Target())
    for number in range(3):
        peer.transfer(number, message("full"), settled=True)
    assert peer.hears_nothing()


@pytest.mark.spec(
    "amqp-1.0", "4.3", "where the source does not have rejected, the coordinator detaches the link"
)
@pytest.mark.parametrize("outcomes", [ONLY_ACCEPTED, BOTH])
def test_a_coordinator_answers_as_the_source_of_its_link_allows(
    broker: Broker, outcomes: tuple[str, ...]
) -> None:
    peer = publishing(broker, outcomes, Coordinator())
    asked = encode_content(MessageContent(body=decomposed(Discharge(b"none"))))
    error = (detached if outcomes is ONLY_ACCEPTED else rejected)(peer.transfer(0, asked))
    assert error.condition == "amqp:transaction:unknown-id"


def test_management_answers_as_the_source_of_the_link_allows(broker: Broker) -> None:
    peer = publishing(broker, ONLY_ACCEPTED, Target(address="$management"))
    assert detached(peer.transfer(0, message())).condition == "amqp:precondition-failed"


@pytest.mark.spec("amqp-1.0", "4.5.8", "rollback: the transaction was rolled back, for what its text says")
@pytest.mark.parametrize(
    ("outcomes", "settled"), [(BOTH, True), (ONLY_ACCEPTED, False)], ids=["settled", "not to be rejected"]
)
def test_a_transaction_without_a_message_that_could_not_be_rejected_fails(
    broker: Broker, outcomes: tuple[str, ...], settled: bool
) -> None:
    peer = publishing(broker, outcomes, Target())
    peer.attach(ROLE_SENDER, "coordinator", 1, target=Coordinator())
    peer.frames()
    peer.transfer(0, encode_content(MessageContent(body=decomposed(Declare()))), handle=1)
    declared = peer.heard(Disposition).state
    assert isinstance(declared, Declared)
    work = TransactionalState(declared.txn_id)
    peer.transfer(1, message("nowhere"), settled=settled, state=work)
    peer.transfer(2, message("q"), settled=settled, state=work)
    error = detached(peer)
    assert (error.condition, error.info) == ("amqp:not-found", {"delivery-tag": b"\0\0\0\1"})
    discharge = decomposed(Discharge(declared.txn_id))
    error = rejected(peer.transfer(3, encode_content(MessageContent(body=discharge)), handle=1))
    assert error.condition == "amqp:transaction:rollback"
    assert "'nowhere' (amqp:not-found)" in (error.description or "")
