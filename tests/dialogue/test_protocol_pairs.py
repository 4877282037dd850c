"""Producers and consumers of different protocols on one queue."""

import itertools

import pytest
from protocol_clients import Amqp010Wire, Amqp091Wire, Amqp10Wire, Said, Wire

from lastvalue.broker.broker import Broker
from lastvalue.frontends.amqp010.broker_state import BrokerState
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
    broker_state = BrokerState(Broker())
    broker_state.broker.declare(spec_from_arguments("q", {"lvq_key": key}))
    by = clients(broker_state)
    by[first].say(Said(b"hello", headers={key: "KEY"}))
    by[second].say(Said(b"how are you", headers={key: "KEY"}))
    assert broker_state.broker.lookup("q").queue.depth == 1
    heard = by[reader].hear("q")
    assert (heard.body, heard.headers) == (b"how are you", {key: "KEY"})
    assert broker_state.broker.lookup("q").queue.depth == 0
