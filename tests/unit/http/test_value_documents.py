"""lastvalue.http.value_documents."""

from lastvalue.client import Message
from lastvalue.http.value_documents import value_document


def test_a_value_has_its_key_beside_the_message() -> None:
    document = value_document(Message({"bid": 1}, {"symbol": "A", "venue": "X"}), "symbol")
    assert document == {
        "key": "A",
        "body": {"bid": 1},
        "properties": {"symbol": "A", "venue": "X"},
        "updates": 1,
    }


def test_a_message_without_the_property_has_no_key() -> None:
    assert value_document(Message("x"), "symbol")["key"] is None
