"""lastvalue.queues.trace_links."""

import pytest
from bare_queue import START_MS

from lastvalue.client import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER, PropertyName
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.trace_links import SIZE, replaced_traces

ONE, TWO, THREE, NEW = (f"00-{number:032x}-{number:016x}-01" for number in (1, 2, 3, 4))


def entry(trace_parent: object, earlier: str = "") -> Entry:
    properties = {} if trace_parent is None else {"traceparent": trace_parent}
    made = Entry(1, read_message(encode_message(Message("x", properties))), 0, NEVER, 1)
    made.replaced_traces = earlier
    return made


def test_the_newest_come_first_and_no_more_than_asked_for() -> None:
    assert len(ONE) == SIZE
    assert replaced_traces(entry(NEW).message, entry(ONE), 3) == ONE
    assert replaced_traces(entry(NEW).message, entry(TWO, ONE), 3) == f"{TWO} {ONE}"
    assert replaced_traces(entry(NEW).message, entry(THREE, f"{TWO} {ONE}"), 2) == f"{THREE} {TWO}"
    assert replaced_traces(entry(NEW).message, entry(THREE, f"{TWO} {ONE}"), 1) == THREE


def test_what_the_message_has_itself_is_no_link() -> None:
    assert replaced_traces(entry(TWO).message, entry(TWO, ONE), 3) == ONE


@pytest.mark.parametrize("trace_parent", [None, "x", 5, "x" * 56, "x " * 27 + "x", "é" * 55])
def test_other_texts_are_none(trace_parent: object) -> None:
    assert replaced_traces(entry(NEW).message, entry(trace_parent, ONE), 3) == ONE


@pytest.mark.parametrize("conflation", ["last", "first", "sum(x)"])
def test_the_value_of_an_interval_has_the_traces_of_its_updates(conflation: str) -> None:
    options = {"lvq_key": "k", "conflation": conflation, "conflation_interval_ms": 1000, "trace_links": 5}
    queue = Queue(spec_from_arguments("q", options))
    for trace_parent in (ONE, TWO, THREE):
        message = Message('{"x": 1}', {"k": "a", "traceparent": trace_parent})
        queue.enqueue(read_message(encode_message(message)), START_MS)
    queue.advance(START_MS + 1000)
    (value,) = queue.entries()
    kept = ONE if conflation == "first" else THREE
    assert value.message.text(PropertyName("traceparent")) == kept
    assert value.replaced_traces == ("" if conflation == "first" else f"{TWO} {ONE}")
