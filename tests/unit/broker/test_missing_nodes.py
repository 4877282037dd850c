"""Nodes that are made when a name is used that does not exist."""

import pytest
from bare_queue import START_MS

from lastvalue.broker.broker import Broker
from lastvalue.broker.histories import HistoryError
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import BROKER, NOBODY, Owner
from lastvalue.broker.rights.permissions import NotPermittedError, Permissions, parse_rule
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.queues.spec import LastValue, QueueSpec, Standard

ANN = Owner(principal="ann")


def guarded(*rules: str) -> Broker:
    """A broker where Ann may do what these rules say."""
    broker = Broker()
    permissions = Permissions([parse_rule(rule) for rule in rules])
    broker.authorization.permissions = lambda _: permissions
    return broker


def names(broker: Broker) -> list[str]:
    return [queue.spec.name for queue in broker.queues()]


def test_the_first_policy_that_fits_is_followed() -> None:
    broker = Broker()
    broker.missing.add(NodePolicy("prices.*", arguments={"lvq_key": "symbol"}))
    broker.missing.add(NodePolicy("#"))
    assert broker.missing.create("prices.eu", publishing=True)
    assert broker.missing.create("orders", publishing=True)
    orderings = [broker.lookup(name).queue.spec.ordering for name in ("prices.eu", "orders")]
    assert orderings == [LastValue("symbol"), Standard()]


@pytest.mark.parametrize(
    ("on_publish", "on_consume", "publishing", "made"),
    [
        (True, False, True, True),
        (True, False, False, False),
        (False, True, True, False),
        (False, True, False, True),
    ],
)
def test_a_policy_is_for_the_uses_that_it_names(
    on_publish: bool, on_consume: bool, publishing: bool, made: bool
) -> None:
    broker = Broker()
    broker.missing.add(NodePolicy("#", on_publish=on_publish, on_consume=on_consume))
    assert broker.missing.create("q", publishing=publishing) is made
    assert broker.has_queue("q") is made


def test_a_policy_may_make_an_exchange() -> None:
    broker = Broker()
    broker.missing.add(NodePolicy("x.#", "exchange", {"type": "fanout"}))
    assert broker.missing.create("x.1", publishing=True)
    assert broker.exchanges.find("x.1").spec.type is ExchangeType.FANOUT


def test_settings_are_followed_behind_the_policies() -> None:
    broker = Broker()
    broker.missing.add(NodePolicy("a"))
    broker.missing.settings_for = lambda name: {"lvq_key": "k"} if name in ("a", "b") else None
    assert [broker.missing.create(name, publishing=False) for name in "abc"] == [True, True, False]
    assert [queue.spec.ordering for queue in broker.queues()] == [Standard(), LastValue("k")]


def test_a_policy_that_is_removed_is_followed_no_more() -> None:
    broker = Broker()
    broker.missing.add(NodePolicy("a*"))
    broker.missing.add(NodePolicy("b*"))
    broker.missing.remove("a*")
    assert [broker.missing.create(name, publishing=True) for name in ("a1", "b1")] == [False, True]


def test_who_may_not_declare_a_name_does_not_make_it_by_using_it() -> None:
    broker = guarded("configure mine.*", "write *")
    broker.missing.add(NodePolicy("#"), BROKER)
    made = [broker.missing.create(name, publishing=True, owner=ANN) for name in ("mine.1", "other")]
    assert made == [True, False]
    assert names(broker) == ["mine.1"]


def test_a_policy_makes_for_a_user_what_its_operator_declares_beside_the_name() -> None:
    broker = guarded("configure mine.*")
    broker.missing.add(NodePolicy("mine.*", arguments={"alternate": "dead"}), BROKER)
    broker.missing.add(NodePolicy("dead"), BROKER)
    assert broker.missing.create("mine.1", publishing=True, owner=ANN)
    assert names(broker) == ["dead", "mine.1"]


@pytest.mark.parametrize("change", ["add", "remove"])
def test_only_an_administrator_changes_policies(change: str) -> None:
    broker = guarded("configure,write,read,browse,manage *")
    commands = {
        "add": lambda: broker.missing.add(NodePolicy("#"), ANN),
        "remove": lambda: broker.missing.remove("#", ANN),
    }
    with pytest.raises(NotPermittedError):
        commands[change]()
    assert broker.missing.policies == []


def test_a_history_is_made_with_the_queue_that_names_it() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", history="h"))
    assert names(broker) == ["h", "q"]
    assert broker.lookup("h").queue.spec.ordering == Standard()


def test_a_policy_may_say_what_a_history_is() -> None:
    broker = Broker()
    broker.missing.add(NodePolicy("h", arguments={"max_messages": 7, "when_full": "drop-oldest"}))
    broker.declare(QueueSpec("q", history="h"))
    assert broker.lookup("h").queue.spec.limit.messages == 7


def test_a_queue_that_is_no_history_is_not_made_one_by_being_named() -> None:
    broker = Broker()
    broker.declare(QueueSpec("h", LastValue("k")), NOBODY)
    with pytest.raises(HistoryError):
        broker.declare(QueueSpec("q", history="h"))
    assert names(broker) == ["h"]
    assert broker.delete("h", START_MS) == 0
