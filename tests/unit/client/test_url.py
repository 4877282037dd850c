"""lastvalue.client.url."""

import pytest

from lastvalue.client.errors import InvalidUrlError
from lastvalue.client.url import BrokerUrl, parse_url


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
    ],
)
def test_a_url_names_a_broker_and_who_asks(url: str, parts: BrokerUrl) -> None:
    assert parse_url(url) == parts


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
        ("amqp://broker/vhost", "a path or query after the port"),
        ("amqp://broker?a=b", "a path or query after the port"),
    ],
)
def test_what_is_no_url_of_a_broker_is_refused_with_what_would_be_right(url: str, fault: str) -> None:
    with pytest.raises(InvalidUrlError, match=fault) as caught:
        parse_url(url)
    assert "write amqp://[user:password@]host[:port]" in str(caught.value)


def test_an_error_does_not_show_the_password() -> None:
    with pytest.raises(InvalidUrlError) as caught:
        parse_url("amqp://alice:secret@broker/vhost")
    assert "secret" not in str(caught.value)


def test_the_parts_do_not_show_the_password() -> None:
    assert "secret" not in repr(parse_url("amqp://alice:secret@broker"))
