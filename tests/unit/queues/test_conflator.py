"""lastvalue.queues.conflator, on a queue."""

import json
from typing import Any

import pytest

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import Message
from lastvalue.queues.conflator import conflator_of
from lastvalue.queues.errors import ConflationValueError, DelayRefusedError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscriber

START_MS = 1_700_000_000_000


def message(body: object, key: str = "a", **fields: Any) -> Message:
    kind = BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE
    content = MessageContent(
        body=body,
        body_kind=kind,
        application_properties={"k": key, **fields.pop("properties", {})},
        **fields,
    )
    return read_message(encode_content(content))


def queue_of(**options: Any) -> Queue:
    return Queue(spec_from_arguments("q", {"lvq_key": "k", **options}))


def test_only_a_policy_or_an_interval_makes_values() -> None:
    assert conflator_of(QueueSpec("q")) is None
    assert conflator_of(QueueSpec("q", LastValue("k"))) is None
    assert conflator_of(QueueSpec("q", LastValue("k", interval_ms=5))) is not None


@pytest.mark.parametrize(
    ("sent", "kind"),
    [({"p": 1}, BodyKind.VALUE), ('{"p":1}', BodyKind.VALUE), (b'{"p":1}', BodyKind.DATA)],
)
def test_the_value_has_the_form_and_the_properties_of_the_newest_update(sent: object, kind: BodyKind) -> None:
    queue = queue_of(conflation="sum(p)")
    queue.enqueue(message({"p": 1}, properties={"venue": "X"}), START_MS)
    queue.enqueue(message(sent, properties={"venue": "Y"}, subject="s", durable=False), START_MS + 5)
    [entry] = queue.entries()
    content = decode_content(entry.message.encoded)
    body = content.body
    if not isinstance(body, dict):
        assert isinstance(body, str | bytes)
        body = json.loads(body)
    assert (type(content.body), content.body_kind) == (type(sent), kind)
    assert body == {"p": 2, "updates": 2, "first_time": START_MS, "last_time": START_MS + 5}
    assert (content.application_properties["venue"], content.subject) == ("Y", "s")
    annotations = content.message_annotations
    assert (annotations["x-opt-policy"], annotations["x-opt-first-time"]) == ("sum(p)", START_MS)
    assert (entry.updates, queue.published, queue.depth) == (2, 2, 1)


def test_a_value_is_durable_if_one_of_its_updates_is() -> None:
    queue = queue_of(conflation="sum(p)")
    queue.enqueue(message({"p": 1}, durable=True), START_MS)
    queue.enqueue(message({"p": 1}), START_MS)
    [entry] = queue.entries()
    assert entry.message.durable
    assert read_message(entry.message.encoded).durable


def test_what_a_producer_writes_into_the_conflation_is_not_believed() -> None:
    queue = queue_of(conflation="sum(p)")
    forged = {"x-opt-conflation": '{"n":1000,"v":"x"}', "x-opt-first-time": 0}
    queue.enqueue(
        message({"p": 1}, message_annotations=forged, properties={"x-opt-conflation": "{}"}), START_MS
    )
    queue.enqueue(message({"p": 2}, properties={"x-opt-conflation": "{}"}), START_MS)
    body = decode_content(queue.entries()[0].message.encoded).body
    assert isinstance(body, dict)
    assert (body["p"], body["updates"]) == (3, 2)


def test_a_consumer_does_not_amend_a_value() -> None:
    queue = queue_of(conflation="sum(p)")
    queue.enqueue(message({"p": 1}), START_MS)
    reader = queue.subscribe(Mode.CONSUME, Subscriber(), ANY, START_MS)
    entry = queue.next(reader, START_MS)
    assert entry is not None
    before = entry.message
    queue.amend(entry, message({"p": 9}))
    assert entry.message is before
    queue.settle(entry, Outcome.RELEASED, START_MS)
    queue.enqueue(message({"p": 1}), START_MS)
    assert b"\x02" in queue.entries()[0].message.encoded


def test_a_refused_update_changes_nothing() -> None:
    queue = queue_of(conflation="sum(p)")
    queue.enqueue(message({"p": 1}), START_MS)
    queue.drain()
    with pytest.raises(ConflationValueError, match=r"^queue .q. cannot conflate"):
        queue.enqueue(message({"p": "x"}), START_MS)
    with pytest.raises(ConflationValueError):
        queue.admission.examine(message({"p": "x"}), START_MS)
    with pytest.raises(DelayRefusedError):
        queue.enqueue(message({"p": 1}, message_annotations={"x-opt-delivery-delay": 5}), START_MS)
    assert (queue.drain(), queue.depth, queue.sequence, queue.refused) == ([], 1, 1, 0)


def test_an_interval_ends_at_a_multiple_of_its_length_and_a_clock_that_is_set_back_begins_none() -> None:
    queue = queue_of(conflation="count", conflation_interval_ms=1000)
    queue.enqueue(message("x"), START_MS + 999)
    assert queue.next_deadline() == START_MS + 1000
    queue.enqueue(message("x"), START_MS - 5000)
    assert (queue.depth, queue.next_deadline()) == (1, START_MS + 1000)
    queue.enqueue(message("x"), START_MS + 1000)
    assert (queue.depth, queue.available, queue.next_deadline()) == (2, 1, START_MS + 2000)
    queue.advance(START_MS + 2000)
    [last] = queue.entries()
    body = decode_content(last.message.encoded)
    assert body.message_annotations["x-opt-interval-start"] == START_MS + 1000
    assert (last.updates, queue.contents.open_intervals) == (3, {})


def test_a_limit_of_bytes_counts_the_value_and_a_transaction_that_might_not_fit_is_refused() -> None:
    queue = queue_of(conflation="list(10)", max_bytes=700)
    queue.enqueue(message("x" * 100), START_MS)
    assert queue.admission.has_room(message("x" * 100), START_MS)
    assert not queue.admission.has_room(message("x" * 400), START_MS)
    assert not queue.enqueue(message("x" * 400), START_MS)
    assert not queue.admission.takes([message("x" * 100)] * 2, [], START_MS)


def test_an_update_at_the_end_of_an_interval_belongs_to_the_next() -> None:
    queue = queue_of(conflation="count", conflation_interval_ms=1000)
    queue.enqueue(message({}), START_MS + 999)
    queue.enqueue(message({}), START_MS + 1000)
    assert [int(each.updates) for each in queue.entries()] == [1, 1]
    assert [int(each.not_before_ms) for each in queue.entries()] == [START_MS + 1000, START_MS + 2000]


def test_updates_of_open_intervals_fit_a_full_queue_in_a_transaction() -> None:
    queue = queue_of(conflation="count", conflation_interval_ms=1000, max_messages=1)
    queue.enqueue(message("x"), START_MS)
    assert queue.admission.takes([message("x")] * 3, [], START_MS)
    assert not queue.admission.takes([message("x", "b")], [], START_MS)
