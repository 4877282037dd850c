"""x-death and its kin."""

from typing import Any

import pytest
from pamqp.decode import field_table

from lastvalue.codec.amqp091.deaths import death_headers
from lastvalue.codec.amqp091.fields import table
from lastvalue.codec.amqp10.values import Symbol, Timestamp, ULong, Value

FIRST: dict[Value, Value] = {
    Symbol("queue"): "work",
    Symbol("reason"): Symbol("rejected"),
    Symbol("count"): ULong(2),
    Symbol("first-time"): Timestamp(1_000_000),
    Symbol("last-time"): Timestamp(2_000_000),
    Symbol("exchange"): "jobs",
    Symbol("routing-keys"): ["a", "b"],
    Symbol("first"): True,
}
LAST: dict[Value, Value] = {**FIRST, "queue": "delay", "reason": "expired", "first": False, "ttl": 50}


def test_the_headers_have_the_types_of_rabbitmq() -> None:
    headers: Any
    _, headers = field_table(table(death_headers([LAST, FIRST])))
    last, first = headers.pop("x-death")
    assert (first["queue"], first["reason"], first["count"], first["exchange"]) == (
        "work",
        "rejected",
        2,
        "jobs",
    )
    assert (first["routing-keys"], int(first["time"].timestamp())) == (["a", "b"], 1000)
    assert ("original-expiration" in first, last["original-expiration"]) == (False, "50")
    assert headers == {
        "x-first-death-queue": "work",
        "x-first-death-reason": "rejected",
        "x-first-death-exchange": "jobs",
        "x-last-death-queue": "delay",
        "x-last-death-reason": "expired",
        "x-last-death-exchange": "jobs",
    }


@pytest.mark.parametrize("deaths", [None, 1, "x", [], [1, None], {}])
def test_what_is_no_list_of_deaths_gives_no_headers(deaths: Value) -> None:
    assert death_headers(deaths) == {}
