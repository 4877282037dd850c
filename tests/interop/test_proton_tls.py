"""python-qpid-proton over TLS, with a password and with a certificate, against the real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from proton import ConnectionException, Message, SSLDomain
from proton.utils import BlockingConnection, LinkDetached
from served_broker import ServedBroker

from lastvalue.client import blocking
from lastvalue.server.users import Users

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def files(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tls")
    authority.cert_pem.write_to_path(directory / "ca.pem")
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(directory / "server.pem")
    client = authority.issue_cert("ann@example.org", common_name="ann")
    client.cert_chain_pems[0].write_to_path(directory / "client.pem")
    client.private_key_pem.write_to_path(directory / "client.key")
    users = Users(directory / "users.toml")
    users.put("ann", "geheim", ("all mine*",))
    users.put("root", "all", None)
    return directory


class TlsBroker(ServedBroker):
    """A broker that listens with TLS too, on the port that its second line names."""

    def tls_url(self, user: str = "") -> str:
        assert self.process.stdout is not None
        if not self._tls_port:
            self._tls_port = int(self.process.stdout.readline().rpartition(":")[2])
        return f"amqps://{user}localhost:{self._tls_port}"

    _tls_port = 0


@pytest.fixture(scope="module")
def broker(files: Path) -> Iterator[TlsBroker]:
    arguments = ["--users-file", str(files / "users.toml"), "--tls-port", "0"]
    arguments += ["--tls-certificate", str(files / "server.pem"), "--tls-client-ca", str(files / "ca.pem")]
    with TlsBroker(*arguments) as served:
        served.tls_url()
        yield served


def domain(files: Path, *, certified: bool = False) -> SSLDomain:
    made = SSLDomain(SSLDomain.MODE_CLIENT)
    made.set_trusted_ca_db(str(files / "ca.pem"))
    made.set_peer_authentication(SSLDomain.VERIFY_PEER_NAME)
    if certified:
        made.set_credentials(str(files / "client.pem"), str(files / "client.key"), None)
    return made


def send_and_browse(connection: BlockingConnection, queue: str) -> object:
    connection.create_sender(queue).send(Message(body="x" * 300_000), timeout=10)
    receiver = connection.create_receiver(queue)
    body = receiver.receive(timeout=10).body
    receiver.accept()
    return body


@pytest.mark.parametrize("mechanisms", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", None])
def test_proton_is_let_in_with_a_password(broker: TlsBroker, files: Path, mechanisms: str | None) -> None:
    with blocking.connect(f"amqp://root:all@127.0.0.1:{broker.port}") as administrator:
        administrator.declare("mine")
    try:
        connection = BlockingConnection(
            broker.tls_url("ann:geheim@"), ssl_domain=domain(files), allowed_mechs=mechanisms, timeout=10
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
        broker.tls_url(), ssl_domain=domain(files, certified=True), allowed_mechs="EXTERNAL", timeout=10
    )
    assert send_and_browse(connection, "mine too") == "x" * 300_000
    with pytest.raises(LinkDetached, match="'ann' may not write 'others'"):
        connection.create_sender("others")
    connection.close()


def test_proton_is_refused_with_a_wrong_password(broker: TlsBroker, files: Path) -> None:
    with pytest.raises(ConnectionException):
        BlockingConnection(broker.tls_url("ann:wrong@"), ssl_domain=domain(files), timeout=10)
