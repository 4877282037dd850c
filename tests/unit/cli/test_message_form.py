"""lastvalue.cli.message_form."""

import pytest

from lastvalue.cli.exits import UsageError
from lastvalue.cli.message_form import MessageForm
from lastvalue.client.message import Message

PRICE = Message("101.5", {"symbol": "AAPL", "venue": "X"}, sequence=7, arrival_time_ms=1_700_000_000_000)


def test_fields_and_properties_are_columns() -> None:
    form = MessageForm(["sequence", "symbol", "arrival_time_ms", "body", "nothing"])
    assert form.heading().split() == ["SEQUENCE", "SYMBOL", "ARRIVAL", "TIME", "BODY", "NOTHING"]
    assert form.line(PRICE).split() == ["7", "AAPL", "2023-11-14", "22:13:20Z", "101.5"]


def test_a_property_with_the_name_of_a_field_does_not_hide_the_field() -> None:
    message = Message("b", properties={"sequence": 77}, sequence=1)
    assert MessageForm(width=100).line(message).split() == ["1", "1", "b", "sequence=77"]


def test_a_template_names_fields_and_properties() -> None:
    form = MessageForm(template="{symbol:>6}|{body}|{nothing}|{{}}")
    assert (form.heading(), form.line(PRICE)) == ("", "  AAPL|101.5||{}")


@pytest.mark.parametrize("template", ["{symbol", "{}", "{symbol.x.y}", "{body:z}"])
def test_a_wrong_template_is_refused_at_once(template: str) -> None:
    with pytest.raises(UsageError, match="cannot be filled"):
        MessageForm(template=template)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("é" * 50_000, "… (100,000 bytes)"),
        (b"x" * 100_000, "… (100,000 bytes)"),
        (["x" * 96], "… (100 bytes)"),
    ],
)
def test_a_long_body_is_cut_to_the_width_with_its_size(body: object, told: str) -> None:
    line = MessageForm(width=80).line(Message(body, {"symbol": "AAPL"}, sequence=7))
    assert len(line) <= 80
    assert told in line
    assert line.endswith("symbol=AAPL")


def test_a_short_body_is_whole() -> None:
    assert MessageForm(width=40).line(PRICE).endswith("101.5                   symbol=AAPL venue=X")
