"""lastvalue.cli.options."""

from types import SimpleNamespace
from typing import Any

import pytest

from lastvalue.cli.exits import UsageError
from lastvalue.cli.options import complete_queue, one_key, parsed_properties
from lastvalue.client.blocking import connect


@pytest.mark.parametrize(
    ("pair", "name", "value"),
    [
        ("symbol=AAPL", "symbol", "AAPL"),
        ("symbol=", "symbol", ""),
        ("formula=a=b", "formula", "a=b"),
        ("price=1.5", "price", "1.5"),
        ("price:=1.5", "price", 1.5),
        ("active:=true", "active", True),
        ('text:="a"', "text", "a"),
    ],
)
def test_a_property_is_text_or_json(pair: str, name: str, value: object) -> None:
    assert parsed_properties([pair]) == {name: value}


@pytest.mark.parametrize(
    ("pair", "fault"),
    [
        ("symbol", "is not NAME=VALUE"),
        ("=AAPL", "is not NAME=VALUE"),
        (":=1", "is not NAME=VALUE"),
        ("price:=1.5x", "is not JSON"),
    ],
)
def test_a_property_of_another_form_is_refused(pair: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        parsed_properties([pair])


def asked(url: str) -> Any:
    source = SimpleNamespace(name="ENVIRONMENT")
    return SimpleNamespace(params={"url": url}, get_parameter_source=lambda _: source)


def test_the_shell_completes_names_of_queues(url: str) -> None:
    with connect(url) as connection:
        for name in ("prices", "prices.eu", "orders", "prices\x1b[31m", "prices\nrm"):
            connection.declare(name)
    context = asked(url)
    assert complete_queue(context, "pri") == ["prices", "prices.eu"]


def test_without_a_broker_the_shell_completes_nothing() -> None:
    assert complete_queue(asked("amqp://127.0.0.1:1"), "") == []


@pytest.mark.parametrize(("key", "named"), [("AAPL", None), (None, "AAPL")])
def test_a_key_is_named_by_its_place_or_by_an_option(key: str | None, named: str | None) -> None:
    assert one_key(key, named) == "AAPL"


@pytest.mark.parametrize(
    ("key", "named", "fault"), [(None, None, "name the key"), ("A", "B", "'A' and 'B' are given; give one")]
)
def test_no_key_and_two_keys_are_refused(key: str | None, named: str | None, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        one_key(key, named)
