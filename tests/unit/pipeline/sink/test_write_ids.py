"""Ids by which a queue recognises a write that is repeated."""

import pytest

from lastvalue.pipeline.sink.options import Delivery, InvalidSinkError, SinkOptions
from lastvalue.pipeline.sink.write_ids import BATCH_ID, QUERY_ID, partition_write_id


def test_a_partition_of_a_micro_batch_is_known_by_query_batch_and_number() -> None:
    properties = {QUERY_ID: "q-1", BATCH_ID: "7"}
    assert partition_write_id(SinkOptions("q"), properties, 3) == "q-1/7/3"


def test_a_name_takes_the_place_of_the_query() -> None:
    properties = {QUERY_ID: "q-1", BATCH_ID: "7"}
    assert partition_write_id(SinkOptions("q", write_id="mine"), properties, 3) == "mine/7/3"


@pytest.mark.parametrize(
    ("properties", "missing"),
    [({QUERY_ID: "q"}, BATCH_ID), ({BATCH_ID: "7"}, QUERY_ID), ({QUERY_ID: None}, BATCH_ID)],
)
def test_a_task_that_cannot_be_known_again_is_refused(
    properties: dict[str, str | None], missing: str
) -> None:
    with pytest.raises(InvalidSinkError, match=f"gives this task no {missing}"):
        partition_write_id(SinkOptions("q"), properties, 0)


def test_at_least_once_needs_nothing_to_be_known_by() -> None:
    assert partition_write_id(SinkOptions("q", delivery=Delivery.AT_LEAST_ONCE), {}, 0) == ""
