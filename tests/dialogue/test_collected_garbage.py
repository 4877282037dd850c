"""The garbage collector has nothing to search among messages, so that its pauses do not grow with them."""

import gc

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.server.build import is_compiled

MANY = 2000


@pytest.mark.skipif(not is_compiled(), reason="objects of classes that are not compiled are searched")
@pytest.mark.parametrize(
    "options",
    [{}, {"lvq_key": "k"}, {"lvq_key": "k", "order_by": "n"}, {"priorities": 10}, {"group_key": "g"}],
)
def test_messages_are_not_among_what_the_collector_searches(options: dict[str, object]) -> None:
    broker = Broker()
    broker.declare(spec_from_arguments("q", options))
    target = broker.queue_target("q")
    gc.collect()
    before = len(gc.get_objects())
    for number in range(MANY):
        properties = {"k": str(number), "n": number, "g": str(number % 10)}
        content = MessageContent(application_properties=properties, body=b"x", priority=number % 10)
        assert broker.publish(target, read_message(encode_content(content)), 0)
    broker.pump(0)
    broker.drain(0)
    gc.collect()
    assert broker.lookup("q").queue.depth == MANY
    assert len(gc.get_objects()) - before < MANY // 10
