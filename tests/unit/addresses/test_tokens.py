"""lastvalue.addresses.tokens."""

import pytest

from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.tokens import MAX_LENGTH, MAX_TOKENS, TokenKind, tokens_of

NUMBER, WORD, QUOTED, ESCAPE, SYMBOL, DELIMITER, END = (
    TokenKind.NUMBER,
    TokenKind.WORD,
    TokenKind.QUOTED,
    TokenKind.ESCAPE,
    TokenKind.SYMBOL,
    TokenKind.DELIMITER,
    TokenKind.END,
)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("foo-bar", [WORD]),
        ("foo-3", [WORD]),
        ("foo - bar", [WORD, SYMBOL, WORD]),
        ("-foo", [SYMBOL, WORD]),
        ("foo-", [WORD, SYMBOL]),
        ("-3", [NUMBER]),
        ("id 1", [WORD, NUMBER]),
        ("_x1", [WORD]),
        ("1.5 .5 +2", [NUMBER, NUMBER, NUMBER]),
        ("5.", [NUMBER, SYMBOL]),
        ("{}[]:;/,", [DELIMITER] * 8),
        (".#*%@$^!", [SYMBOL] * 8),
        (r"\x41\u1234\/", [ESCAPE, ESCAPE, ESCAPE]),
        ("'a' \"b\"", [QUOTED, QUOTED]),
        (" \t\n", []),
    ],
)
def test_a_text_is_cut_into_tokens(text: str, kinds: list[TokenKind]) -> None:
    """S-293."""
    assert [token.kind for token in tokens_of(text)] == [*kinds, END]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "it"),
        (r"'it\'s'", "it's"),
        (r'"say \"so\""', 'say "so"'),
        (r"'\x41\u00e9\n\t\\'", "A\u00e9\n\t\\"),
        (r"'50\%'", r"50\%"),
        (r"\x41", "A"),
        (r"\u20ac", "\u20ac"),
        (r"\/", "/"),
        (r"\n", "n"),
    ],
)
def test_quotes_and_escapes_stand_for_text(text: str, value: str) -> None:
    assert tokens_of(text)[0].value == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a 'b", "the quotation has no closing ' at line 1, column 3"),
        ('"', 'no closing "'),
        ("a\\", "this is not one at line 1, column 2"),
        (r"\x4", "this is not one"),
        (r"\u123", "this is not one"),
        (r"'\x4'", r"\x needs 2 hexadecimal digits at line 1, column 2"),
        (r"'\u12g4'", r"\u needs 4 hexadecimal digits"),
        (r"\ud800", "U+D800 is half of a character"),
        (r"'\udfff'", "U+DFFF is half of a character"),
        ("a\x00", r"'\x00' cannot be printed"),
    ],
)
def test_what_stands_for_nothing_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InvalidAddressError) as refused:
        tokens_of(text)
    assert fault in str(refused.value)


def test_an_address_is_as_long_as_may_be_and_no_longer() -> None:
    assert tokens_of("a" * MAX_LENGTH)[0].text == "a" * MAX_LENGTH
    with pytest.raises(InvalidAddressError, match=f"at most {MAX_LENGTH}"):
        tokens_of("a" * (MAX_LENGTH + 1))


def test_an_address_has_as_many_tokens_as_may_be_and_no_more() -> None:
    assert len(tokens_of("-" * MAX_TOKENS)) == MAX_TOKENS + 1
    with pytest.raises(InvalidAddressError, match=f"more than {MAX_TOKENS}"):
        tokens_of("-" * (MAX_TOKENS + 1))
