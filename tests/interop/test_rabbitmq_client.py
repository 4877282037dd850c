"""RabbitMQ's AMQP 1.0 client for Python against the real server, which calls itself RabbitMQ for it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from served_broker import HOST, PASSWORD, USER, ServedBroker

from lastvalue.client import blocking

rabbitmq = pytest.importorskip("rabbitmq_amqp_python_client")

pytestmark = pytest.mark.interop

NAME = "rabbitmq-amqp-python-client"
PROGRAM = Path(__file__).with_name("rabbitmq_prices.py")
PAGE = Path(__file__).parents[2] / "docs" / "clients" / f"{NAME}.md"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBroker]:
    """One that announces itself as what the client asks for."""
    file = tmp_path_factory.mktemp("rabbitmq") / "lastvalue.toml"
    file.write_text(f'[server]\nannounce = "RabbitMQ 4.2.0"\n[server.users]\n{USER} = "{PASSWORD}"\n')
    with ServedBroker("--config", str(file)) as served:
        served.user = f"{USER}:{PASSWORD.replace(' ', '%20')}@"
        yield served


@pytest.fixture
def connection(broker: ServedBroker) -> Iterator[Any]:
    environment = rabbitmq.Environment(uri=broker.url)
    opened = environment.connection()
    opened.dial()
    yield opened
    environment.close()


def publish(connection: Any, queue: str, *bodies: bytes) -> list[Any]:
    publisher = connection.publisher(rabbitmq.AddressHelper.queue_address(queue))
    states = [publisher.publish(rabbitmq.Message(body=body)).remote_state for body in bodies]
    publisher.close()
    return states


class EnoughError(Exception):
    """The last message was taken."""


class Taking(rabbitmq.AMQPMessagingHandler):  # type: ignore[name-defined, misc]  # imported where it is there
    """Does with each message what is said, and ends with the last."""

    def __init__(self, *actions: str) -> None:
        super().__init__()
        self.actions = list(actions)
        self.bodies: list[bytes] = []

    def on_message(self, event: Any) -> None:
        self.bodies.append(bytes(event.message.body))
        getattr(self.delivery_context, self.actions.pop(0))(event)
        if not self.actions:
            raise EnoughError


def take(connection: Any, queue: str, *actions: str) -> list[bytes]:
    """The bodies."""
    handler = Taking(*actions)
    address = rabbitmq.AddressHelper.queue_address(queue)
    consumer = connection.consumer(address, message_handler=handler, credit=1)
    with pytest.raises(EnoughError):
        consumer.run()
    consumer.close()
    return handler.bodies


@pytest.mark.capability(NAME, "send")
@pytest.mark.capability(NAME, "password")
def test_a_publisher_is_told_that_its_message_was_accepted(connection: Any, broker: ServedBroker) -> None:
    queue = broker.declare()
    assert publish(connection, queue, b"one", b"two") == [rabbitmq.OutcomeState.ACCEPTED] * 2
    assert broker.depth(queue) == 2


@pytest.mark.capability(NAME, "send")
def test_a_publisher_is_told_that_a_queue_is_full(connection: Any, broker: ServedBroker) -> None:
    with pytest.raises(rabbitmq.AmqpMessageRejectedException, match="full"):
        publish(connection, broker.declare(max_messages=1), b"one", b"two")


@pytest.mark.capability(NAME, "relay")
def test_a_message_says_where_it_goes(connection: Any, broker: ServedBroker) -> None:
    queue = broker.declare()
    with blocking.connect(broker.url) as administrator:
        administrator.declare_exchange("news & views", type="topic")
        administrator.bind("news & views", queue, "uk.#")
    helper, publisher = rabbitmq.AddressHelper, connection.publisher()
    for address in (helper.queue_address(queue), helper.exchange_address("news & views", "uk.weather")):
        publisher.publish(helper.message_to_address_helper(rabbitmq.Message(body=b"x"), address))
    assert broker.depth(queue) == 2


def test_what_the_client_manages_is_there(connection: Any, broker: ServedBroker) -> None:
    management, helper = connection.management(), rabbitmq.AddressHelper
    queue, exchange = "managed queue", "managed/exchange"
    made = rabbitmq.ClassicQueueSpecification(name=queue, max_len=100)
    for _ in range(2):
        management.declare_queue(made)
    with pytest.raises(rabbitmq.ValidationCodeException):
        management.declare_queue(rabbitmq.ClassicQueueSpecification(name=queue, max_len=5))
    management.declare_exchange(
        rabbitmq.ExchangeSpecification(name=exchange, exchange_type=rabbitmq.ExchangeType.topic)
    )
    bound = management.bind(
        rabbitmq.ExchangeToQueueBindingSpecification(
            source_exchange=exchange, destination_queue=queue, binding_key="uk.#"
        )
    )
    publisher = connection.publisher(helper.exchange_address(exchange, "uk.weather"))
    for body in (b"rain", b"sun"):
        publisher.publish(rabbitmq.Message(body=body))
    publisher.close()
    info = management.queue_info(queue)
    assert (info.name, info.is_durable, info.message_count) == (queue, True, 2)
    assert management.purge_queue(queue) == 2
    management.unbind(bound)
    management.delete_exchange(exchange)
    management.delete_queue(queue)
    with pytest.raises(rabbitmq.ValidationCodeException, match="404"):
        management.queue_info(queue)
    management.close()


@pytest.mark.capability(NAME, "receive")
def test_what_a_consumer_accepts_is_gone(connection: Any, broker: ServedBroker) -> None:
    queue = broker.declare()
    publish(connection, queue, b"one", b"two")
    assert take(connection, queue, "accept", "accept") == [b"one", b"two"]
    assert broker.depth(queue) == 0


@pytest.mark.capability(NAME, "outcomes")
def test_each_outcome_does_what_it_says(connection: Any, broker: ServedBroker) -> None:
    queue = broker.declare()
    publish(connection, queue, b"one", b"two")
    assert sorted(take(connection, queue, "requeue", "discard", "accept")) == [b"one", b"one", b"two"]
    assert broker.depth(queue) == 0


@pytest.mark.capability(NAME, "large")
def test_a_large_message_comes_back(connection: Any, broker: ServedBroker) -> None:
    queue = broker.declare()
    publish(connection, queue, bytes(5_000_000))
    assert [len(body) for body in take(connection, queue, "accept")] == [5_000_000]


@pytest.mark.capability(NAME, "updates")
def test_the_program_of_the_page_prints_the_current_prices(broker: ServedBroker) -> None:
    assert PROGRAM.read_text().partition('"""\n\n')[2] in PAGE.read_text()
    with blocking.connect(broker.url) as administrator:
        administrator.declare("prices", lvq_key="symbol")
    run = subprocess.run(
        [sys.executable, str(PROGRAM), broker.url], capture_output=True, text=True, timeout=120, check=True
    )
    assert run.stdout.splitlines() == ["MSFT 402.1", "AAPL 101.7"]


def test_it_refuses_a_broker_that_says_what_it_is() -> None:
    with ServedBroker() as honest:
        connection = rabbitmq.Environment(uri=f"amqp://{HOST}:{honest.port}").connection()
        with pytest.raises(rabbitmq.ValidationCodeException, match="Expected 'RabbitMQ', got 'lastvalue'"):
            connection.dial()
