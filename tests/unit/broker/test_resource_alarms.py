"""Alarms that stop every producer of a broker."""

import pytest

from lastvalue.broker.publisher import Publisher
from lastvalue.broker.resource_alarms import ResourceAlarms, StoreFaultError
from lastvalue.model.conditions import Condition


class Producer(Publisher):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def waits_for(self) -> str:
        return self.calls[-1] if self.calls else ""

    def may_send(self) -> None:
        self.calls.append("may send")

    def hold(self) -> None:
        self.calls.append("hold")

    def queue_deleted(self) -> None:
        self.calls.append("queue deleted")


def watched() -> tuple[ResourceAlarms, Producer]:
    alarms, producer = ResourceAlarms(), Producer()
    alarms.join(producer)
    return alarms, producer


@pytest.mark.parametrize(
    ("memory", "store", "stopped"),
    [
        (False, False, (False, False)),
        (True, False, (True, True)),
        (False, True, (True, False)),
        (True, True, (True, True)),
    ],
)
def test_the_memory_stops_all_and_the_store_those_of_durable_queues(
    memory: bool, store: bool, stopped: tuple[bool, bool]
) -> None:
    alarms = ResourceAlarms()
    alarms.set_memory(memory)
    alarms.set_store(store)
    assert (alarms.stops(True), alarms.stops(False)) == stopped


def test_producers_hear_of_each_change_once() -> None:
    alarms, producer = watched()
    for raised in (True, True, False, False):
        alarms.set_memory(raised)
        alarms.set_store(raised)
    assert producer.calls == ["hold", "hold", "may send", "may send"]


def test_who_left_hears_nothing_more_and_may_leave_again() -> None:
    alarms, producer = watched()
    assert alarms.producers == 1
    alarms.leave(producer)
    alarms.leave(producer)
    alarms.set_memory(True)
    assert (alarms.producers, producer.calls) == (0, [])


def test_another_pace_is_told_unless_the_store_stops_everybody_anyway() -> None:
    alarms, producer = watched()
    alarms.pace(100)
    alarms.pace(100)
    alarms.set_store(True)
    alarms.pace(50)
    assert (alarms.paced, producer.calls) == (50, ["may send", "hold"])


def test_a_fault_is_told_when_it_comes_and_when_it_goes() -> None:
    alarms, producer = watched()
    fault = StoreFaultError("the disk is full", full=True)
    for each in (fault, fault, None):
        alarms.set_fault(each)
    assert producer.calls == ["may send", "may send"]


def test_a_producer_may_leave_while_it_is_told() -> None:
    alarms = ResourceAlarms()

    class Leaving(Producer):
        def hold(self) -> None:
            super().hold()
            alarms.leave(self)

    first, second = Leaving(), Leaving()
    alarms.join(first)
    alarms.join(second)
    alarms.set_memory(True)
    assert (first.calls, second.calls, alarms.producers) == (["hold"], ["hold"], 0)


@pytest.mark.parametrize(
    ("full", "condition"),
    [(True, Condition.RESOURCE_LIMIT_EXCEEDED), (False, Condition.INTERNAL_ERROR)],
)
def test_a_full_disk_is_a_limit_and_a_broken_one_a_fault(full: bool, condition: Condition) -> None:
    assert StoreFaultError("", full=full).condition is condition


def test_producers_that_wait_are_counted_by_what_stops_them() -> None:
    alarms, _ = watched()
    assert alarms.waiting() == {}
    alarms.join(Producer())
    alarms.set_memory(True)
    alarms.join(Producer())
    assert alarms.waiting() == {"hold": 2}
