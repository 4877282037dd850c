"""lastvalue.addresses.node_arguments."""

import pytest

from lastvalue.addresses import InvalidAddressError, node_arguments, parse_address
from lastvalue.queues.spec import Exclusive, LastValue
from lastvalue.queues.spec_arguments import spec_from_arguments


def test_the_arguments_are_merged_into_the_declaration() -> None:
    address = parse_address(
        "q; {node: {durable: true, x-declare: {auto-delete: true, alternate-exchange: 'amq.fanout', "
        "arguments: {qpid.max_count: 5, 'qpid.policy_type': ring}}}}"
    )
    assert node_arguments(address) == {
        "auto-delete": True,
        "alternate-exchange": "amq.fanout",
        "qpid.max_count": 5,
        "qpid.policy_type": "ring",
        "durable": True,
    }


def test_an_address_that_says_nothing_declares_nothing() -> None:
    assert node_arguments(parse_address("q; {node: {type: queue}}")) == {}


def test_the_documents_address_declares_a_last_value_queue() -> None:
    address = parse_address(
        "prices;{create:always,node:{type:queue,x-declare:{arguments:{'qpid.last_value_queue_key':ticker}}}}"
    )
    assert spec_from_arguments("prices", node_arguments(address)).ordering == LastValue("ticker")


def test_an_exclusive_queue_belongs_to_the_session() -> None:
    arguments = node_arguments(parse_address("q; {node: {x-declare: {exclusive: true}}}"))
    assert spec_from_arguments("q", arguments).exclusive is Exclusive.SESSION


def test_a_queue_is_exclusive_only_where_it_is_said() -> None:
    arguments = node_arguments(parse_address("q; {node: {x-declare: {exclusive: false}}}"))
    assert spec_from_arguments("q", arguments).exclusive is Exclusive.NONE


def test_the_type_of_a_topic_is_its_exchange_type() -> None:
    topic = parse_address("t; {node: {type: topic, x-declare: {type: direct}}}")
    queue = parse_address("q; {node: {type: queue, x-declare: {type: lvq, arguments: {lvq_key: k}}}}")
    assert node_arguments(topic) == {"exchange-type": "direct"}
    assert node_arguments(queue) == {"type": "lvq", "lvq_key": "k"}


def test_one_argument_with_two_values_is_refused() -> None:
    address = parse_address("q; {node: {durable: false, x-declare: {arguments: {durable: true}}}}")
    with pytest.raises(InvalidAddressError, match="'durable' cannot be both True and False"):
        node_arguments(address)
