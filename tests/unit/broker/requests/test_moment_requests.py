"""The requests EXTENT and AS_OF: what a history has, and what a queue held at a moment."""

from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import made
from moment_questions import RING, VALUES, ask, filled, put, put_many, received

from lastvalue.broker.broker import Broker
from lastvalue.broker.history import history_moments
from lastvalue.broker.history.records_in_force import RecordsInForce
from lastvalue.broker.long_commands import LOOKED_AT_ONCE
from lastvalue.broker.requests import moment_requests
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.values import EncodedValue
from lastvalue.history.moment import Moment
from lastvalue.history.records import read_record
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull


def bodies(answer: dict[str, Any]) -> list[object]:
    assert answer["known"]
    moment = Moment().apply_all(read_record(encoded, offset) for offset, encoded in answer["records"])
    return [decode_content(each.record.message).body for each in moment.in_order()]


def at(broker: Broker, after_ms: int) -> list[object]:
    return bodies(ask(broker, "AS_OF", time=START_MS + after_ms).body)


def test_the_extent_of_a_history_that_has_dropped_nothing() -> None:
    assert ask(filled(VALUES), "EXTENT").body == {
        "history": "h", "first_ms": START_MS, "last_ms": START_MS + 9, "records": 19, "base": 0, "whole": True
    }  # fmt: skip


def test_the_extent_of_a_history_that_has_dropped_records() -> None:
    extent = ask(filled(RING, VALUES), "EXTENT").body
    assert (extent["first_ms"], extent["last_ms"]) == (START_MS + 7, START_MS + 9)
    assert (extent["records"], extent["base"], extent["whole"]) == (6, 3, True)
    assert ask(filled(RING, VALUES), "EXTENT", "h").body == extent


def test_a_queue_without_a_history_has_no_extent() -> None:
    assert ask(filled(QueueSpec("q")), "EXTENT").body == {"history": None}
    assert ask(filled(QueueSpec("q")), "AS_OF", time=START_MS).body == {"known": False}
    assert ask(made("q"), "EXTENT", "nosuch").status == 404


def test_a_history_that_was_purged_is_not_whole_until_its_queue_begins_again() -> None:
    broker = filled(RING, VALUES)
    broker.lookup("h").queue.purge()
    extent = ask(broker, "EXTENT").body
    assert (extent["records"], extent["base"], extent["whole"]) == (0, 0, False)
    assert extent["first_ms"] == extent["last_ms"] == START_MS + 1000
    put(broker, "a", "10", START_MS + 10)
    assert not ask(broker, "AS_OF", time=START_MS + 10).body["known"]
    for number in range(20):
        put(broker, "a", str(number), START_MS + 20)
    assert not ask(broker, "EXTENT").body["whole"]


def test_what_the_queue_held_at_each_moment() -> None:
    broker = filled(VALUES)
    assert [at(broker, number) for number in (0, 1, 5, 9, 500)] == [
        ["0"], ["0", "1"], ["4", "5"], ["8", "9"], ["8", "9"]
    ]  # fmt: skip
    assert not ask(broker, "AS_OF", time=START_MS - 1).body["known"]


def test_behind_a_base_each_moment_is_known() -> None:
    broker = filled(RING, VALUES)
    assert [at(broker, number) for number in (9, 7, 8, 500)] == [
        ["8", "9"],
        ["6", "7"],
        ["7", "8"],
        ["8", "9"],
    ]
    assert not ask(broker, "AS_OF", time=START_MS + 6).body["known"]


def test_moments_are_found_from_checkpoints() -> None:
    ring = QueueSpec("h", limit=Limit(messages=25_000, when_full=WhenFull.DROP_OLDEST))
    broker = made(ring, VALUES)
    put_many(broker, range(15_000))
    moments = [14_999, 3_000, *range(3_000, 15_000, 999), 14_998]
    expected = {number: [str(number - 1), str(number)] for number in moments}
    assert {number: at(broker, number) for number in moments} == expected
    base = broker.lookup("h").queue.contents.keeper
    assert base is not None
    # Three records are in force at each of the two checkpoints, and at the moment that was asked for last.
    with_checkpoints = base.memory_bytes()
    put_many(broker, range(15_000, 28_000))
    assert with_checkpoints - base.memory_bytes() == 3 * 3 * 64
    assert at(broker, 27_999) == ["27998", "27999"]


def test_many_records_come_in_several_answers() -> None:
    broker = made(VALUES)
    for key in "abc":
        put(broker, key, key * (moment_requests.MOST_BYTES + 1), START_MS)
    answer = ask(broker, "AS_OF", time=START_MS).body
    records = answer["records"]
    answers = 1
    while answer["more"]:
        put(broker, "a", "later", START_MS)
        asked = {"until": answer["until"], "after": records[-1][0]}
        answer = ask(broker, "AS_OF", time=START_MS, **asked).body
        records += answer["records"]
        answers += 1
    assert answers == 3
    assert [str(each)[0] for each in bodies({"known": True, "records": records})] == ["a", "b", "c"]


def test_records_are_encoded_in_the_steps_that_find_them() -> None:
    broker = made(VALUES)
    for number in range(2 * LOOKED_AT_ONCE):
        put(broker, str(number), "same", START_MS)
    assert ask(broker, "AS_OF", time=START_MS).body["known"]
    answer = manage(broker, Request("AS_OF", "queue", "q", {"time": START_MS}), START_MS)
    steps = 0
    while broker.long_commands.busy:
        broker.long_commands.step(START_MS)
        steps += 1
    assert steps == 2
    assert isinstance(answer.body["records"], EncodedValue)
    assert bodies(received(answer.body)) == ["same"] * 2 * LOOKED_AT_ONCE


def test_a_moment_whose_records_are_dropped_meanwhile_is_not_known() -> None:
    broker = made(QueueSpec("h", limit=Limit(messages=3_000, when_full=WhenFull.DROP_OLDEST)), VALUES)
    put_many(broker, range(1_600))
    answer = manage(broker, Request("AS_OF", "queue", "q", {"time": START_MS + 1_599}), START_MS + 1_599)
    put_many(broker, range(1_600, 4_000))
    while broker.long_commands.busy:
        broker.long_commands.step(START_MS + 4_000)
    assert answer.body == {"known": False}


def test_no_step_is_long_however_many_records_are_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moment_requests, "_SORTED_AT_ONCE", 10)
    broker = made(VALUES)
    for number in range(35):
        put(broker, str(number), "same", START_MS)
    assert bodies(ask(broker, "AS_OF", time=START_MS).body) == ["same"] * 35
    copied = []
    monkeypatch.setattr(RecordsInForce, "take", lambda *_: copied.append(1))
    assert bodies(ask(broker, "AS_OF", time=START_MS).body) == ["same"] * 35
    assert not copied, "a checkpoint is copied, not read again"


def test_records_that_are_all_in_force_do_not_make_a_checkpoint_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_moments, "CHECKPOINT_RECORDS", 10)
    copies: list[RecordsInForce] = []
    copy = RecordsInForce.copy

    def counted(records: RecordsInForce) -> RecordsInForce:
        copies.append(copy(records))
        return copies[-1]

    monkeypatch.setattr(RecordsInForce, "copy", counted)
    broker = made(VALUES)
    for number in range(40):
        put(broker, str(number), "same", START_MS)
    ask(broker, "AS_OF", time=START_MS)
    assert len(copies) < 6


def test_who_looks_back_may_browse_the_history() -> None:
    broker = filled(VALUES)
    rules = {"alice": ["read q"], "bob": ["read q", "read h"]}
    broker.authorization.permissions = lambda user: Permissions(parse_rule(each) for each in rules[user])
    alice, bob = Owner(principal="alice"), Owner(principal="bob")
    assert ask(broker, "AS_OF", owner=alice, time=START_MS).status == 403
    assert ask(broker, "TIMELINE", "h", owner=alice, queue="q", key="a").status == 403
    assert ask(broker, "EXTENT", owner=alice).status == 403
    assert ask(broker, "AS_OF", owner=bob, time=START_MS).body["known"]
