"""A broker with users that listens with TLS too."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trustme
from served_broker import ServedBroker

from lastvalue.client import blocking
from lastvalue.server.users import Users


class TlsBroker(ServedBroker):
    """A broker that listens with TLS too, on the port that its second line names.

    Args:
        files: `ca.pem`; `client.pem` and `client.key` of ann.
        event_loop: that it runs on.
    """

    def __init__(self, files: Path, event_loop: str) -> None:
        arguments = ["--event-loop", event_loop]
        arguments += ["--users-file", str(files / "users.toml"), "--tls-port", "0"]
        arguments += [
            "--tls-certificate",
            str(files / "server.pem"),
            "--tls-client-ca",
            str(files / "ca.pem"),
        ]
        super().__init__(*arguments)
        self.files = files
        self._tls_port = 0

    @property
    def tls_port(self) -> int:
        assert self.process.stdout is not None
        if not self._tls_port:
            self._tls_port = int(self.process.stdout.readline().rpartition(":")[2])
        return self._tls_port

    def tls_url(self, user: str = "") -> str:
        return f"amqps://{user}localhost:{self.tls_port}"


@contextmanager
def serving_tls(files: Path, event_loop: str = "auto") -> Iterator[TlsBroker]:
    """A broker with users, whose files it writes, and the queues `mine`, for ann, and `others`."""
    _write_files(files)
    with TlsBroker(files, event_loop) as served:
        assert served.tls_port
        with blocking.connect(f"amqp://root:all@127.0.0.1:{served.port}") as administrator:
            administrator.declare("mine")
            administrator.declare("others")
        yield served


def _write_files(directory: Path) -> None:
    """Certificates, and the users ann, who may use what begins with `mine`, and root."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(directory / "ca.pem")
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(directory / "server.pem")
    client = authority.issue_cert("ann@example.org", common_name="ann")
    client.cert_chain_pems[0].write_to_path(directory / "client.pem")
    client.private_key_pem.write_to_path(directory / "client.key")
    users = Users(directory / "users.toml")
    users.put("ann", "geheim", ("all mine*",))
    users.put("root", "all", None)
