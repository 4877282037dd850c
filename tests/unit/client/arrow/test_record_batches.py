"""lastvalue.client.arrow.record_batches; test_columnar_decoder.py compares its two ways."""

import pytest

pytest.importorskip("pyarrow")

from lastvalue.client.arrow.record_batches import record_batch, schema_of
from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.columns import Columns


def test_every_batch_has_the_columns_of_the_schema() -> None:
    columns = Columns("k")
    columns.take_all([bytes(encode_message(Message("text", {"k": "A"}, subject="s")))])
    rows = record_batch(columns, "q")
    assert rows.schema.equals(schema_of())
    assert rows.select(["queue", "key", "body", "subject"]).to_pylist() == [
        {"queue": "q", "key": "A", "body": b"text", "subject": "s"}
    ]


def test_effects_have_further_columns() -> None:
    further = [name for name in schema_of(effects=True).names if name not in schema_of().names]
    assert further == ["effect", "reason", "effect_time", "of_sequence"]
