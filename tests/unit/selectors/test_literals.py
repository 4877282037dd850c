"""Numbers as they are written in Java and C++."""

import pytest
from canned_message import CannedMessage

from lastvalue.selectors import InvalidSelectorError, parse_selector
from lastvalue.selectors.expressions import Literal


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("0", 0),
        ("42", 42),
        ("42L", 42),
        ("42l", 42),
        ("1_000_000", 1000000),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("0xFF", 255),
        ("0Xff_ffL", 65535),
        ("0x1d", 29),
        ("0b111_111", 63),
        ("0B0l", 0),
        ("077", 63),
        ("077L", 63),
        ("0_7", 7),
        ("0000", 0),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("08.5", 8.5),
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        ("1.5e+1_0", 1.5e10),
        ("5d", 5.0),
        ("5D", 5.0),
        ("5f", 5.0),
        ("0.1f", 0.10000000149011612),
        ("0.1d", 0.1),
        ("-0.0", -0.0),
        ("1e-999", 0.0),
    ],
)
def test_a_number_is_read_as_it_is_written(written: str, number: float) -> None:
    assert parse_selector(written).tree == Literal(number)


@pytest.mark.parametrize("condition", ["0xFF=255L", "077L=63", "077L=0b111_111", "0.4f>0.3d", "-0.0=0"])
def test_the_same_number_may_be_written_in_several_ways(condition: str) -> None:  # S-283
    assert parse_selector(condition).matches(CannedMessage())


@pytest.mark.parametrize(
    "written",
    [
        "9223372036854775808",
        "9223372036854775808>0",
        "-(0 + 9223372036854775808)",
        "0x8000000000000000",
        "1e999",
        "1e39f",
        "08",
        "09L",
        "0x",
        "0xG",
        "0b2",
        "1_",
        "1__",
        "12ab",
        "1..2",
        "1.2.3",
        "1e",
        "1e+",
        "5ff",
        "0x1.8",
    ],
)
def test_what_is_no_number_or_out_of_range_is_refused(written: str) -> None:  # S-283
    with pytest.raises(InvalidSelectorError):
        parse_selector(written)


def test_a_number_that_needs_its_minus_is_told_with_the_largest() -> None:
    with pytest.raises(InvalidSelectorError, match="the largest whole number is 9223372036854775807"):
        parse_selector("a = 9223372036854775808")


def test_eight_is_no_octal_digit() -> None:
    with pytest.raises(InvalidSelectorError, match="after a 0 come octal digits, 0 to 7"):
        parse_selector("a = 08")
