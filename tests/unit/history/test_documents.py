"""What a history tells as JSON."""

from lastvalue.client import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.history.documents import change_document, queued_message_document, record_document
from lastvalue.history.moment import Moment
from lastvalue.history.recorded_history import Change
from lastvalue.history.records import ADDED, DECLARED, REMOVED, Record


def added(sequence: int, message: bytes) -> Record:
    return Record(sequence, ADDED, "q", 1000, sequence=sequence, key="A", arrival_ms=900, message=message)


def test_a_queued_message_is_told_with_its_content() -> None:
    moment = Moment().apply_all([added(1, bytes(encode_message(Message("one", {"n": 1}))))])
    document = queued_message_document(moment.present[1])
    assert document == {
        "sequence": 1,
        "state": "available",
        "key": "A",
        "arrival_time_ms": 900,
        "body": "one",
        "properties": {"n": 1},
        "updates": 1,
    }


def test_a_change_has_the_body_before_and_why_that_left() -> None:
    records = [added(number, bytes(encode_message(Message(number)))) for number in (1, 2)]
    present = Moment().apply_all(records).present
    document = change_document(Change("replaced", present[1], present[2], "replaced"))
    assert (document["change"], document["before"], document["body"], document["reason"]) == (
        "replaced",
        1,
        2,
        "replaced",
    )


def test_a_record_without_content_has_no_body() -> None:
    document = record_document(Record(7, REMOVED, "q", 0, sequence=3, reason="expired"))
    assert document == {
        "time": "1970-01-01T00:00:00.000Z",
        "effect": "removed",
        "reason": "expired",
        "sequence": 3,
        "body": None,
        "updates": None,
    }
    declared = record_document(Record(1, DECLARED, "q", 0, declaration={"durable": True}))
    assert declared["declaration"] == {"durable": True}


def test_a_message_that_cannot_be_read_says_why() -> None:
    document = record_document(added(1, b"\x00\x53\x77\xff"))
    assert document["body_base64"] == "AFN3/w=="
    assert document["malformed"]
