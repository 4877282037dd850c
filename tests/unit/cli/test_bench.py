"""lastvalue.cli.bench."""

import json
from collections.abc import Callable

Lastvalue = Callable[[str], tuple[int, str, str]]


def test_what_was_measured_is_printed_and_nothing_stays(lastvalue: Lastvalue, url: str) -> None:
    assert url
    code, output, said = lastvalue("bench --messages 1200 --size 10 -o json")
    measured = json.loads(output)
    assert (code, measured["messages"], measured["size_bytes"]) == (0, 1200, 10)
    assert measured["in_per_s"] > 0
    assert measured["out_per_s"] > 0
    assert said.startswith("measured: one Python client sent 1200 messages of 10 bytes")
    assert lastvalue("queue list -o json")[1] == "[]\n"
