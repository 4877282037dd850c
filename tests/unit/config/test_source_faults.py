"""lastvalue.config.source_faults."""

import pytest

from lastvalue.config.errors import ConfigurationError
from lastvalue.config.toml_reader import parse_toml

FEED = """
[[feed]]
name = "ticks"
format = "csv"
path = "in"
queue = "prices"
"""
SCHEMA = (
    "symbol STRING, `a b` decimal(10, 2) NOT NULL, at: timestamp, path ARRAY<STRUCT<x: DOUBLE, y: DOUBLE>>"
)


@pytest.mark.parametrize(
    "more",
    [
        'key = "Symbol"\norder_by = "at"\noptions = { MAXFILESPERTRIGGER = 1, header = true }',
        'key = "day"\norder_by = "at"\noptions = { somethingElse = 1 }',
        'key = "name"\norder_by = "at"\nselect = ["at", "upper(symbol) AS name"]',
        'key = "symbl"\norder_by = "at"\nselect = ["at", "upper(symbol)"]',
    ],
)
def test_what_spark_may_take_is_no_fault(more: str) -> None:
    parse_toml(f'{FEED}schema = "{SCHEMA}"\n{more}')


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (
            'schema = "symbol STRNG, at TIMESTAMP"',
            (
                "feed[1].schema is 'symbol STRNG, at TIMESTAMP': Spark has no type 'STRNG', that of column "
                "'symbol'; is it 'STRING'?"
            ),
        ),
        ('schema = "symbol, at TIMESTAMP"', "column 'symbol' has no type"),
        (
            'schema = "symbol STRING"\noptions = { maxFilePerTrigger = 1 }',
            (
                "feed[1].options.maxFilePerTrigger is '1': csv files have no such option; "
                "is it 'maxFilesPerTrigger'?"
            ),
        ),
        (
            'schema = "symbol STRING, at TIMESTAMP"\nkey = "symbl"\norder_by = "att"',
            "feed[1].key is 'symbl': there is no column 'symbl'; there are symbol, at; is it 'symbol'?",
        ),
        (
            'schema = "symbol STRING, at TIMESTAMP"\nkey = "symbol"\norder_by = "att"',
            "feed[1].order_by is 'att': there is no column 'att'; there are symbol, at; is it 'at'?",
        ),
        (
            'schema = "a STRING, at DATE"\nselect = ["a AS symbol", "at"]\nkey = "symbols"\norder_by = "at"',
            "there is no column 'symbols'; there are symbol, at; is it 'symbol'?",
        ),
    ],
)
def test_what_is_nearly_right_is_told_with_its_key(more: str, fault: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        parse_toml(FEED + more)
    assert fault in str(raised.value)
