"""lastvalue.cli.options."""

import pytest

from lastvalue.cli.exits import UsageError
from lastvalue.cli.options import parsed_properties


@pytest.mark.parametrize(
    ("pair", "name", "value"),
    [
        ("symbol=AAPL", "symbol", "AAPL"),
        ("symbol=", "symbol", ""),
        ("formula=a=b", "formula", "a=b"),
        ("price=1.5", "price", "1.5"),
        ("price:=1.5", "price", 1.5),
        ("active:=true", "active", True),
        ('text:="a"', "text", "a"),
    ],
)
def test_a_property_is_text_or_json(pair: str, name: str, value: object) -> None:
    assert parsed_properties([pair]) == {name: value}


@pytest.mark.parametrize(
    ("pair", "fault"),
    [
        ("symbol", "is not NAME=VALUE"),
        ("=AAPL", "is not NAME=VALUE"),
        (":=1", "is not NAME=VALUE"),
        ("price:=1.5x", "is not JSON"),
    ],
)
def test_a_property_of_another_form_is_refused(pair: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        parsed_properties([pair])
