"""What a history queue is told."""

from dataclasses import replace

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.histories import DEFAULT_MESSAGES, HistoryError
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.alternates import NodeInUseError
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.history.records import Record, read_record
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Added, Effect
from lastvalue.queues.spec import (
    Expiry,
    Grouping,
    LastValue,
    Limit,
    Priority,
    QueueSpec,
    WhenFull,
)
from lastvalue.queues.subscription import ANY, Mode, Outcome

WATCHED = QueueSpec("q", history="h")


def told(broker: Broker, name: str = "h") -> list[Record]:
    """What the history holds, at the end of a turn."""
    broker.pump(START_MS)
    broker.drain(START_MS)
    return [
        read_record(entry.message.encoded, int(entry.sequence))
        for entry in broker.lookup(name).queue.entries()
    ]


def effects(broker: Broker, name: str = "h") -> list[str]:
    return [record.effect for record in told(broker, name)]


def consume(broker: Broker, name: str, count: int = 100) -> LimitedReceiver:
    receiver = LimitedReceiver(count)
    receiver.reader = broker.read(broker.lookup(name), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    receiver.reader.wake()
    broker.pump(START_MS)
    return receiver


def keyed(key: str, body: str) -> bytes:
    return encode_content(MessageContent(body=body, application_properties={"k": key}))


def put(broker: Broker, name: str, payload: bytes, now: int = START_MS) -> None:
    assert broker.publish(broker.queue_target(name), read_message(payload), now)


# ---------------------------------------------------------------------- which queue it is


def test_a_history_that_is_nowhere_is_made_and_drops_its_oldest_messages() -> None:
    broker = made(replace(WATCHED, durable=True))
    spec = broker.lookup("h").queue.spec
    assert spec.durable
    assert (spec.limit.messages, spec.limit.when_full) == (DEFAULT_MESSAGES, WhenFull.DROP_OLDEST)
    assert spec.expiry.never


def test_a_policy_says_what_a_missing_history_is() -> None:
    broker = Broker()
    broker.missing.policies.append(NodePolicy("h*", "queue", {"max_messages": 5, "when_full": "drop-oldest"}))
    broker.declare(WATCHED)
    assert broker.lookup("h").queue.spec.limit.messages == 5


@pytest.mark.parametrize(
    "history",
    [
        QueueSpec("h", ordering=LastValue("k")),
        QueueSpec("h", ordering=Priority()),
        QueueSpec("h", grouping=Grouping()),
        QueueSpec("h", filter="a = 1"),
        QueueSpec("h", limit=Limit(messages=5)),
        QueueSpec("h", limit=Limit(messages=5, when_full=WhenFull.SELF_DESTRUCT)),
        QueueSpec("h", history="hh"),
    ],
)
def test_a_queue_that_would_not_keep_everything_in_its_order_is_no_history(history: QueueSpec) -> None:
    broker = made(history)
    with pytest.raises(HistoryError, match="cannot be the history of 'q'"):
        broker.declare(WATCHED)
    assert not broker.has_queue("q")


def test_a_durable_queue_has_a_durable_history() -> None:
    with pytest.raises(HistoryError, match="durable"):
        made("h", replace(WATCHED, durable=True))


def test_a_history_has_no_history_and_stays_one() -> None:
    broker = made(WATCHED)
    for spoilt in (QueueSpec("h", history="hh"), QueueSpec("h", limit=Limit(messages=1))):
        with pytest.raises(HistoryError, match="cannot be the history of 'q'"):
            broker.reconfigure(spoilt, START_MS)
    broker.reconfigure(QueueSpec("h", description="kept"), START_MS)
    with pytest.raises(NodeInUseError):
        broker.delete("h", START_MS, NOBODY)


@pytest.mark.parametrize("spec", [{"history": "q"}, {"history": ""}, {"history_deliveries": True}])
def test_a_declaration_that_makes_no_sense_is_refused(spec: dict[str, object]) -> None:
    with pytest.raises(InvalidSpecError, match="history"):
        QueueSpec("q", **spec)  # type: ignore[arg-type]  # the names are those of its fields


# ---------------------------------------------------------------------- what it is told


def test_a_history_begins_with_the_declaration_and_tells_messages_as_they_came() -> None:
    broker = made(replace(WATCHED, ordering=LastValue("k")))
    put(broker, "q", keyed("a", "1"), START_MS - 3)
    put(broker, "q", keyed("a", "2"))
    declared, first, second, replaced = told(broker)
    assert (declared.effect, declared.declaration) == (
        "declared",
        {"type": "lvq", "lvq_key": "k", "history": "h"},
    )
    assert (first.effect, first.sequence, first.key, first.updates) == ("added", 1, "a", 1)
    assert (first.queue, first.time_ms, first.arrival_ms) == ("q", START_MS, START_MS - 3)
    assert (second.effect, second.sequence, second.updates) == ("added", 2, 2)
    assert decode_content(second.message) == decode_content(keyed("a", "2"))
    assert (replaced.effect, replaced.reason, replaced.sequence, replaced.key) == (
        "removed",
        "replaced",
        1,
        "a",
    )
    assert replaced.message == b""


def test_effect_and_history_are_drained_together() -> None:
    broker = made(WATCHED)
    enqueue(broker, "q", "1")
    broker.pump(START_MS)
    drained = broker.drain(START_MS)
    assert [name for name, _ in drained] == ["q", "h"]
    assert len(drained[1][1]) == 2
    assert not broker.lookup("h").queue.drain()


def test_a_queue_without_a_history_is_drained_as_ever() -> None:
    broker = made("q")
    enqueue(broker, "q", "1")
    broker.pump(START_MS)
    assert [(name, [type(effect) for effect in some]) for name, some in broker.drain(START_MS)] == [
        ("q", [Added])
    ]


def test_deliveries_are_told_where_that_was_asked_for() -> None:
    broker = made(WATCHED, QueueSpec("p", history="hp", history_deliveries=True))
    for name in ("q", "p"):
        enqueue(broker, name, "1")
        receiver = consume(broker, name, 1)
        receiver.reader.settle(receiver.got[0], Outcome.MODIFIED_FAILED, START_MS)
        receiver = consume(broker, name)
        receiver.reader.settle(receiver.got[0], Outcome.ACCEPTED, START_MS)
    assert effects(broker) == ["declared", "added", "removed"]
    _, _, acquired, released, _, removed = told(broker, "hp")
    assert (acquired.effect, acquired.holder, acquired.sequence) == ("acquired", 1, 1)
    assert (released.effect, released.delivery_count) == ("released", 1)
    assert (removed.effect, removed.reason) == ("removed", "accepted")


def test_a_purge_and_a_deletion_are_told_to_the_end() -> None:
    broker = made(WATCHED)
    enqueue(broker, "q", "1", "2")
    broker.purge("q")
    enqueue(broker, "q", "3")
    consume(broker, "q")
    broker.delete("q", START_MS)
    assert effects(broker) == ["declared", *["added"] * 2, *["removed"] * 2, "added", "removed", "deleted"]
    assert [record.reason for record in told(broker) if record.effect == "removed"] == [
        "purged",
        "purged",
        "deleted",
    ]
    broker.delete("h", START_MS, NOBODY)


def test_a_queue_that_is_declared_anew_begins_anew() -> None:
    broker = made(WATCHED)
    enqueue(broker, "q", "1")
    broker.delete("q", START_MS)
    broker.declare(WATCHED)
    assert effects(broker) == ["declared", "added", "removed", "deleted", "declared"]


def test_what_is_refused_stale_or_not_selected_is_told_without_its_content() -> None:
    full = replace(WATCHED, ordering=LastValue("k", "o"), limit=Limit(messages=1))
    broker = made(full)
    for order in (2, 1):
        put(
            broker,
            "q",
            encode_content(MessageContent(body="x", application_properties={"k": "a", "o": order})),
        )
    assert not broker.publish(broker.queue_target("q"), read_message(keyed("b", "x")), START_MS)
    records = told(broker)
    assert [(record.effect, record.reason) for record in records[2:]] == [
        ("dismissed", "stale"),
        ("refused", None),
    ]
    assert (records[2].sequence, records[2].key, records[3].sequence) == (2, "a", None)


def test_a_message_that_waits_or_expires_on_its_queue_does_neither_on_the_history() -> None:
    broker = made(WATCHED)
    payload = encode_content(
        MessageContent(body="x", ttl_ms=500, message_annotations={"x-opt-delivery-delay": 100})
    )
    put(broker, "q", payload)
    _, scheduled = told(broker)
    assert (scheduled.effect, scheduled.not_before_ms, scheduled.expires_ms) == (
        "scheduled",
        START_MS + 100,
        START_MS + 500,
    )
    history = broker.lookup("h").queue
    assert (history.available, history.next_deadline()) == (2, NEVER)
    assert decode_content(scheduled.message) == decode_content(payload)
    broker.advance(START_MS + 100)
    broker.advance(START_MS + 500)
    assert effects(broker)[2:] == ["due", "removed"]


def test_another_time_to_live_tells_the_new_deadlines() -> None:
    broker = made(replace(WATCHED, expiry=Expiry(maximum_ttl_ms=1000)))
    enqueue(broker, "q", "1")
    broker.pump(START_MS)
    broker.drain(START_MS)
    broker.reconfigure(replace(WATCHED, expiry=Expiry(maximum_ttl_ms=50)), START_MS)
    reconfigured, rescheduled = told(broker)[2:]
    assert (reconfigured.effect, reconfigured.declaration) == (
        "reconfigured",
        {"type": "standard", "maximum_ttl_ms": 50, "history": "h"},
    )
    assert (rescheduled.effect, rescheduled.sequence, rescheduled.expires_ms) == (
        "rescheduled",
        1,
        START_MS + 50,
    )


def test_a_history_may_begin_end_and_change_while_the_queue_lives() -> None:
    broker = made("q")
    enqueue(broker, "q", "1")
    broker.reconfigure(WATCHED, START_MS)
    enqueue(broker, "q", "2")
    assert effects(broker) == ["declared", "present", "added"]
    broker.reconfigure(replace(WATCHED, history="g"), START_MS)
    enqueue(broker, "q", "3")
    assert effects(broker)[3:] == ["reconfigured", "ended"]
    assert effects(broker, "g") == ["declared", "present", "present", "added"]
    broker.reconfigure(QueueSpec("q"), START_MS)
    enqueue(broker, "q", "4")
    assert effects(broker, "g")[4:] == ["reconfigured", "ended"]
    broker.delete("g", START_MS, NOBODY)


def test_a_queue_that_came_out_of_a_store_goes_on() -> None:
    broker = made(WATCHED)
    broker.lookup("q").mark_restored()
    assert effects(broker) == ["restarted"]


def test_times_never_go_back() -> None:
    broker = made(WATCHED)
    broker.pump(START_MS + 10)
    broker.drain(START_MS + 10)
    enqueue(broker, "q", "1")
    assert [record.time_ms for record in told(broker)] == [START_MS + 10] * 2


def test_what_is_larger_than_the_history_is_told_without_its_content() -> None:
    small = QueueSpec("h", limit=Limit(size_bytes=400, when_full=WhenFull.DROP_OLDEST))
    broker = made(small, WATCHED)
    put(broker, "q", encode_content(MessageContent(body="x" * 500)))
    added = told(broker)[-1]
    assert (added.effect, added.sequence, added.message) == ("added", 1, b"")


def test_a_reader_of_the_history_is_served_in_the_next_turn() -> None:
    broker = made(WATCHED)
    receiver = consume(broker, "h")
    enqueue(broker, "q", "1")
    broker.pump(START_MS)
    broker.drain(START_MS)
    assert broker.busy
    broker.pump(START_MS)
    assert [read_record(entry.message.encoded, 1).effect for entry in receiver.got] == ["declared", "added"]


def test_a_history_with_an_alternate_passes_on_what_it_drops() -> None:
    ring = QueueSpec("h", limit=Limit(messages=1, when_full=WhenFull.DROP_OLDEST), alternate="late")
    broker = made("late", ring, WATCHED)
    enqueue(broker, "q", "1")
    broker.pump(START_MS)
    broker.drain(START_MS)
    assert broker.busy
    broker.pump(START_MS)
    assert [entry.sequence for entry in broker.lookup("late").queue.entries()] == [1]


def test_messages_of_a_durable_queue_have_a_durable_history_whatever_they_are() -> None:
    broker = made(replace(WATCHED, durable=True))
    enqueue(broker, "q", "1")
    broker.pump(START_MS)
    found: list[Effect] = [effect for name, some in broker.drain(START_MS) if name == "h" for effect in some]
    assert all(isinstance(effect, Added) and effect.entry.message.durable for effect in found)
    assert not told(broker)[1].durable


def test_subjects_and_other_fields_are_as_they_came() -> None:
    broker = made(WATCHED)
    assert broker.publish(broker.queue_target("q"), message("1", subject="about"), START_MS)
    assert decode_content(told(broker)[1].message).subject == "about"


def test_what_happens_in_the_turn_in_which_a_history_begins_or_ends_is_in_the_journal() -> None:
    broker = made(QueueSpec("q"))
    broker.drain(START_MS)
    enqueue(broker, "q", "before")
    broker.reconfigure(WATCHED, START_MS)
    enqueue(broker, "q", "after")
    effects = [each for queue, some in broker.drain(START_MS) if queue == "q" for each in some]
    assert [each.entry.sequence for each in effects if isinstance(each, Added)] == [1, 2]
    enqueue(broker, "q", "then")
    broker.reconfigure(QueueSpec("q"), START_MS)
    effects = [each for queue, some in broker.drain(START_MS) if queue == "q" for each in some]
    assert [each.entry.sequence for each in effects if isinstance(each, Added)] == [3]


def test_a_history_begins_anew_with_what_its_queue_holds() -> None:
    broker = made(QueueSpec("h"), WATCHED)
    enqueue(broker, "q", "a")
    told(broker)
    enqueue(broker, "q", "b")
    broker.record_anew("q", START_MS)
    effects = [each for queue, some in broker.drain(START_MS) if queue == "q" for each in some]
    assert [each.entry.sequence for each in effects if isinstance(each, Added)] == [2]
    assert [(each.effect, each.sequence) for each in told(broker)] == [
        *(("declared", None), ("added", 1)),
        *(("declared", None), ("present", 1), ("present", 2)),
    ]
