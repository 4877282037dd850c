"""lastvalue.config.tls_listener."""

import ssl
from pathlib import Path

import pytest
import trustme

from lastvalue.config.tls_listener import TlsError, TlsListener, TlsOptions


def test_a_certificate_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    with pytest.raises(TlsError, match="No such file"):
        TlsListener(TlsOptions(tmp_path / "missing.pem"), refuse)


def test_a_handshake_after_a_change_of_the_files_tells_it_once(tmp_path: Path) -> None:
    file = tmp_path / "server.pem"
    write(file)
    changes: list[TlsError | None] = []
    listener = TlsListener(TlsOptions(file), lambda _, fault: changes.append(fault))
    begin_handshake(listener)
    write(file)
    begin_handshake(listener)
    begin_handshake(listener)
    assert changes == [None]
    file.write_text("nonsense")
    begin_handshake(listener)
    assert "cannot be used" in str(changes[1])


def write(file: Path) -> None:
    trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(file)


def begin_handshake(listener: TlsListener) -> None:
    """Let the listener see the first bytes of a client."""
    client, server = ssl.MemoryBIO(), ssl.MemoryBIO()
    connecting = ssl._create_unverified_context().wrap_bio(server, client)
    accepting = listener.context.wrap_bio(client, server, server_side=True)
    for side in (connecting, accepting):
        with pytest.raises(ssl.SSLWantReadError):
            side.do_handshake()


def refuse(options: TlsOptions, fault: TlsError | None) -> None:
    raise AssertionError((options, fault))
