import pytest
from canned_message import CannedMessage

from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.queues.ids import LONGEST_ID, DuplicateIdError, explicit_id, numbered_id

GIVEN = "_AMQ_DUPL_ID"
NUMBER = "properties.message-id"


def marked(producer: str, properties: dict[str, object]) -> bytes:
    message = CannedMessage(properties)
    DuplicateDetection(producer).mark(message)
    return message.duplicate_id


@pytest.mark.parametrize(
    ("producer", "properties", "duplicate_id"),
    [
        ("", {}, b""),
        ("", {NUMBER: "5"}, b""),
        ("p", {}, b""),
        ("p", {NUMBER: "5"}, numbered_id("p", b"5")),
        ("p", {NUMBER: 5}, numbered_id("p", b"5")),
        ("p", {NUMBER: b"5"}, numbered_id("p", b"5")),
        ("", {GIVEN: "x"}, explicit_id(b"x")),
        ("p", {GIVEN: "x", NUMBER: "5"}, explicit_id(b"x")),
    ],
)
def test_the_id_that_a_message_carries_goes_before_its_number(
    producer: str, properties: dict[str, object], duplicate_id: bytes
) -> None:
    assert marked(producer, properties) == duplicate_id


def test_one_number_of_two_producers_is_two_ids() -> None:
    assert marked("p", {NUMBER: "5"}) != marked("q", {NUMBER: "5"})


def test_an_id_that_no_queue_would_remember_is_refused() -> None:
    with pytest.raises(DuplicateIdError):
        marked("", {GIVEN: "x" * (LONGEST_ID + 1)})
