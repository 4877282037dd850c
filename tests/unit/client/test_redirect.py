import pytest

from lastvalue.client.redirect import Redirect, redirect_in, redirect_of
from lastvalue.codec.amqp10.performatives import AmqpError

INFO = {"hostname": "one", "network-host": "one", "port": 5672}


@pytest.mark.parametrize("condition", ["amqp:link:redirect", "amqp:connection:redirect"])
def test_a_redirect_names_a_host_and_a_port(condition: str) -> None:
    assert redirect_of(AmqpError(condition, "elsewhere", INFO)) == Redirect("one", 5672)


@pytest.mark.parametrize(
    ("condition", "info"),
    [
        ("amqp:not-allowed", INFO),
        ("amqp:link:redirect", None),
        ("amqp:link:redirect", {}),
        ("amqp:link:redirect", {**INFO, "port": 0}),
        ("amqp:link:redirect", {**INFO, "port": 70_000}),
        ("amqp:link:redirect", {**INFO, "network-host": ""}),
        ("amqp:link:redirect", {**INFO, "port": "5672"}),
    ],
)
def test_what_names_no_broker_leads_nowhere(condition: str, info: object) -> None:
    assert redirect_in(condition, info) is None


def test_no_error_leads_nowhere() -> None:
    assert redirect_of(None) is None
