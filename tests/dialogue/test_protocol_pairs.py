"""Producers and consumers of different protocols on one queue."""

import itertools

import pytest
from protocol_clients import Amqp010Wire, Amqp091Wire, Amqp10Wire, Said, Wire

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

PROTOCOLS = ("1.0", "0-10", "0-9-1")


def clients(broker_state: BrokerState) -> dict[str, Wire]:
    broker = broker_state.broker
    return {"1.0": Amqp10Wire(broker), "0-10": Amqp010Wire(broker_state), "0-9-1": Amqp091Wire(broker)}


@pytest.mark.parametrize(("first", "second", "reader"), [*itertools.product(PROTOCOLS, repeat=3)])
@pytest.mark.parametrize("key", ["_AMQ_LVQ_NAME", "KEY"])
def test_a_key_has_one_value_whoever_says_it_and_whoever_reads_it(
    first: str, second: str, reader: str, key: str
) -> None:
    """S-074."""
    broker_state = BrokerState(Broker(all_effects=False))
    broker_state.broker.declare(spec_from_arguments("q", {"lvq_key": key}))
    by = clients(broker_state)
    by[first].say(Said(b"hello", headers={key: "KEY"}))
    by[second].say(Said(b"how are you", headers={key: "KEY"}))
    assert broker_state.broker.lookup("q").queue.depth == 1
    heard = by[reader].hear("q")
    assert (heard.body, heard.headers) == (b"how are you", {key: "KEY"})
    assert broker_state.broker.lookup("q").queue.depth == 0


@pytest.mark.parametrize(("writer", "reader"), [*itertools.product(PROTOCOLS, repeat=2)])
@pytest.mark.parametrize(("exchange", "key"), [("", "q"), ("x", "bound")])
def test_what_is_published_to_a_redirected_queue_is_read_from_the_other_one(
    writer: str, reader: str, exchange: str, key: str
) -> None:
    broker_state = BrokerState(Broker(all_effects=False))
    broker = broker_state.broker
    broker.declare(QueueSpec("overflow"))
    broker.declare(QueueSpec("q", redirect="overflow"))
    broker.declare_exchange(ExchangeSpec("x"))
    broker.bind("x", Binding("q", "bound"), NOBODY, 0)
    by = clients(broker_state)
    by[writer].say(Said(b"1", exchange, key))
    assert broker.lookup("q").queue.depth == 0
    assert by[reader].hear("overflow").body == b"1"


@pytest.mark.parametrize(("writer", "reader"), [*itertools.product(PROTOCOLS, repeat=2)])
def test_the_trace_of_a_message_is_carried_unchanged(writer: str, reader: str) -> None:
    trace = {
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "tracestate": "vendor=t61rcWkgMzE,other=1",
    }
    broker_state = BrokerState(Broker(all_effects=False))
    broker_state.broker.declare(spec_from_arguments("q", {"lvq_key": "k"}))
    by = clients(broker_state)
    by[writer].say(Said(b"x", headers={"k": "A", **trace}))
    heard = by[reader].hear("q").headers
    assert {name: heard[name] for name in trace} == trace
