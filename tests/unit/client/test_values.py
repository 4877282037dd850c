"""get, get_many and put of a queue, against a broker."""

import pytest

from lastvalue.client import (
    ChangeResult,
    Connection,
    DeleteResult,
    Message,
    PutResult,
    RefusedError,
)
from lastvalue.client.values import MOST_KEYS
from lastvalue.model.conditions import Condition


async def test_a_value_that_was_put_is_got_with_its_place(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    assert await prices.put("A", 2) == PutResult(sequence=2, taken=True)
    value = await prices.get("A")
    assert value is not None
    assert (value.body, value.sequence, value.updates) == (2, 2, 2)
    assert value.arrival_time_ms is not None
    assert await prices.get("B") is None


async def test_more_values_than_an_answer_takes_come_in_several(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="n")
    keys = range(MOST_KEYS + 10)
    await prices.send_many(Message("x" * 400, {"n": key}) for key in keys)
    values = await prices.get_many([*keys, "missing"])
    assert list(values) == list(keys)


async def test_a_value_that_somebody_else_changed_is_not_replaced(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    first = await prices.put("A", 1, if_sequence=0)
    await prices.send(Message(2, {"symbol": "A"}))
    with pytest.raises(RefusedError, match="has sequence 2") as refused:
        await prices.put("A", Message(3), if_sequence=first.sequence)
    assert refused.value.condition is Condition.PRECONDITION_FAILED


async def test_a_key_is_deleted_and_only_in_the_state_that_was_expected(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    with pytest.raises(RefusedError, match="has sequence 1") as refused:
        await prices.delete("A", if_sequence=2)
    assert refused.value.condition is Condition.PRECONDITION_FAILED
    assert await prices.delete("A", if_sequence=1) == DeleteResult(deleted=True, sequence=1)
    assert await prices.delete("A") == DeleteResult(deleted=False, sequence=0)
    assert await prices.get("A") is None
    assert (await prices.info()).removed == {"key_deleted": 1}


async def test_more_keys_than_can_change_together_are_refused(
    connection: Connection,
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    many = {f"k{number}": number for number in range(1001)}
    with pytest.raises(RefusedError, match=r"messages has 1001 keys, of which 1000 .* send_many") as refused:
        await prices.put_many(many)
    assert refused.value.condition is Condition.INVALID_FIELD
    with pytest.raises(RefusedError, match="delete has 1001 keys"):
        await prices.put_many({}, delete=many)
    with pytest.raises(RefusedError, match="if_sequences has 1001 keys"):
        await prices.put_many({"A": 1}, if_sequences=many)
    assert await prices.get_many(many) == {}
    del many["k0"]
    assert len((await prices.put_many(many)).put) == 1000


async def test_several_keys_change_together_or_not_at_all(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.put_many({"A": 1, "B": 1})
    changes = {"A": 2, "C": Message(2, {"symbol": "Z", "size": 5})}
    asked = {"A": 1, "B": 2, "C": 0}
    done = ChangeResult([PutResult(3, taken=True), PutResult(4, taken=True)], [DeleteResult(True, 2)])
    assert await prices.put_many(changes, delete=["B"], if_sequences=asked) == done
    with pytest.raises(RefusedError, match="the value of the key 'A' has sequence 3") as error:
        await prices.put_many(changes, delete=["B"], if_sequences=asked)
    assert error.value.condition is Condition.PRECONDITION_FAILED
    assert {key: each.sequence for key, each in (await prices.get_many("ABC")).items()} == {"A": 3, "C": 4}
