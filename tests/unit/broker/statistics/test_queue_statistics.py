"""Sums over all queues, those that are gone too."""

from broker_desk import enqueue

from lastvalue.broker.broker import Broker
from lastvalue.broker.statistics.statistic import QMF_QUEUE
from lastvalue.queues.spec import QueueSpec


def test_sums_over_queues_hold_those_that_are_gone() -> None:
    broker = Broker()
    for name, bodies in {"q": ["a", "b"], "other": ["c"]}.items():
        broker.declare(QueueSpec(name))
        enqueue(broker, name, *bodies)
    broker.delete("q", 0)
    totals = broker.statistics.totals()
    assert set(totals) == set(QMF_QUEUE)
    assert (totals["msgTotalEnqueues"], totals["msgTotalDequeues"], totals["msgDepth"]) == (3, 2, 1)
    assert (broker.statistics.abandoned, broker.statistics.abandoned_to_alternate) == (2, 0)
