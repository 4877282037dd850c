"""Branches of distributed transactions, by xid."""

import pytest
from bare_queue import encoded

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.message import read_message
from lastvalue.delivery.branches import DEFAULT_TIMEOUT_S, BranchError, Branches, BranchOutcome, Xid
from lastvalue.model.conditions import Condition
from lastvalue.queues.spec_arguments import spec_from_arguments

XID: Xid = (1, b"transaction", b"branch")
NOW = 1_000_000


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(spec_from_arguments("q", {"max_messages": 1}))
    return broker


@pytest.fixture
def branches(broker: Broker) -> Branches:
    return Branches(broker)


def publish(broker: Broker, branches: Branches, count: int = 1) -> None:
    """Work in a new branch: publish messages, and leave it."""
    branch = branches.begin(XID, "session", NOBODY, NOW)
    for _ in range(count):
        message = read_message(encoded("body", {}, None))
        branch.transaction.post(broker.queue_target("q"), "", message, NOW)
    branch.workers.clear()


def test_a_branch_takes_effect_at_its_commit_and_is_unknown_then(broker: Broker, branches: Branches) -> None:
    publish(broker, branches)
    assert branches.prepare(XID, NOBODY, NOW) is BranchOutcome.COMMITTED
    assert branches.in_doubt(NOBODY) == [XID]
    assert broker.lookup("q").queue.depth == 0
    assert branches.commit(XID, False, NOBODY, NOW) is BranchOutcome.COMMITTED
    assert broker.lookup("q").queue.depth == 1
    with pytest.raises(BranchError, match="not known"):
        branches.find(XID, NOBODY)


def test_a_branch_that_cannot_be_committed_is_rolled_back(broker: Broker, branches: Branches) -> None:
    publish(broker, branches, count=2)
    assert branches.commit(XID, True, NOBODY, NOW) is BranchOutcome.ROLLED_BACK
    assert broker.lookup("q").queue.depth == 0


@pytest.mark.parametrize("one_phase", [True, False])
def test_what_is_prepared_is_committed_in_two_phases_and_nothing_else(
    broker: Broker, branches: Branches, *, one_phase: bool
) -> None:
    publish(broker, branches)
    if one_phase:
        branches.prepare(XID, NOBODY, NOW)
    with pytest.raises(BranchError) as refused:
        branches.commit(XID, one_phase, NOBODY, NOW)
    assert refused.value.condition is Condition.ILLEGAL_STATE


def test_a_branch_is_not_ended_while_a_session_works_in_it(branches: Branches) -> None:
    branches.begin(XID, "session", NOBODY, NOW)
    with pytest.raises(BranchError, match="a session works in the branch"):
        branches.roll_back(XID, NOBODY, NOW)


def test_an_xid_is_begun_once(branches: Branches) -> None:
    branches.begin(XID, "session", NOBODY, NOW)
    with pytest.raises(BranchError) as refused:
        branches.begin(XID, "other", NOBODY, NOW)
    assert refused.value.condition is Condition.NOT_ALLOWED


def test_a_branch_ends_with_its_time_unless_it_is_prepared(broker: Broker, branches: Branches) -> None:
    publish(broker, branches)
    late = NOW + DEFAULT_TIMEOUT_S * 1000
    assert broker.next_deadline() == late
    broker.advance(late)
    assert branches.roll_back(XID, NOBODY, NOW) is BranchOutcome.TIMED_OUT
    publish(broker, branches)
    branches.prepare(XID, NOBODY, NOW)
    broker.advance(late)
    assert branches.commit(XID, False, NOBODY, NOW) is BranchOutcome.COMMITTED
