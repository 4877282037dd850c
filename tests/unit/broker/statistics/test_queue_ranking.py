"""Lists of queues in the order of a statistic, and sums of statistics."""

import pytest
from bare_queue import START_MS
from broker_desk import made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.broker.statistics.queue_ranking import LOOKED_AT, RANKS
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value
from lastvalue.queues.spec import QueueSpec

NAMES = [f"q{number:03}" for number in range(15 * LOOKED_AT)]


def asked(broker: Broker, **body: object) -> list[dict[str, object]]:
    response = manage(broker, Request("QUERY", "queue", body=body), START_MS)
    assert response.status == 200, response.description
    while broker.long_commands.busy:
        broker.pump(START_MS)
    encoded = encode_value(response.body)
    answer, _ = decode_value(encoded, 0, len(encoded))
    assert isinstance(answer, list)
    return answer


def names(broker: Broker, **body: object) -> list[object]:
    return [each["name"] for each in asked(broker, **body)]


@pytest.fixture
def broker() -> Broker:
    """With many queues."""
    return made(*NAMES)


def test_a_list_is_ordered_by_a_statistic_and_the_name(broker: Broker) -> None:
    for name, kind in (("xa", "standard"), ("xb", "priority"), ("xc", "standard")):
        manage(broker, Request("CREATE", "queue", name, {"type": kind}), START_MS)
    assert names(broker, sort="-type", count=2, contains="x") == ["xc", "xa"]
    assert names(broker, sort="name", offset=1, contains="x") == ["xb", "xc"]
    assert names(broker, sort="-name", count=2) == ["xc", "xb"]
    assert names(broker, sort="depth", offset=2, count=2) == ["q002", "q003"]


@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_is_of_every_queue(rank: str) -> None:
    assert len(names(made("a", "b"), sort=f"-{rank}")) == 2


def test_a_long_list_looks_at_a_part_of_the_queues_in_a_turn(broker: Broker) -> None:
    response = manage(broker, Request("QUERY", "queue", body={"sort": "-depth", "count": 1}), START_MS)
    assert broker.long_commands.busy
    assert response.body == []


def test_sums_are_over_the_queues_that_the_caller_may_see(broker: Broker) -> None:
    permissions = Permissions([parse_rule("browse q00*")])
    broker.authorization.permissions = lambda _: permissions
    assert asked(broker, sums=["depth", "published"]) == [{"queues": 10, "depth": 0, "published": 0}]


def test_totals_have_the_highest_and_the_lowest_and_what_left() -> None:
    broker = made("a", "b", "c")
    for name, arrivals in (("a", (70, 80)), ("b", (60,))):
        for after_ms in arrivals:
            assert broker.publish(broker.queue_target(name), message("x"), START_MS + after_ms)
    broker.purge("a")
    body = {"sums": ["depth", "removed"], "highest": ["published"], "lowest": ["oldest_ms"]}
    told = {"queues": 3, "depth": 1, "published": 2, "oldest_ms": START_MS + 60, "removed": {"purged": 2}}
    assert asked(broker, **body) == [told]


@pytest.mark.parametrize(
    "body",
    [
        {"sort": "no"},
        {"sort": 1},
        {"sort": "--depth"},
        {"offset": -1},
        {"offset": True},
        {"sums": ["no"]},
        {"sums": "depth"},
        {"sums": [1]},
        {"sums": ["redirect_peer"]},
        {"sums": ["depth", "depth"]},
        {"sums": ["last_in_ms"], "highest": ["last_in_ms"]},
        {"highest": ["removed"]},
        {"lowest": "depth"},
    ],
)
def test_what_is_no_order_and_no_statistic_is_refused(body: dict[str, object]) -> None:
    assert manage(made("a"), Request("QUERY", "queue", body=body), START_MS).status == 422


def test_a_list_and_sums_are_of_the_queues_that_were_declared_under_a_virtual_host() -> None:
    broker = Broker()
    for name in NAMES:
        broker.declare(QueueSpec(name, virtual_host="prod" if name in NAMES[::7] else "/"))
    under = NAMES[::7]
    assert names(broker, virtual_host="prod") == under
    assert names(broker, virtual_host="prod", count=2, after=under[3]) == under[4:6]
    assert names(broker, virtual_host="prod", count=2, offset=3) == under[3:5]
    assert names(broker, virtual_host="prod", sort="-name", count=1) == under[-1:]
    assert asked(broker, virtual_host="prod", sums=[]) == [{"queues": len(under)}]
    assert names(broker, virtual_host="test") == []
    assert names(broker) == NAMES
    refused = manage(broker, Request("QUERY", "queue", body={"virtual_host": 1}), START_MS)
    assert (refused.status, "virtual_host" in refused.description) == (422, True)


def test_a_list_and_sums_are_of_the_queues_whose_names_match() -> None:
    broker = made(*NAMES)
    expected = [name for name in NAMES if name.endswith("7")]
    assert names(broker, matches="^q.*7$") == expected
    assert names(broker, matches="7$", sort="-name", count=2, offset=1) == expected[-3:-1][::-1]
    assert asked(broker, matches="7$", sums=[]) == [{"queues": len(expected)}]
    refused = manage(broker, Request("QUERY", "queue", body={"matches": "(a+)+"}), START_MS)
    assert (refused.status, "is not supported" in refused.description) == (422, True)
