"""The source's options."""

import pytest

pytest.importorskip("pyspark")

from lastvalue.client.errors import InvalidUrlError
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.source.options import (
    InvalidSourceError,
    SourceOptions,
    Start,
    StartKind,
    parse_source_options,
)


def test_a_queue_is_all_that_is_needed() -> None:
    assert parse_source_options({"queue": "prices"}) == SourceOptions(queue="prices")


def test_every_option_is_taken_in_any_case() -> None:
    given = {
        "QUEUE": "q",
        "url": "host:5673",
        "user": "a@b",
        "password": "p:w",
        "keyproperty": "symbol",
        "read": "Effects",
        "startingoffsets": "sequence:7",
        "selector": "n > 1",
        "maxRecordsPerBatch": "10",
        "numPartitions": "4",
        "failOnDataLoss": "FALSE",
        "timeoutSeconds": "5",
    }
    assert parse_source_options(given) == SourceOptions(
        queue="q",
        url="amqp://a%40b:p%3Aw@host:5673",
        key_property="symbol",
        effects=True,
        start=Start(StartKind.SEQUENCE, 7),
        selector="n > 1",
        most_records=10,
        partitions=4,
        fail_on_data_loss=False,
        timeout_s=5.0,
    )


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("snapshot", Start()),
        ("Earliest", Start()),
        ("latest", Start(StartKind.LATEST)),
        ("sequence:0", Start(StartKind.SEQUENCE, 0)),
        ("timestamp:1700000000000", Start(StartKind.TIMESTAMP, 1_700_000_000_000)),
        ("timestamp:2023-11-14T22:13:20Z", Start(StartKind.TIMESTAMP, 1_700_000_000_000)),
        ("timestamp:2023-11-14T23:13:20.5+01:00", Start(StartKind.TIMESTAMP, 1_700_000_000_500)),
    ],
)
def test_a_query_begins_where_it_is_told(text: str, start: Start) -> None:
    assert parse_source_options({"queue": "q", "startingOffsets": text}).start == start


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "needs the option 'queue'"),
        ({"queue": ""}, "needs the option 'queue'"),
        ({"queue": "q", "topic": "t"}, "has no option 'topic'; its options are queue, url"),
        ({"queue": "q", "path": "p"}, "a queue has no path"),
        ({"queue": "q", "password": "p"}, "a password needs the option 'user'"),
        ({"queue": "q", "user": "a", "url": "amqp://b:c@host"}, "names a user already"),
        ({"queue": "q", "timeoutSeconds": "soon"}, "timeoutSeconds is 'soon'; expected a number above 0"),
        ({"queue": "q", "timeoutSeconds": "nan"}, "timeoutSeconds is 'nan'"),
        ({"queue": "q", "read": "all"}, "read is 'all'; expected 'values' or 'effects'"),
        ({"queue": "q", "startingOffsets": "newest"}, "expected snapshot, earliest, latest, sequence:N"),
        ({"queue": "q", "startingOffsets": "sequence:"}, "expected snapshot"),
        ({"queue": "q", "startingOffsets": "timestamp:soon"}, "expected milliseconds since the epoch"),
        ({"queue": "q", "startingOffsets": "timestamp:2026-01-31"}, "without a time zone"),
        (
            {"queue": "q", "startingOffsets": "latest", "replayPeriod": "5"},
            "leave it out, or startingOffsets",
        ),
        (
            {"queue": "q", "maxRecordsPerBatch": "0"},
            "maxRecordsPerBatch is '0'; expected a whole number from 1",
        ),
        ({"queue": "q", "columns": "key,,body"}, "columns is 'key,,body'; expected names with commas"),
        ({"queue": "q", "columns": "key,key"}, "each once"),
        ({"queue": "q", "numPartitions": "two"}, "numPartitions is 'two'"),
        ({"queue": "q", "failOnDataLoss": "no"}, "failOnDataLoss is 'no'; expected 'true' or 'false'"),
    ],
)
def test_options_that_cannot_be_are_named(options: dict[str, str], text: str) -> None:
    with pytest.raises(InvalidSourceError, match=text):
        parse_source_options(options)


def test_a_url_or_a_selector_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidUrlError):
        parse_source_options({"queue": "q", "url": "http://host"})
    with pytest.raises(LastvalueError, match="n >"):
        parse_source_options({"queue": "q", "selector": "n >"})
