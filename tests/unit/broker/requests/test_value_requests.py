"""Requests to the management node that read and write the values of keys."""

from typing import Any

import pytest
from bare_queue import START_MS, body_of, encoded
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.broker.requests.value_requests import MOST_BYTES, MOST_KEYS
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.model.conditions import Condition
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode


@pytest.fixture
def broker() -> Broker:
    return made(
        QueueSpec("prices", LastValue("symbol")),
        QueueSpec("ordered", LastValue("symbol", order_by="n")),
        QueueSpec("small", LastValue("symbol"), limit=Limit(1, when_full=WhenFull.REFUSE)),
        "plain",
    )


def asked(broker: Broker, operation: str, name: str, **body: Any) -> Response:
    return manage(broker, Request(operation, "queue", name, body), START_MS)


def put(broker: Broker, name: str, body: str, symbol: object, **more: Any) -> Response:
    message = encoded(body, {"symbol": symbol, **more.pop("properties", {})}, None)
    return asked(broker, "PUT", name, message=message, **more)


def bodies(answer: Response) -> list[str | None]:
    return [value and body_of(value["message"]) for value in answer.body["values"]]


def test_get_answers_the_value_of_each_key_and_null_for_a_key_without_one(broker: Broker) -> None:
    put(broker, "prices", "1", "A")
    put(broker, "prices", "2", "B")
    put(broker, "prices", "3", "A")
    answer = asked(broker, "GET", "prices", keys=["B", "C", "A"])
    assert bodies(answer) == ["2", None, "3"]
    newest = answer.body["values"][2]
    assert (newest["sequence"], newest["updates"], newest["arrival_time_ms"], newest["expires_ms"]) == (
        3,
        2,
        START_MS,
        None,
    )


def test_a_number_is_another_key_than_the_text_that_spells_it(broker: Broker) -> None:
    put(broker, "prices", "number", 5)
    assert bodies(asked(broker, "GET", "prices", keys=[5, "5"])) == ["number", None]


def test_where_keys_are_compared_as_texts_get_compares_them_so() -> None:
    broker = made(QueueSpec("texts", LastValue("symbol", keys_as_text=True)))
    put(broker, "texts", "number", 5)
    assert bodies(asked(broker, "GET", "texts", keys=[5, "5"])) == ["number", "number"]


def test_a_value_that_a_consumer_holds_is_not_shown(broker: Broker) -> None:
    put(broker, "prices", "1", "A")
    receiver = LimitedReceiver(1)
    reader = broker.read(broker.lookup("prices"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.pump(START_MS)
    assert bodies(asked(broker, "GET", "prices", keys=["A"])) == [None]


def test_the_answer_stays_short_and_has_at_least_one_value(broker: Broker) -> None:
    for symbol in "ABC":
        put(broker, "prices", "x" * MOST_BYTES, symbol)
    assert len(asked(broker, "GET", "prices", keys=["A", "B", "C"]).body["values"]) == 1


def test_put_with_the_sequence_that_the_value_has_replaces_it(broker: Broker) -> None:
    assert put(broker, "prices", "1", "A", if_sequence=0).body == {"sequence": 1, "taken": True}
    assert put(broker, "prices", "2", "A", if_sequence=1).body == {"sequence": 2, "taken": True}


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_put_with_another_sequence_is_refused_and_changes_nothing(broker: Broker, expected: int) -> None:
    put(broker, "prices", "1", "A")
    put(broker, "prices", "2", "A")
    answer = put(broker, "prices", "3", "A", if_sequence=expected)
    assert (answer.status, answer.condition) == (412, Condition.PRECONDITION_FAILED.amqp10)
    assert bodies(asked(broker, "GET", "prices", keys=["A"])) == ["2"]


def test_put_says_that_an_older_update_was_not_taken(broker: Broker) -> None:
    put(broker, "ordered", "new", "A", properties={"n": 5})
    answer = put(broker, "ordered", "old", "A", properties={"n": 4})
    assert (answer.status, answer.body) == (200, {"sequence": 1, "taken": False})


def test_put_goes_where_what_is_published_goes() -> None:
    broker = made(QueueSpec("b", LastValue("symbol")), QueueSpec("a", LastValue("symbol"), redirect="b"))
    assert put(broker, "a", "1", "A", if_sequence=0).body == {"sequence": 1, "taken": True}
    assert bodies(asked(broker, "GET", "b", keys=["A"])) == ["1"]
    assert put(broker, "a", "2", "A", if_sequence=0).status == 412


def test_put_into_a_full_queue_is_refused_but_a_new_value_of_a_key_is_taken(broker: Broker) -> None:
    put(broker, "small", "1", "A")
    assert put(broker, "small", "2", "A").status == 200
    assert put(broker, "small", "3", "B").status == Condition.RESOURCE_LIMIT_EXCEEDED.http


def test_put_is_refused_while_producers_have_to_wait(broker: Broker) -> None:
    broker.alarms.set_memory(True)
    assert put(broker, "prices", "1", "A").status == Condition.RESOURCE_LIMIT_EXCEEDED.http
    assert broker.lookup("prices").queue.depth == 0


@pytest.mark.parametrize(
    ("rules", "get", "put_any", "put_if"),
    [
        ([], 403, 403, 403),
        (["browse"], 200, 403, 403),
        (["write"], 403, 200, 403),
        (["browse,write"], 200, 200, 200),
    ],
)
def test_get_needs_browse_and_put_needs_write_and_with_a_condition_both(
    broker: Broker, rules: list[str], get: int, put_any: int, put_if: int
) -> None:
    permissions = Permissions([parse_rule(f"{actions} prices") for actions in rules])
    broker.authorization.permissions = lambda _: permissions
    message = encoded("1", {"symbol": "A"}, None)

    def status(operation: str, **body: object) -> int:
        return manage(
            broker, Request(operation, "queue", "prices", body), START_MS, Owner(principal="ann")
        ).status

    assert status("GET", keys=["A"]) == get
    assert status("PUT", message=message) == put_any
    assert status("PUT", message=message, if_sequence=1) == put_if


@pytest.mark.parametrize(
    ("operation", "name", "body", "status"),
    [
        ("GET", "prices", {}, 422),
        ("GET", "prices", {"keys": []}, 422),
        ("GET", "prices", {"keys": ["A"] * (MOST_KEYS + 1)}, 422),
        ("GET", "prices", {"keys": [None]}, 422),
        ("GET", "plain", {"keys": ["A"]}, 422),
        ("GET", "missing", {"keys": ["A"]}, 404),
        ("PUT", "prices", {}, 422),
        ("PUT", "prices", {"message": b"\x00"}, 422),
        ("PUT", "prices", {"message": encoded("1", {}, None)}, 422),
        ("PUT", "prices", {"message": encoded("1", {"symbol": "A"}, None), "if_sequence": "1"}, 422),
        ("PUT", "plain", {"message": encoded("1", {"symbol": "A"}, None)}, 422),
        ("PUT", "missing", {"message": encoded("1", {"symbol": "A"}, None)}, 404),
    ],
)
def test_what_cannot_be_done_is_refused(
    broker: Broker, operation: str, name: str, body: dict[str, Any], status: int
) -> None:
    assert asked(broker, operation, name, **body).status == status
    assert broker.lookup("prices").queue.published == 0


def test_delete_removes_the_value_of_a_key_and_says_so(broker: Broker) -> None:
    put(broker, "prices", "1", "A")
    put(broker, "prices", "2", "B")
    assert asked(broker, "DELETE_KEY", "prices", key="A").body == {"deleted": True, "sequence": 1}
    assert asked(broker, "DELETE_KEY", "prices", key="A").body == {"deleted": False, "sequence": 0}
    assert bodies(asked(broker, "GET", "prices", keys=["A", "B"])) == [None, "2"]
    assert broker.lookup("prices").queue.removed(Reason.KEY_DELETED) == 1


def test_delete_with_another_sequence_is_refused_and_changes_nothing(broker: Broker) -> None:
    put(broker, "prices", "1", "A")
    answer = asked(broker, "DELETE_KEY", "prices", key="A", if_sequence=2)
    assert (answer.status, answer.condition) == (412, Condition.PRECONDITION_FAILED.amqp10)
    assert asked(broker, "DELETE_KEY", "prices", key="A", if_sequence=1).body["deleted"]


def test_delete_removes_a_value_that_a_consumer_holds(broker: Broker) -> None:
    put(broker, "prices", "1", "A")
    receiver = LimitedReceiver(1)
    receiver.reader = broker.read(broker.lookup("prices"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    receiver.reader.wake()
    broker.pump(START_MS)
    assert asked(broker, "DELETE_KEY", "prices", key="A").body["deleted"]
    assert broker.lookup("prices").queue.depth == 0


@pytest.mark.parametrize(
    ("name", "key", "status"), [("plain", "A", 422), ("prices", None, 422), ("no", "A", 404)]
)
def test_delete_of_what_has_no_keys_is_refused(broker: Broker, name: str, key: object, status: int) -> None:
    assert asked(broker, "DELETE_KEY", name, key=key).status == status


@pytest.mark.parametrize(
    ("rules", "body", "status"),
    [
        (["write"], {"key": "A"}, 200),
        (["write"], {"key": "A", "if_sequence": 1}, 403),
        (["write", "browse"], {"key": "A", "if_sequence": 1}, 200),
        (["browse"], {"key": "A"}, 403),
    ],
)
def test_delete_needs_the_right_to_write_and_with_a_sequence_to_browse(
    broker: Broker, rules: list[str], body: dict[str, Any], status: int
) -> None:
    put(broker, "prices", "1", "A")
    permissions = Permissions([parse_rule(f"{action} prices") for action in rules])
    broker.authorization.permissions = lambda _: permissions
    request = Request("DELETE_KEY", "queue", "prices", body)
    assert manage(broker, request, START_MS, Owner(principal="ann")).status == status


def changing(*values: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"messages": [encoded(body, {"symbol": symbol}, None) for symbol, body in values], **more}


def test_several_keys_change_together(broker: Broker) -> None:
    put(broker, "prices", "1", "A")
    put(broker, "prices", "2", "B")
    body = changing(("A", "3"), ("C", "4"), delete=["B", "D"], if_sequences=[["A", 1], ["B", 2], ["C", 0]])
    answer = asked(broker, "PUT_MANY", "prices", **body)
    assert answer.body == {
        "results": [{"sequence": 3, "taken": True}, {"sequence": 4, "taken": True}],
        "deleted": [2, 0],
    }
    assert bodies(asked(broker, "GET", "prices", keys=["A", "B", "C"])) == ["3", None, "4"]


@pytest.mark.parametrize(
    ("queue", "body", "status"),
    [
        # One condition that does not hold, also of a key that is not changed.
        ("prices", changing(("B", "2"), if_sequences=[["A", 1], ["C", 7]]), 412),
        ("prices", changing(("B", "2"), delete=["A"], if_sequences=[["B", 1]]), 412),
        # One message too many, too old an id, or malformed.
        ("small", changing(("A", "1"), ("B", "2")), 429),
        ("prices", changing(("B", "2"), ("B", "3")), 422),
        ("prices", changing(("A", "2"), delete=["A"]), 422),
        ("prices", {"messages": [encoded("1", {"symbol": "B"}, None), b"\x00"]}, 422),
        ("prices", {"messages": [encoded("1", {"symbol": "B"}, None), encoded("1", {}, None)]}, 422),
        ("prices", {}, 422),
        ("prices", {"messages": "no list"}, 422),
        ("prices", {"delete": ["A"] * (MOST_KEYS + 1)}, 422),
        ("prices", changing(("B", "2"), if_sequence=1), 422),
        ("prices", changing(("B", "2"), if_sequences=[["A"]]), 422),
        ("prices", changing(("B", "2"), if_sequences=[["A", None]]), 422),
        ("plain", changing(("B", "2")), 422),
        ("missing", changing(("B", "2")), 404),
    ],
)
def test_where_one_change_cannot_be_made_none_is(
    broker: Broker, queue: str, body: dict[str, Any], status: int
) -> None:
    put(broker, "prices", "1", "A")
    assert asked(broker, "PUT_MANY", queue, **body).status == status
    assert bodies(asked(broker, "GET", "prices", keys=["A", "B"])) == ["1", None]
    assert broker.lookup("small").queue.depth == 0


def test_a_repeated_id_changes_nothing(broker: Broker) -> None:
    message = encoded("1", {"symbol": "A", "_AMQ_DUPL_ID": "x"}, None)
    broker.declare(QueueSpec("once", LastValue("symbol"), duplicate_window=10))
    assert asked(broker, "PUT_MANY", "once", messages=[message]).status == 200
    again = [encoded("2", {"symbol": "B"}, None), message]
    assert asked(broker, "PUT_MANY", "once", messages=again).condition == "amqp:transaction:rollback"
    assert broker.lookup("once").queue.depth == 1


@pytest.mark.parametrize(
    ("rules", "more", "status"),
    [
        (["write"], {}, 200),
        (["write"], {"if_sequences": [["A", 0]]}, 403),
        (["write", "browse"], {"if_sequences": [["A", 0]]}, 200),
        (["browse"], {}, 403),
    ],
)
def test_changes_need_the_right_to_write_and_with_a_condition_to_browse(
    broker: Broker, rules: list[str], more: dict[str, Any], status: int
) -> None:
    permissions = Permissions([parse_rule(f"{action} prices") for action in rules])
    broker.authorization.permissions = lambda _: permissions
    request = Request("PUT_MANY", "queue", "prices", changing(("A", "1"), **more))
    assert manage(broker, request, START_MS, Owner(principal="ann")).status == status
