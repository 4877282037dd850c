"""Requests for the statistics of the whole broker."""

from typing import Any

from bare_queue import START_MS
from broker_desk import enqueue, made

from lastvalue.broker.administration.broker_process import BrokerProcess
from lastvalue.broker.requests.broker_requests import BROKER
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import Permissions


class Process(BrokerProcess):
    def statistics(self) -> dict[str, Any]:
        return {"version": "1.2"}


def test_read_answers_what_the_broker_and_its_process_know() -> None:
    broker = made("a", "b")
    broker.process = Process()
    enqueue(broker, "a", "1")
    broker.drain(START_MS)
    broker.alarms.set_memory(True)
    broker.alarms.note_time(START_MS)
    shown = manage(broker, Request("READ", "broker"), START_MS).body
    assert set(shown) == {"now_ms", "version", *(statistic.name for statistic in BROKER)}
    assert (shown["now_ms"], shown["queues"], shown["version"]) == (START_MS, 2, "1.2")
    assert shown["held_bytes"] > 0
    assert (shown["memory_alarm_since_ms"], shown["store_alarm_since_ms"]) == (START_MS, 0)


def test_who_may_not_administer_is_refused_and_counted() -> None:
    broker = made()
    broker.authorization.permissions = lambda _: Permissions(())
    assert manage(broker, Request("READ", "broker"), START_MS, Owner(principal="ann")).status == 403
    assert broker.authorization.denied["show-broker"] == 1
    assert sum(broker.authorization.denied.values()) == 1


def test_another_operation_is_refused() -> None:
    assert manage(made(), Request("DELETE", "broker"), START_MS).status == 501
