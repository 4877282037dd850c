"""Over a restart nodes stay their users', and users made over the network and nodes of a file remain."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import pytest
from delivery_rows import failed_core, failed_twice
from node_steps import AFTER, AGAIN, BEFORE, CONTAINER, Clients, Row, Subscribed, core_sent, sent_by_proton
from proton import ProtonException
from proton.utils import BlockingConnection, BlockingReceiver
from served_broker import HOST, ServedBroker
from served_gateway import gateway_client

from lastvalue.client import Message, blocking
from lastvalue.server.users import Users

PASSWORD: Final = "geheim"
BROKER_XML: Final = """<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
  <address-settings>
    <address-setting match="file.tries">
      <dead-letter-address>file.gave.up</dead-letter-address>
      <max-delivery-attempts>2</max-delivery-attempts>
    </address-setting>
  </address-settings>
  <addresses>
    <address name="file.orders"><anycast><queue name="file.orders"/></anycast></address>
    <address name="file.prices"><multicast>
      <queue name="file.first"/>
      <queue name="file.red"><filter string="color = 'red'"/></queue>
    </multicast></address>
    <address name="file.news"><multicast/></address>
    <address name="file.gave.up"><anycast><queue name="file.gave.up"/></anycast></address>
    <address name="file.tries"><anycast><queue name="file.tries"/></anycast></address>
  </addresses>
</core></configuration>
"""


def nothing(it: Clients) -> None:
    """The file has declared it."""


ROWS: Final = [
    Row("file", "queue", nothing, core_sent("file.orders"), "file.orders"),
    Row("file", "second queue of an address", nothing, core_sent("file.prices", color="red"), "file.red"),
    Row(
        "file", "delivery attempts", nothing,
        failed_twice(core_sent("file.tries"), failed_core("file.tries")), "file.gave.up", held=True,
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that came from Artemis, as lastvalue's configuration."""
    directory = tmp_path_factory.mktemp("configuration")
    foreign, own = directory / "broker.xml", directory / "lastvalue.toml"
    foreign.write_text(BROKER_XML)
    program = str(Path(sys.executable).with_name("lastvalue"))
    subprocess.run([program, "config", "convert", str(foreign), "--out", str(own)], check=True)
    return own


@pytest.fixture(scope="module", params=["stopped", "killed"])
def port(
    request: pytest.FixtureRequest, configuration: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """Of a broker that was restarted."""
    directory = tmp_path_factory.mktemp("store")
    users = Users(directory / "users.toml")
    users.put("ann", PASSWORD, None)
    users.put("bob", PASSWORD, ("all *",))
    users.put("anonymous", PASSWORD, None)
    flags = ["--config", str(configuration), "--users-file", str(users.path), "--anonymous"]
    flags += ["--store", str(directory / "store")]
    with ExitStack() as brokers:
        first = brokers.enter_context(ServedBroker(*flags))
        with Clients(first.port) as clients:
            with closing(signed_in("ann", first.port)) as ann:
                make_nodes_of_ann(ann, clients)
            make_eve(first.port)
            for row in ROWS:
                row.send(clients, BEFORE)
            if request.param == "killed":
                first.kill()
            else:
                assert first.stop()[0] == 0
        yield brokers.enter_context(ServedBroker(*flags)).port


SUBSCRIPTION: Final = f"$subscription/ann/{CONTAINER}/sub"


def make_nodes_of_ann(ann: BlockingConnection, clients: Clients) -> None:
    """A durable subscription and a queue that is her own, each with a text."""
    subscribed(ann)
    with blocking.connect(f"amqp://ann:{PASSWORD}@{HOST}:{clients.port}") as own:
        own.declare("mine", durable=True, exclusive="principal").send(Message(BEFORE, durable=True))
    sent_by_proton("file.news")(clients, BEFORE)


def subscribed(connection: BlockingConnection) -> BlockingReceiver:
    return connection.create_receiver("file.news", name="sub", options=Subscribed())


def make_eve(port: int) -> None:
    """A user who may only read, by the HTTP API of RabbitMQ."""
    with gateway_client(f"amqp://{HOST}:{port}", auth=("ann", PASSWORD)) as client:
        client.put("/api/users/eve", json={"password": PASSWORD, "tags": ""}).raise_for_status()
        only_reads = {"configure": "", "write": "", "read": "^file\\.orders$"}
        client.put("/api/permissions/%2F/eve", json=only_reads).raise_for_status()


def signed_in(user: str, port: int, container: str = CONTAINER) -> BlockingConnection:
    return BlockingConnection(
        f"amqp://{user}:{PASSWORD}@{HOST}:{port}",
        timeout=60,
        container_id=container,
        allowed_mechs="PLAIN",
        allow_insecure_mechs=True,
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.kind)
def test_what_a_file_declares_keeps_what_was_confirmed(port: int, row: Row) -> None:
    with Clients(port) as clients:
        assert clients.texts(row.queue) == ([] if row.held else [BEFORE])
        row.send(clients, AFTER)
        row.send(clients, AGAIN)
        assert clients.texts(row.queue) == [BEFORE, AFTER, AGAIN]


def test_a_durable_subscription_is_still_its_users_alone(port: int) -> None:
    with closing(signed_in("bob", port)) as bob:
        with pytest.raises(ProtonException, match="may not read"):
            bob.create_receiver(SUBSCRIPTION)
        # The same name in a container of the same name is another user's other subscription.
        of_bob = subscribed(bob)
        with Clients(port) as clients, closing(signed_in("ann", port)) as ann:
            sent_by_proton("file.news")(clients, AFTER)
            of_ann = subscribed(ann)
            assert [of_ann.receive().body for _ in range(2)] == [BEFORE, AFTER]
            assert of_bob.receive().body == AFTER


def test_a_queue_of_a_user_is_refused_to_others(port: int) -> None:
    with closing(signed_in("bob", port)) as bob, closing(signed_in("ann", port)) as ann:
        with pytest.raises(ProtonException, match="reserved for its principal"):
            bob.create_receiver("mine")
        assert ann.create_receiver("mine").receive().body == BEFORE


def test_a_user_who_was_made_over_the_network_has_the_same_permissions(port: int) -> None:
    with closing(signed_in("eve", port)) as eve:
        eve.create_receiver("file.orders", credit=0).close()
        with pytest.raises(ProtonException, match="may not write"):
            eve.create_sender("file.orders")
