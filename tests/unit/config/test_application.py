"""lastvalue.config.application."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.config.application import apply
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.reading import parse
from lastvalue.queues.spec import QueueSpec


def test_what_is_configured_is_declared() -> None:
    broker = Broker()
    configuration = parse('[[queue]]\nname = "b"\nalternate = "a"\n[[queue]]\nname = "a"')
    apply(configuration, broker)
    apply(configuration, broker)
    assert [queue.spec for queue in broker.queues()] == [QueueSpec("a"), QueueSpec("b", alternate="a")]


def test_a_queue_that_is_there_and_differs_is_told() -> None:
    broker = Broker()
    broker.declare(QueueSpec("a", durable=True))
    with pytest.raises(ConfigurationError, match=r"f: queue\[1\]: queue 'a' exists and differs: durable"):
        apply(parse('[[queue]]\nname = "a"'), broker, "f")
