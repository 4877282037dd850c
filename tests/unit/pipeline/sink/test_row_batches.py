"""Rows in row_batches."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from lastvalue.client import Message, Refusal
from lastvalue.model.conditions import Condition
from lastvalue.pipeline.sink.options import Delivery, SinkOptions
from lastvalue.pipeline.sink.row_batches import RejectedRowError, RowBatch, row_batches

OPTIONS = SinkOptions("q", transaction_rows=3, durable=False)
TOLERANT = replace(OPTIONS, dead_letters="bad")


def batch(*bodies: str | None, **columns: list[Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"body": pa.array(bodies, "string"), **columns})


def bodies(parcel: RowBatch) -> list[object]:
    return [message.body for message in parcel.messages()]


@pytest.mark.parametrize(
    "batches",
    [
        [batch("1", "2", "3", "4", "5", "6", "7")],
        [batch("1"), batch("2"), batch(), batch("3", "4", "5", "6", "7")],
        [batch("1", "2", "3", "4"), batch("5", "6", "7")],
    ],
)
def test_the_same_rows_in_other_batches_make_the_same_parcels(batches: list[pa.RecordBatch]) -> None:
    made = list(row_batches(batches, OPTIONS))
    assert [bodies(parcel) for parcel in made] == [["1", "2", "3"], ["4", "5", "6"], ["7"]]
    assert [len(parcel) for parcel in made] == [3, 3, 1]


def test_rows_that_fill_parcels_leave_none_over() -> None:
    assert [len(parcel) for parcel in row_batches([batch("1", "2", "3"), batch("4", "5", "6")], OPTIONS)] == [
        3,
        3,
    ]


def test_a_whole_partition_is_one_parcel_where_that_is_asked_for() -> None:
    every = replace(OPTIONS, transaction_rows=0)
    assert [len(parcel) for parcel in row_batches([batch("1", "2"), batch("3")], every)] == [3]


def test_nothing_makes_no_parcel() -> None:
    assert list(row_batches([batch()], OPTIONS)) == []


def test_the_first_message_carries_the_id_each_time_it_is_read() -> None:
    parcel = RowBatch([batch("1", "2", key=["a", "b"])], OPTIONS)
    for _ in range(2):
        assert list(parcel.messages("id/0")) == [
            Message("1", {"key": "a", "_AMQ_DUPL_ID": "id/0"}),
            Message("2", {"key": "b"}),
        ]


@pytest.mark.parametrize(("says", "is_durable"), [(True, True), (False, False), (None, True)])
def test_rows_that_do_not_say_are_as_durable_as_the_option(says: bool | None, is_durable: bool) -> None:
    rows = batch("1", durable=pa.array([says], "bool"))
    (message,) = RowBatch([rows], replace(OPTIONS, durable=True)).messages()
    assert message.durable is is_durable


def test_a_row_that_is_no_message_is_told_with_what_it_holds() -> None:
    parcel = RowBatch([batch(None, key=["a"])], OPTIONS)
    with pytest.raises(RejectedRowError, match=r'body is null.*the row is \{"key": "a"'):
        list(parcel.messages())


def test_rows_must_not_bring_ids_of_their_own_where_the_sink_sets_them() -> None:
    rows = batch("1", properties=pa.array([{"_AMQ_DUPL_ID": "x"}]))
    with pytest.raises(RejectedRowError, match="a row has the property _AMQ_DUPL_ID"):
        list(RowBatch([rows], OPTIONS).messages())
    (message,) = RowBatch([rows], replace(OPTIONS, delivery=Delivery.AT_LEAST_ONCE)).messages()
    assert message.properties == {"_AMQ_DUPL_ID": "x"}


def test_rows_that_are_no_messages_become_dead_letters() -> None:
    parcel = RowBatch([batch(None, "1", "2", priority=[4, 4, 999])], TOLERANT)
    assert [(each.body, each.properties) for each in parcel.messages("id")] == [("1", {"_AMQ_DUPL_ID": "id"})]
    first, second = parcel.dead_letters([])
    assert first.body == '{"priority": 4, "durable": false}'
    assert first.annotations == {
        "x-opt-reason": "a row's body is null: a message needs a body",
        "x-opt-original-queue": "q",
    }
    assert "priority is 0 to 255" in str(second.annotations["x-opt-reason"])


def test_what_the_broker_refused_becomes_a_dead_letter_with_its_reason() -> None:
    parcel = RowBatch([batch("1", None, "2", "3")], TOLERANT)
    list(parcel.messages("id"))
    refused, unusable = parcel.dead_letters([Refusal(1, "rejected", "amqp:not-allowed", "no")])
    assert (refused.body, refused.annotations["x-opt-reason"]) == ("2", "no")
    assert "body is null" in str(unusable.annotations["x-opt-reason"])


def test_want_of_room_is_no_fault_of_a_row() -> None:
    parcel = RowBatch([batch("1")], TOLERANT)
    full = Refusal(0, "rejected", Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, "queue 'q' is full")
    with pytest.raises(RejectedRowError, match="1 rows were not taken: queue 'q' is full"):
        parcel.dead_letters([full])
