"""lastvalue.queues.trace_links."""

import pytest

from lastvalue.client import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.trace_links import SIZE, replaced_traces

ONE, TWO, THREE = (f"00-{number:032x}-{number:016x}-01" for number in (1, 2, 3))


def entry(trace_parent: object, earlier: str = "") -> Entry:
    properties = {} if trace_parent is None else {"traceparent": trace_parent}
    made = Entry(1, read_message(encode_message(Message("x", properties))), 0, NEVER, 1)
    made.replaced_traces = earlier
    return made


def test_the_newest_come_first_and_no_more_than_asked_for() -> None:
    assert len(ONE) == SIZE
    assert replaced_traces(entry(ONE), 3) == ONE
    assert replaced_traces(entry(TWO, ONE), 3) == f"{TWO} {ONE}"
    assert replaced_traces(entry(THREE, f"{TWO} {ONE}"), 2) == f"{THREE} {TWO}"
    assert replaced_traces(entry(THREE, f"{TWO} {ONE}"), 1) == THREE


@pytest.mark.parametrize("trace_parent", [None, "x", 5, "x" * 56, "x " * 27 + "x", "é" * 55])
def test_other_texts_are_none(trace_parent: object) -> None:
    assert replaced_traces(entry(trace_parent, ONE), 3) == ONE
