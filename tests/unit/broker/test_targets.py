"""Targets of a caller whose messages go to many nodes."""

import pytest
from broker_desk import made

from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import NotPermittedError, Permissions, parse_rule
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.targets import MOST, Targets

ANN = Owner(principal="ann")


def test_a_node_is_asked_for_once_and_again_when_it_is_another() -> None:
    broker = made("q")
    targets = Targets(broker, ANN)
    first = targets.of(Node("q", broker.lookup("q")))
    assert targets.of(Node("q", broker.lookup("q"))) is first
    broker.delete("q", 0)
    again = made("q").lookup("q")
    assert targets.of(Node("q", again)) is not first


def test_a_right_that_was_taken_away_is_asked_for_again() -> None:
    broker = made("q")
    rules = ["write q"]
    broker.authorization.permissions = lambda user: Permissions(parse_rule(rule) for rule in rules)
    targets = Targets(broker, ANN)
    node = Node("q", broker.lookup("q"))
    targets.of(node)
    rules.clear()
    broker.permissions_changed(0)
    with pytest.raises(NotPermittedError):
        targets.of(node)
    rules.append("write q")
    assert not targets.of(node).revoked


def test_so_many_are_kept_and_no_more() -> None:
    broker = made("q")
    broker.authorization.permissions = lambda user: Permissions([parse_rule("write *")])
    targets = Targets(broker, ANN)
    default = broker.exchanges.default
    for number in range(2 * MOST + 1):
        targets.of(Node("", None, default), f"q{number}")
    assert len(broker.authorization._targets) <= MOST
    targets.release()
    assert broker.authorization._targets == {}
