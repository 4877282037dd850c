"""A client asks one broker who has a queue."""

import pytest

from lastvalue.broker.administration.request import Request, Response
from lastvalue.broker.broker import Broker
from lastvalue.broker.partitions import Partition, Partitions
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule

pytestmark = pytest.mark.pure

LEADERS = ["one:5672,stand-in:5672", "two:5672"]


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    partitions = [
        Partition("orders.#", ["two:5672"], "one:5672"),
        Partition("prices", LEADERS, "one:5672"),
    ]
    broker.authorization.partitions = Partitions(partitions)
    return broker


def asked(broker: Broker, name: str, operation: str = "READ") -> Response:
    return manage(broker, Request(operation, "partition", name, {}), 0, Owner(principal="ann"))


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("prices", {"leaders": LEADERS, "own": 0}),
        ("orders.new", {"leaders": ["two:5672"], "own": -1}),
        ("other", {"leaders": [], "own": -1}),
    ],
)
def test_the_leaders_of_a_queue_are_told_whether_or_not_it_exists(
    broker: Broker, name: str, answer: dict[str, object]
) -> None:
    assert asked(broker, name).body == answer


def test_a_broker_without_partitions_has_all_queues() -> None:
    assert asked(Broker(), "prices").body == {"leaders": [], "own": -1}


def test_who_may_not_reach_the_queue_is_told_nothing(broker: Broker) -> None:
    permissions = Permissions([parse_rule("read,browse orders.*")])
    broker.authorization.permissions = lambda user: permissions
    assert asked(broker, "orders.new").status == 200
    refused = asked(broker, "prices")
    assert (refused.status, refused.body) == (403, None)


def test_all_brokers_are_told_each_of_them_once(broker: Broker) -> None:
    answer = {"leaders": ["two:5672", "one:5672,stand-in:5672"], "own": 1}
    assert asked(broker, "", "QUERY").body == answer
    assert asked(Broker(), "", "QUERY").body == {"leaders": [], "own": -1}


@pytest.mark.parametrize(
    ("rule", "leaders"),
    [
        ("read orders.new", ["two:5672"]),
        ("browse *", ["two:5672", "one:5672,stand-in:5672"]),
        ("read pri*", ["one:5672,stand-in:5672", "two:5672"]),
        ("all other", []),
    ],
)
def test_brokers_are_told_to_who_may_reach_a_queue_of_theirs(
    broker: Broker, rule: str, leaders: list[str]
) -> None:
    permissions = Permissions([parse_rule(rule)])
    broker.authorization.permissions = lambda user: permissions
    assert asked(broker, "", "QUERY").body["leaders"] == leaders


def test_other_requests_are_refused(broker: Broker) -> None:
    assert asked(broker, "").status == 400
    assert asked(broker, "prices", "DELETE").status == 501
