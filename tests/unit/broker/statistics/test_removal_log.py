"""Why messages left a queue, as WHY tells it."""

from typing import Any

import pytest
from bare_queue import START_MS, encoded
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.statistics.removal_log import FEW
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, Readers, WhenFull
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

ALICE = Owner(principal="alice")


def asked(broker: Broker, name: str = "prices", owner: Owner = NOBODY, **body: Any) -> Response:
    return manage(broker, Request("WHY", "queue", name, body), START_MS + 5, owner)


def why(broker: Broker, name: str = "prices", **body: Any) -> list[dict[str, Any]]:
    broker.drain(START_MS + 5)
    removals: list[dict[str, Any]] = asked(broker, name, **body).body["removals"]
    return removals


def publish(broker: Broker, symbol: str, name: str = "prices", now: int = START_MS, **more: Any) -> None:
    message = read_message(encoded("x", {"symbol": symbol, **more}, None))
    broker.publish(broker.queue_target(name, NOBODY), message, now)


def made_prices(**options: Any) -> Broker:
    ordering = LastValue("symbol", order_by=options.pop("order_by", None))
    return made("dead", QueueSpec("prices", ordering, removal_log=options.pop("removal_log", 10), **options))


def consume(broker: Broker, outcome: Outcome, owner: Owner) -> None:
    receiver = LimitedReceiver(1)
    reader = broker.read(broker.lookup("prices"), Mode.CONSUME, receiver, ANY, owner, START_MS)
    reader.wake()
    broker.pump(START_MS)
    broker.drain(START_MS)
    reader.settle(receiver.got[0], outcome, START_MS)


def test_replaced_values_are_told_newest_first_with_the_value_that_is_there() -> None:
    broker = made_prices()
    for symbol in ("A", "B", "A", "A"):
        publish(broker, symbol)
    assert [(it["sequence"], it["reason"], it["time_ms"]) for it in why(broker, key="A")] == [
        (3, "replaced", START_MS + 5),
        (1, "replaced", START_MS + 5),
    ]
    assert asked(broker, key="A").body["current"]["sequence"] == 4
    assert asked(broker, key="A").body["current"]["updates"] == 3
    assert why(broker, key="B") == []


def test_a_stale_value_is_told_with_both_order_values() -> None:
    broker = made_prices(order_by="n")
    publish(broker, "A", n=18)
    publish(broker, "A", n=17)
    (stale,) = why(broker, sequence=2)
    assert (stale["reason"], stale["rule"]) == ("stale", "17 < 18")


def test_a_stale_value_is_told_with_what_was_there_when_it_came() -> None:
    broker = made_prices(order_by="n")
    for number in (18, 17, 19):
        publish(broker, "A", n=number)
    (stale,) = why(broker, sequence=2)
    assert (stale["newer"], stale["rule"]) == (1, "17 < 18")


def test_a_filter_is_told_that_has_changed_in_the_same_turn() -> None:
    broker = made_prices(filter="symbol <> 'C'")
    publish(broker, "C")
    manage(broker, Request("UPDATE", "queue", "prices", {"filter": "symbol <> 'D'"}), START_MS)
    (filtered,) = why(broker, sequence=1)
    assert filtered["rule"] == "symbol <> 'C'"


def test_a_consumer_that_leaves_within_the_turn_is_told() -> None:
    broker = made_prices()
    publish(broker, "A")
    receiver = LimitedReceiver(1)
    reader = broker.read(broker.lookup("prices"), Mode.CONSUME, receiver, ANY, ALICE, START_MS)
    reader.wake()
    broker.pump(START_MS)
    reader.settle(receiver.got[0], Outcome.ACCEPTED, START_MS)
    broker.stop(reader, START_MS)
    (removal,) = why(broker, key="A")
    assert (removal["reason"], removal["user"]) == ("accepted", "alice")


def test_two_commands_of_a_turn_are_told_apart() -> None:
    broker = made_prices()
    publish(broker, "A")
    broker.purge("prices", ALICE)
    publish(broker, "A")
    broker.purge("prices", Owner(container="probe"))
    assert [(it["reason"], it["user"]) for it in why(broker, key="A")] == [
        ("purged", "probe"),
        ("purged", "alice"),
    ]


def test_a_message_that_is_put_in_again_is_told_with_its_priority() -> None:
    broker = made(QueueSpec("prices", removal_log=10))
    publish(broker, "A")
    body = {"newPriority": 7}
    asked_for = Request("reenqueueMessagesForPriorityChange", "queue", "prices", body)
    manage(broker, asked_for, START_MS, ALICE)
    (removal,) = why(broker, sequence=1)
    assert (removal["reason"], removal["user"], removal["rule"]) == ("moved", "alice", "priority 7")


def test_the_container_that_sent_the_newer_value_is_told() -> None:
    broker = made_prices()
    publish(broker, "A")
    message = read_message(encoded("x", {"symbol": "A"}, None))
    message.origin = "feeder"
    broker.publish(broker.queue_target("prices", NOBODY), message, START_MS)
    (removal,) = why(broker, key="A")
    assert (removal["newer"], removal["user"]) == (2, "feeder")


def test_a_duplicate_names_the_message_of_its_id() -> None:
    broker = made_prices(duplicate_window=10)
    for _ in range(2):
        message = read_message(encoded("x", {"symbol": "A", "_AMQ_DUPL_ID": "d"}, None))
        broker.publish(broker.queue_target("prices", NOBODY), message, START_MS)
    (removal,) = why(broker, sequence=2)
    assert (removal["reason"], removal["newer"]) == ("duplicate", 1)


def test_the_filter_the_alternate_and_the_message_id_are_told() -> None:
    limit = Limit(1, when_full=WhenFull.DROP_OLDEST)
    broker = made_prices(filter="symbol <> 'C'", alternate="dead", limit=limit)
    publish(broker, "C")
    (filtered,) = why(broker, sequence=1)
    assert (filtered["reason"], filtered["rule"]) == ("filtered", "symbol <> 'C'")
    message = encoded("x", {"symbol": "A"}, None, message_id="m-2")
    broker.publish(broker.queue_target("prices", NOBODY), read_message(message), START_MS)
    publish(broker, "B")
    (dropped,) = why(broker, message_id="m-2")
    assert (dropped["sequence"], dropped["reason"], dropped["destination"]) == (2, "overflow", "dead")


@pytest.mark.parametrize(
    ("outcome", "reason"), [(Outcome.ACCEPTED, "accepted"), (Outcome.REJECTED, "rejected")]
)
def test_who_consumed_a_message_is_told_and_where_it_went(outcome: Outcome, reason: str) -> None:
    broker = made_prices(alternate="dead")
    publish(broker, "A")
    consume(broker, outcome, ALICE)
    (removal,) = why(broker, key="A")
    assert (removal["reason"], removal["user"]) == (reason, "alice")
    assert removal["destination"] == ("dead" if reason == "rejected" else "")


def test_a_dead_letter_names_the_consumer_of_its_last_delivery() -> None:
    broker = made_prices(alternate="dead", readers=Readers(attempts=1))
    publish(broker, "A")
    consume(broker, Outcome.MODIFIED_FAILED, ALICE)
    (removal,) = why(broker, key="A")
    assert (removal["reason"], removal["user"], removal["destination"]) == ("dead_lettered", "alice", "dead")


def test_a_value_that_a_consumer_holds_is_told_with_the_consumer() -> None:
    broker = made_prices()
    publish(broker, "A")
    reader = broker.read(broker.lookup("prices"), Mode.CONSUME, LimitedReceiver(1), ANY, ALICE, START_MS)
    reader.wake()
    broker.pump(START_MS)
    current = asked(broker, key="A").body["current"]
    assert (current["held"], current["user"]) == (True, "alice")


def test_who_purged_a_queue_is_told_and_a_later_removal_of_another_kind_is_nobodys() -> None:
    broker = made_prices()
    publish(broker, "A")
    broker.drain(START_MS)
    broker.purge("prices", ALICE)
    assert [(it["reason"], it["user"]) for it in why(broker, key="A")] == [("purged", "alice")]
    publish(broker, "A")
    publish(broker, "A")
    newest = why(broker, key="A")[0]
    assert (newest["reason"], newest["user"]) == ("replaced", "")


@pytest.mark.parametrize(
    ("operation", "body"), [("DELETE_KEY", {"key": "A"}), ("PUT_MANY", {"delete": ["A"]})]
)
def test_who_deleted_a_key_by_a_request_is_told(operation: str, body: dict[str, Any]) -> None:
    broker = made_prices()
    publish(broker, "A")
    manage(broker, Request(operation, "queue", "prices", body), START_MS, ALICE)
    assert [(it["reason"], it["user"]) for it in why(broker, key="A")] == [("key_deleted", "alice")]


def test_a_key_that_a_message_deletes_while_a_consumer_holds_its_value_is_not_the_consumers_doing() -> None:
    options = {"lvq_key": "symbol", "removal_log": 10, "delete_on_empty": True}
    broker = made(spec_from_arguments("prices", options))
    publish(broker, "A")
    reader = broker.read(broker.lookup("prices"), Mode.CONSUME, LimitedReceiver(1), ANY, ALICE, START_MS)
    reader.wake()
    broker.pump(START_MS)
    broker.drain(START_MS)
    empty = read_message(encoded("", {"symbol": "A"}, None))
    broker.publish(broker.queue_target("prices", NOBODY), empty, START_MS)
    assert {(it["reason"], it["user"]) for it in why(broker, key="A")} == {("key_deleted", "")}


def test_only_as_many_are_remembered_as_the_option_says_and_none_when_it_is_taken_back() -> None:
    broker = made_prices(removal_log=2)
    for _ in range(5):
        publish(broker, "A")
    assert [it["sequence"] for it in why(broker, key="A")] == [4, 3]
    manage(broker, Request("UPDATE", "queue", "prices", {"removal_log": 0}), START_MS)
    assert not any("message_id" in it for it in why(broker, key="A"))
    assert asked(broker, key="A").body["remembers"] == 0
    assert broker.removal_logs.removals(broker.lookup("prices")) == []
    assert broker.lookup("prices").queue.removed(Reason.REPLACED) == 4


def test_a_queue_without_a_log_tells_the_newest_fates_of_a_key() -> None:
    broker = made_prices(order_by="n", removal_log=0)
    for number in (1, 2, 3, 0):
        publish(broker, "A", now=START_MS + number, n=number)
    told = why(broker, key="A")
    assert [(it["sequence"], it["reason"], it["newer"]) for it in told] == [
        (4, "stale", 3),
        (2, "replaced", 3),
        (1, "replaced", 2),
    ]
    assert [(it["arrival_ms"], it["time_ms"]) for it in told[1:]] == [
        (START_MS + 2, START_MS + 3),
        (START_MS + 1, START_MS + 2),
    ]
    assert why(broker, sequence=1) == told[2:]


def test_a_queue_without_a_log_tells_what_was_deleted_and_what_that_replaced() -> None:
    broker = made_prices(removal_log=0)
    publish(broker, "A")
    publish(broker, "A")
    manage(broker, Request("DELETE_KEY", "queue", "prices", {"key": "A"}), START_MS, ALICE)
    assert [(it["sequence"], it["reason"], it.get("user")) for it in why(broker, key="A")] == [
        (2, "key_deleted", "alice"),
        (1, "replaced", None),
    ]


def test_a_queue_without_a_log_remembers_few_of_a_turn_and_few_in_all() -> None:
    broker = made_prices(filter="symbol <> 'C'", removal_log=0)
    for _ in range(10):
        for _ in range(25):
            publish(broker, "C")
        broker.drain(START_MS)
    remembered = broker.removal_logs.removals(broker.lookup("prices"))
    assert (len(remembered), remembered[0].sequence) == (FEW, 250)


def test_a_new_queue_of_the_same_name_remembers_nothing_of_the_old_one() -> None:
    broker = made_prices()
    publish(broker, "A")
    publish(broker, "A")
    broker.drain(START_MS)
    broker.delete("prices", START_MS)
    broker.declare(QueueSpec("prices", LastValue("symbol"), removal_log=10))
    assert broker.removal_logs.removals(broker.lookup("prices")) == []
    assert why(broker, key="A") == []
