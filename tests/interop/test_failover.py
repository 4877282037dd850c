"""Clients with a list of the brokers of a cluster: a follower sends them on, and they outlive a leader."""

import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pika
import pytest
from installing import INSTALLS
from java_project import built
from pika.exceptions import AMQPConnectionError, ConnectionClosedByBroker
from proton import ConnectionException, Endpoint, Event, Message
from proton.handlers import MessagingHandler
from proton.reactor import Container
from proton.utils import BlockingConnection, LinkDetached
from served_broker import HOST, ServedBroker
from waiting import wait_until

from lastvalue.client import blocking
from lastvalue.client.errors import ClientError

pytestmark = pytest.mark.interop

QUEUE = "numbers"
LEASE = ("--store-lease-ms", "2000")
MANY = 20
SECONDS = 60


class Pair(NamedTuple):
    leader: ServedBroker
    follower: ServedBroker

    @property
    def follower_first(self) -> list[str]:
        return [self.follower.url, self.leader.url]

    def held(self) -> list[str]:
        """What the queue holds at the broker that has taken over."""
        with blocking.connect(self.follower.url) as connection:
            found = [message.body for message in connection.queue(QUEUE).browse()]
        return [body.decode() if isinstance(body, bytes) else str(body) for body in found]


def role(broker: ServedBroker) -> str:
    try:
        with blocking.connect(broker.url, reconnect=False) as connection:
            state = connection.manage("READ", kind="cluster")
    except ClientError:
        return ""
    assert isinstance(state, dict)
    return str(state["role"])


@pytest.fixture
def pair(log_address: str) -> Iterator[Pair]:
    flags = ("--follow", "--store", log_address, *LEASE, "--anonymous")
    with ServedBroker(*flags) as leader:
        wait_until(lambda: role(leader) == "leader", every_s=0.1)
        with blocking.connect(leader.url) as connection:
            connection.declare(QUEUE, durable=True)
        with ServedBroker(*flags) as follower:
            wait_until(lambda: shows(follower), every_s=0.1)
            yield Pair(leader, follower)


def shows(follower: ServedBroker) -> bool:
    with blocking.connect(follower.url) as connection:
        return any(queue.name == QUEUE for queue in connection.queues())


class OverPika:
    """Publishes over pika, which tries the brokers of its list in their order."""

    def __init__(self, urls: list[str]) -> None:
        self._brokers = deque(pika.URLParameters(url) for url in urls)
        self._channel: pika.adapters.blocking_connection.BlockingChannel | None = None
        self.refusals: list[str] = []

    def close(self) -> None:
        if self._channel is not None:
            self._channel.connection.close()

    def publish(self, body: str) -> bool:
        try:
            if self._channel is None:
                self._channel = pika.BlockingConnection(list(self._brokers)).channel()
                self._channel.confirm_delivery()
            durable = pika.BasicProperties(delivery_mode=2)
            self._channel.basic_publish("", QUEUE, body.encode(), durable, mandatory=True)
        except AMQPConnectionError as fault:
            self._channel = None
            if isinstance(fault, ConnectionClosedByBroker):
                self.refusals.append(f"{fault.reply_code} {fault.reply_text}")
                self._brokers.rotate(-1)
            return False
        return True


class OverProton:
    """Publishes over Proton's blocking face, which gives up where the first broker of its list is gone."""

    def __init__(self, urls: list[str]) -> None:
        self._urls = deque(urls)
        self._connection: BlockingConnection | None = None
        self.refusals: list[str] = []

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def publish(self, body: str) -> bool:
        try:
            if self._connection is None:
                self._connection = BlockingConnection(urls=list(self._urls), timeout=SECONDS)
                self._sender = self._connection.create_sender(QUEUE)
            self._sender.send(Message(body, durable=True))
        except LinkDetached as refused:
            self.refusals.append(str(refused))
            self.close()
            self._urls.rotate(-1)
            return False
        except ConnectionException:
            self._connection = None
            self._urls.rotate(-1)
            return False
        return True


@pytest.mark.parametrize(("client", "code"), [(OverPika, "320"), (OverProton, "amqp:link:redirect")])
def test_a_client_with_a_list_leaves_the_follower_and_outlives_the_leader(
    pair: Pair, client: type[OverPika | OverProton], code: str
) -> None:
    with closing(client(pair.follower_first)) as over:
        assert not over.publish("refused")
        (refusal,) = over.refusals
        assert code in refusal
        assert f"cannot publish: ask {HOST}:{pair.leader.port}, which leads" in refusal
        assert over.publish("before")
        pair.leader.process.kill()
        wait_until(lambda: over.publish("after"), every_s=0.1)
    assert pair.held()[0] == "before"
    assert set(pair.held()[1:]) == {"after"}


class Publisher(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Sends numbers one after the other over Proton's reactive face, and kills the leader on the way."""

    def __init__(self, pair: Pair) -> None:
        super().__init__()
        self._pair = pair
        self._urls = deque(pair.follower_first)
        self.confirmed: list[str] = []
        self.refusals = 0

    def on_start(self, event: Event) -> None:
        event.container.connect(urls=list(self._urls))

    def on_connection_opened(self, event: Event) -> None:
        event.container.create_sender(event.connection, QUEUE)

    def on_link_opened(self, event: Event) -> None:
        if event.sender.remote_target.address is not None:
            event.sender.send(Message(str(len(self.confirmed)), durable=True))

    def on_accepted(self, event: Event) -> None:
        self.confirmed.append(str(len(self.confirmed)))
        if len(self.confirmed) == MANY:
            self._pair.leader.process.kill()
        if len(self.confirmed) == 2 * MANY:
            event.connection.close()
        else:
            event.sender.send(Message(str(len(self.confirmed)), durable=True))

    def on_link_error(self, event: Event) -> None:
        """A follower, which sends its clients on; meanwhile nobody may lead."""
        assert event.link.remote_condition.name == "amqp:link:redirect"
        if event.connection.state & Endpoint.LOCAL_CLOSED:
            # Of a connection that was lost, Proton attaches the old link besides the new one.
            return
        self.refusals += 1
        event.connection.close()
        self._urls.rotate(-1)
        event.container.schedule(0.2, self)

    def on_timer_task(self, event: Event) -> None:
        event.container.connect(urls=list(self._urls))


def test_proton_container_with_a_list_leaves_the_follower_and_outlives_the_leader(pair: Pair) -> None:
    publisher = Publisher(pair)
    Container(publisher).run()
    assert publisher.refusals >= 1
    assert len(publisher.confirmed) == 2 * MANY
    assert list(dict.fromkeys(pair.held())) == publisher.confirmed


PROJECT = Path(__file__).parent / "qpid_jms"


@INSTALLS
def test_qpid_jms_is_sent_on_by_the_follower_and_outlives_the_leader(pair: Pair) -> None:
    command = [*built(PROJECT), "lastvalue.Failover", *pair.follower_first]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        confirmed = [program.stdout.readline() for _ in range(MANY)]
        pair.leader.process.kill()
        confirmed += [program.stdout.readline() for _ in range(MANY)]
        program.stdin.write("enough\n")
        program.stdin.flush()
        # `communicate` would leave out the lines that `readline` has taken from the pipe already.
        rest = program.stdout.read()
    numbers = "".join([*confirmed, rest]).split()
    assert numbers == [str(number) for number in range(len(numbers))]
    assert list(dict.fromkeys(pair.held())) == numbers
