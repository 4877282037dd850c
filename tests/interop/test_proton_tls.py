"""python-qpid-proton over TLS, with a password and with a certificate, against the real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from proton import ConnectionException, Message, SSLDomain
from proton.utils import BlockingConnection, LinkDetached
from served_broker import EVENT_LOOPS
from tls_broker import TlsBroker, serving_tls

from lastvalue.client import blocking

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module", params=EVENT_LOOPS)
def broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsBroker]:
    with serving_tls(tmp_path_factory.mktemp("tls"), request.param) as served:
        yield served


@pytest.fixture
def files(broker: TlsBroker) -> Path:
    return broker.files


def domain(files: Path, *, certified: bool = False) -> SSLDomain:
    made = SSLDomain(SSLDomain.MODE_CLIENT)
    made.set_trusted_ca_db(str(files / "ca.pem"))
    made.set_peer_authentication(SSLDomain.VERIFY_PEER_NAME)
    if certified:
        made.set_credentials(str(files / "client.pem"), str(files / "client.key"), None)
    return made


def send_and_browse(connection: BlockingConnection, queue: str) -> object:
    connection.create_sender(queue).send(Message(body="x" * 300_000), timeout=60)
    receiver = connection.create_receiver(queue)
    body = receiver.receive(timeout=60).body
    receiver.accept()
    return body


@pytest.mark.capability("python-qpid-proton, blocking", "tls")
@pytest.mark.parametrize("mechanisms", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", None])
def test_proton_is_let_in_with_a_password(broker: TlsBroker, files: Path, mechanisms: str | None) -> None:
    with blocking.connect(f"amqp://root:all@127.0.0.1:{broker.port}") as administrator:
        administrator.declare("mine")
    try:
        connection = BlockingConnection(
            broker.tls_url("ann:geheim@"), ssl_domain=domain(files), allowed_mechs=mechanisms, timeout=60
        )
    except ConnectionException as error:
        if "mech=none" not in str(error) or mechanisms is None:
            raise
        pytest.skip(f"this proton was built without {mechanisms}")
    assert send_and_browse(connection, "mine") == "x" * 300_000
    connection.close()


def test_proton_is_let_in_with_a_certificate(broker: TlsBroker, files: Path) -> None:
    with blocking.connect(f"amqp://root:all@127.0.0.1:{broker.port}") as administrator:
        administrator.declare("mine too")
        administrator.declare("others")
    connection = BlockingConnection(
        broker.tls_url(), ssl_domain=domain(files, certified=True), allowed_mechs="EXTERNAL", timeout=60
    )
    assert send_and_browse(connection, "mine too") == "x" * 300_000
    with pytest.raises(LinkDetached, match="'ann' may not write 'others'"):
        connection.create_sender("others")
    connection.close()


def test_proton_is_refused_with_a_wrong_password(broker: TlsBroker, files: Path) -> None:
    with pytest.raises(ConnectionException):
        BlockingConnection(broker.tls_url("ann:wrong@"), ssl_domain=domain(files), timeout=60)
