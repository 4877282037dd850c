"""`lastvalue sql`."""

import json
import sys
from collections.abc import Callable

import pytest

from lastvalue.cli.app import run

Run = Callable[[str], tuple[int, str, str]]

_QUERY = "select key, body, arrival_time > timestamp '2020-01-01' as new, 1.5::decimal(3,1) as d from prices"


@pytest.mark.usefixtures("url")
def test_a_query_is_printed(lastvalue: Run, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("duckdb")
    lastvalue("queue add prices --lvq-key symbol")
    lastvalue("send prices 101.5 --key AAPL")
    assert run(["sql", _QUERY, "-o", "jsonl"]) == 0
    assert json.loads(capfd.readouterr().out) == {"key": "AAPL", "body": "101.5", "new": True, "d": "1.5"}
    assert run(["sql", "select * from none"]) == 1
    assert capfd.readouterr().err.startswith("lastvalue: the query reads 'none'")


def test_what_it_needs_is_named(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    for name in [name for name in sys.modules if name.startswith("lastvalue.sql.")]:
        monkeypatch.delitem(sys.modules, name)
    assert run(["sql", "select 1"]) == 1
    assert "pip install 'lastvalue[sql]'" in capfd.readouterr().err
