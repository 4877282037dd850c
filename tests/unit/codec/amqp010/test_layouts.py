import pytest

from lastvalue.codec.amqp010.layouts import Layout, Record

LAYOUT = Layout("test.record", 0x0101, (("text", "str8"), ("number", "uint8"), ("inner", "struct32")))
INNER = Record(LAYOUT)


def test_fields_are_numbered_in_their_order() -> None:
    assert LAYOUT.index == {"text": 0, "number": 1, "inner": 2}


def test_a_record_gives_the_fields_that_are_there() -> None:
    values = {"text": "a", "number": 5, "binary": b"x", "map": {"k": 1}, "ranges": [(1, 2)], "inner": INNER}
    record = Record(LAYOUT, values)
    assert (record.text("text"), record.number("number"), record.binary("binary")) == ("a", 5, b"x")
    assert (record.map("map"), record.ranges("ranges"), record.record("inner")) == ({"k": 1}, [(1, 2)], INNER)
    assert record.has("text")


@pytest.mark.parametrize(
    "values", [{}, dict.fromkeys(("text", "number", "binary", "map", "ranges", "inner"))]
)
def test_a_field_that_is_not_there_is_empty(values: dict[str, object]) -> None:
    record = Record(LAYOUT, values)
    assert (record.text("text"), record.number("number", 7), record.binary("binary")) == ("", 7, None)
    assert (record.map("map"), record.ranges("ranges"), record.record("inner")) == ({}, [], None)


def test_a_record_is_printed_with_its_name_and_fields() -> None:
    assert repr(Record(LAYOUT, {"text": "a", "number": 5})) == "test.record(text='a', number=5)"
