"""lastvalue.client.url."""

import re
import ssl
from pathlib import Path
from typing import Any

import pytest
import trustme

from lastvalue.client.connection import connect
from lastvalue.client.errors import InvalidUrlError
from lastvalue.client.url import BrokerUrl, parse_url, with_ca_file


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("amqp://broker", BrokerUrl("broker", 5672)),
        ("amqp://broker/", BrokerUrl("broker", 5672)),
        ("amqp://broker:5671", BrokerUrl("broker", 5671)),
        ("amqp://alice:secret@broker", BrokerUrl("broker", 5672, "alice", "secret")),
        ("amqp://alice@broker", BrokerUrl("broker", 5672, "alice", "")),
        ("amqp://al%40ice:s%3Ae%2Fc@broker", BrokerUrl("broker", 5672, "al@ice", "s:e/c")),
        ("amqp://[::1]:7000", BrokerUrl("::1", 7000)),
        ("broker:7000", BrokerUrl("broker", 7000)),
        ("broker", BrokerUrl("broker", 5672)),
        ("amqps://broker?ca_file=/a%20b.pem", BrokerUrl("broker", 5671, tls=True, ca_file="/a b.pem")),
        ("amqps://broker:1/?ca_file=ca.pem", BrokerUrl("broker", 1, tls=True, ca_file="ca.pem")),
    ],
)
def test_a_url_names_a_broker_and_who_asks(url: str, parts: BrokerUrl) -> None:
    assert parse_url(url) == parts


@pytest.mark.parametrize("url", [None, 1, [None], ["amqp://broker", 1]])
def test_what_is_no_text_names_no_broker(url: Any) -> None:
    with pytest.raises(InvalidUrlError, match="expected a text"):
        connect(url)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("amqp://", "no host"),
        ("", "no host"),
        ("http://broker", "amqp or amqps, not 'http'"),
        ("http://broker", "amqp or amqps"),
        ("amqp://broker:port", "ort"),
        ("amqp://broker:0", "the port must not be 0"),
        ("amqp://broker:70000", "out of range"),
        ("amqp://broker/vhost", "after the port only ?ca_file=PATH"),
        ("amqp://broker?a=b", "after the port only ?ca_file=PATH"),
        ("amqp://broker?a", "bad query field"),
        ("amqp://broker?ca_file=ca.pem", "needs amqps://"),
    ],
)
def test_what_is_no_url_of_a_broker_is_refused_with_what_would_be_right(url: str, fault: str) -> None:
    with pytest.raises(InvalidUrlError, match=re.escape(fault)) as caught:
        parse_url(url)
    assert "write amqp://[user:password@]host[:port]" in str(caught.value)


def test_an_error_does_not_show_the_password() -> None:
    with pytest.raises(InvalidUrlError) as caught:
        parse_url("amqp://alice:secret@broker/vhost")
    assert "secret" not in str(caught.value)


def test_the_parts_do_not_show_the_password() -> None:
    assert "secret" not in repr(parse_url("amqp://alice:secret@broker"))


def test_a_url_gets_a_file_of_trusted_authorities() -> None:
    assert parse_url(with_ca_file("broker", "/my ca.pem")) == BrokerUrl(
        "broker", 5671, tls=True, ca_file="/my ca.pem"
    )
    assert with_ca_file("amqps://a:b@broker:1/", "ca.pem") == "amqps://a:b@broker:1?ca_file=ca.pem"


@pytest.mark.parametrize("url", ["amqp://broker", "amqps://broker?ca_file=other.pem"])
def test_a_url_without_tls_or_with_a_file_gets_none(url: str) -> None:
    with pytest.raises(InvalidUrlError):
        with_ca_file(url, "ca.pem")


def test_a_connection_trusts_the_authorities_of_the_file(tmp_path: Path) -> None:
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = BrokerUrl("broker", tls=True, ca_file=str(tmp_path / "ca.pem")).tls_context()
    assert isinstance(context, ssl.SSLContext)
    assert len(context.get_ca_certs()) == 1
    assert BrokerUrl("broker").tls_context() is None


def test_a_missing_file_of_authorities_is_told() -> None:
    with pytest.raises(InvalidUrlError, match="'/nowhere' is not a file of certificates in PEM: No such"):
        BrokerUrl("broker", tls=True, ca_file="/nowhere").tls_context()
