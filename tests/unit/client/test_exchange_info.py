import pytest

from lastvalue.client.exchange_info import BindingInfo, ExchangeInfo, exchange_info


def test_an_exchange_is_as_the_broker_describes_it() -> None:
    described = {
        "name": "x",
        "options": {"type": "topic", "durable": True},
        "bindings": [{"destination": "q", "key": "a.#", "arguments": {"k": 1}}, {"destination": "p"}],
        "received": 7,
        "unrouted": 2,
    }
    assert exchange_info(described) == ExchangeInfo(
        "x",
        "topic",
        {"type": "topic", "durable": True},
        (BindingInfo("q", "a.#", {"k": 1}), BindingInfo("p")),
        7,
        2,
    )


@pytest.mark.parametrize(
    "described", [None, {}, [], "text", {"options": 5, "bindings": {}, "received": "many"}]
)
def test_what_a_broker_leaves_out_is_empty(described: object) -> None:
    assert exchange_info(described) == ExchangeInfo("", "")
