"""The numbers and quoted texts of a selector, from their spelling to their value and back."""

import math
import re
import struct
from typing import Final

LARGEST: Final = 2**63 - 1
"""The largest whole number of a selector; the smallest is -LARGEST - 1."""

_DECIMALS: Final = "[0-9](?:_*[0-9])*"
# Prefix, digits, base; the suffix L changes nothing, as every whole number is a long.
_WHOLE: Final = (
    (re.compile(r"(0|[1-9](?:_*[0-9])*)[lL]?"), 10),
    (re.compile(r"0[xX]([0-9A-Fa-f](?:_*[0-9A-Fa-f])*)[lL]?"), 16),
    (re.compile(r"0[bB]([01](?:_*[01])*)[lL]?"), 2),
    (re.compile(r"0_*([0-7](?:_*[0-7])*)[lL]?"), 8),
)
_FLOATING: Final = re.compile(
    rf"""
    (?P<number>
        (?: {_DECIMALS}\.(?:{_DECIMALS})? | \.{_DECIMALS} ) (?: [eE][+-]?{_DECIMALS} )?
      | {_DECIMALS}[eE][+-]?{_DECIMALS}
      | {_DECIMALS}(?=[fFdD])
    )
    (?P<suffix>[fFdD])?
    """,
    re.VERBOSE,
)
_SINGLE: Final = struct.Struct(">f")
_MOST_DIGITS: Final = 64


def literal_number(written: str) -> int | float:
    """The number that is written as in Java or C++; with the suffix f its precision is 32 bits.

    2**63 is accepted, because the smallest whole number is a minus and 2**63.

    Raises:
        ValueError: the text is not a number, or the number is out of range.
    """
    for pattern, base in _WHOLE:
        match = pattern.fullmatch(written)
        if match is not None:
            return _whole(written, match[1].replace("_", ""), base)
    match = _FLOATING.fullmatch(written)
    if match is None:
        hint = "; after a 0 come octal digits, 0 to 7" if re.fullmatch(r"0[0-9_]+[lL]?", written) else ""
        raise ValueError(f"{_shown(written)} is not a number{hint}")
    return _floating(written, match["number"].replace("_", ""), match["suffix"])


def out_of_range(written: str) -> str:
    """The error text for a whole number that is too large."""
    return f"{_shown(written)} is out of the range of 64 bits; the largest whole number is {LARGEST}"


def unquoted(written: str) -> str:
    """The text within quotes, in which a doubled quote is one quote."""
    quote = written[0]
    return written[1:-1].replace(quote * 2, quote)


def quoted(text: str, quote: str = "'") -> str:
    """A text as a selector writes it."""
    return quote + text.replace(quote, quote * 2) + quote


def number_text(number: float) -> str:
    """A number, also a whole one, as a selector writes it."""
    return repr(number)


def _whole(written: str, digits: str, base: int) -> int:
    if len(digits.lstrip("0")) > _MOST_DIGITS:
        raise ValueError(out_of_range(written))
    number = int(digits, base)
    if number > LARGEST + 1:
        raise ValueError(out_of_range(written))
    return number


def _floating(written: str, digits: str, suffix: str | None) -> float:
    number = float(digits)
    if suffix is not None and suffix in "fF" and math.isfinite(number):
        try:
            number = _SINGLE.unpack(_SINGLE.pack(number))[0]
        except OverflowError:
            number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{_shown(written)} is out of the range of floating point numbers")
    return number


def _shown(written: str) -> str:
    return written if len(written) <= 40 else f"{written[:40]}..."
