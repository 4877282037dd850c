"""lastvalue.broker.queue_deadlines."""

from broker_desk import made

from lastvalue.broker.queue_deadlines import QueueDeadlines
from lastvalue.model.message import NEVER
from lastvalue.queues.spec import QueueSpec


def test_queues_are_due_soonest_first_and_each_once() -> None:
    broker = made(*(QueueSpec(name) for name in "abc"))
    first, second, third = (broker.lookup(name) for name in "abc")
    deadlines = QueueDeadlines()
    for hosted, at_ms in ((first, 20), (second, 10), (third, 30), (first, 15)):
        deadlines.set(hosted, at_ms)
    assert deadlines.next() == 10
    assert deadlines.take_due(15) == [second, first]
    assert (first in deadlines, third in deadlines) == (False, True)
    assert (deadlines.take_due(15), deadlines.next()) == ([], 30)


def test_a_deadline_that_is_removed_never_comes() -> None:
    broker = made(QueueSpec("a"), QueueSpec("b"))
    first, second = broker.lookup("a"), broker.lookup("b")
    deadlines = QueueDeadlines()
    deadlines.set(first, 10)
    deadlines.set(second, 10)
    deadlines.discard(first)
    deadlines.discard(first)
    deadlines.set(second, NEVER)
    assert (first in deadlines, second in deadlines) == (False, False)
    assert (deadlines.next(), deadlines.take_due(10)) == (NEVER, [])
    deadlines.set(first, 20)
    assert deadlines.take_due(20) == [first]
