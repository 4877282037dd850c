"""lastvalue.config.declarations."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType, Unroutable
from lastvalue.config.configuration import EXCHANGE_TYPES, UNROUTABLE
from lastvalue.config.declarations import rehearsed_declarations
from lastvalue.config.drift import reconcile_drift
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.toml_reader import parse_toml
from lastvalue.queues.spec import QueueSpec


def test_what_is_configured_is_declared() -> None:
    broker = Broker()
    configuration = parse_toml('[[queue]]\nname = "b"\nalternate = "a"\n[[queue]]\nname = "a"')
    reconcile_drift(configuration, broker, 0)
    reconcile_drift(configuration, broker, 0)
    assert [queue.spec for queue in broker.queues()] == [QueueSpec("a"), QueueSpec("b", alternate="a")]


def test_a_redirect_is_declared_after_the_queue_that_it_names() -> None:
    broker = Broker()
    configuration = parse_toml('[[queue]]\nname = "a"\nredirect = "b"\n[[queue]]\nname = "b"')
    for _ in range(2):
        reconcile_drift(configuration, broker, 0)
    assert broker.lookup("b").redirect is broker.lookup("a")


def test_exchanges_bindings_and_policies_are_made() -> None:
    broker = Broker()
    configuration = parse_toml(
        """
        [[exchange]]
        name = "news"
        type = "topic"
        alternate = "lost"
        unroutable = "refuse"
        [[exchange]]
        name = "all"
        type = "fanout"
        [[queue]]
        name = "lost"
        alternate = "lost_DLQ"
        [[queue]]
        name = "q"
        [[binding]]
        exchange = "news"
        queue = "q"
        key = "a.#"
        [[binding]]
        exchange = "news"
        queue = "all"
        key = "b"
        [[binding]]
        exchange = "amq.match"
        queue = "q"
        arguments = { x-match = "any", colour = "", size = 5 }
        [[auto-create]]
        pattern = "#_DLQ"
        on_publish = true
        [[auto-create]]
        pattern = "fooE#"
        node = "exchange"
        on_consume = true
        options = { type = "fanout" }
        """
    )
    reconcile_drift(configuration, broker, 0)
    reconcile_drift(configuration, broker, 0)
    assert [queue.spec.name for queue in broker.queues()] == ["lost", "lost_DLQ", "q"]
    assert broker.exchanges.find("news").spec == ExchangeSpec(
        "news", ExchangeType.TOPIC, alternate="lost", unroutable=Unroutable.REFUSE
    )
    assert list(broker.exchanges.find("news").bindings) == [("q", False, "a.#"), ("all", True, "b")]
    (binding,) = broker.exchanges.find("amq.match").bindings.values()
    assert binding.arguments == {"x-match": "any", "colour": None, "size": 5}
    assert len(broker.missing.policies) == 2
    assert broker.missing.create("fooExchange", publishing=False)
    assert broker.exchanges.find("fooExchange").spec.type is ExchangeType.FANOUT


def test_a_policy_creates_a_queue_when_it_is_first_used() -> None:
    """S-209: the policy, from a file to a broker."""
    broker = Broker()
    reconcile_drift(
        parse_toml('[[auto-create]]\npattern = "fooQ#"\non_publish = true\non_consume = true'), broker, 0
    )
    assert broker.missing.create("fooQueue", publishing=True)
    assert not broker.missing.create("barQueue", publishing=True)
    assert [queue.spec.name for queue in broker.queues()] == ["fooQueue"]


def test_an_alternate_that_settings_create_is_created_with_the_queue_that_names_it() -> None:
    settings = '[[address-setting]]\nmatch = "dead"\nauto-create-queues = true\nring-size = 5'
    configuration = parse_toml(f'[[queue]]\nname = "a"\nalternate = "dead"\n{settings}')
    assert rehearsed_declarations(configuration)[1] == []
    broker = Broker()
    reconcile_drift(configuration, broker, 0)
    assert [queue.spec.name for queue in broker.queues()] == ["a", "dead"]


def test_a_queue_and_an_exchange_may_have_one_name() -> None:
    broker = Broker()
    reconcile_drift(
        parse_toml(
            """
            [[exchange]]
            name = "a"
            type = "address"
            [[queue]]
            name = "a"
            [[binding]]
            exchange = "a"
            queue = "a"
            """
        ),
        broker,
        0,
    )
    assert broker.exchanges.bindings_of("a")


def test_the_choices_of_an_exchange_are_those_of_the_broker() -> None:
    assert list(EXCHANGE_TYPES) == [kind.value for kind in ExchangeType]
    assert list(UNROUTABLE) == [choice.value for choice in Unroutable]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            """
            [[queue]]
            name = "q"
            [[binding]]
            exchange = "amq.match"
            queue = "q"
            """,
            "binding[1]: x-match is None; a binding to a headers exchange needs all or any",
        ),
        ("[[queue]]\nname = 'q'\nfilter = 'a >'", "queue[1]: "),
    ],
)
def test_what_a_broker_would_refuse_is_a_fault_of_the_file(text: str, fault: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_toml(text, "f")
    assert fault in str(caught.value)
