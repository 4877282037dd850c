"""Splits an address string into words, numbers, quoted texts and signs."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lastvalue.addresses.errors import InvalidAddressError

MAX_LENGTH: Final = 16_384
"""The largest length of an address in characters; options may contain a selector."""

MAX_TOKENS: Final = 2048
"""The largest number of words, numbers, quoted texts and signs in an address."""


class TokenKind(Enum):
    """The kind of a token."""

    DELIMITER = "sign"
    NUMBER = "number"
    WORD = "word"
    QUOTED = "quoted text"
    ESCAPE = "escape"
    SYMBOL = "symbol"
    END = "end of the text"


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    Attributes:
        text: the token as written.
        value: the text with quotes and escapes resolved.
        position: the index of its first character.
        spaced: there are blanks before it.
    """

    kind: TokenKind
    text: str
    value: str
    position: int
    spaced: bool

    def is_sign(self, sign: str) -> bool:
        """Whether it is this delimiter; the same character in quotes is not."""
        return self.kind is TokenKind.DELIMITER and self.text == sign

    @property
    def shown(self) -> str:
        """The token as an error names it."""
        if self.kind is TokenKind.END:
            return str(self.kind.value)
        text = self.text if len(self.text) <= 40 else f"{self.text[:40]}..."
        return f"the {self.kind.value} {text!r}"


_TOKEN: Final = re.compile(
    r"""
      (?P<blanks>\s+)
    | (?P<DELIMITER>[{}\[\]:;/,])
    | (?P<NUMBER>[+-]?[0-9]*\.?[0-9]+)
    | (?P<WORD>[^\W\d](?:[\w-]*\w)?)
    | (?P<QUOTED>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<ESCAPE>\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[^xu])
    | (?P<SYMBOL>[^\s"'\\])
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED_ESCAPE: Final = re.compile(r"\\(?:x(?P<two>.{0,2})|u(?P<four>.{0,4})|(?P<one>.))", re.DOTALL)
_HEXADECIMAL: Final = re.compile("[0-9A-Fa-f]+")
_LETTERS: Final = {
    "\\": "\\", "'": "'", '"': '"',
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip


def tokens_of(text: str) -> list[Token]:
    """The tokens, without the blanks between them; the last one is the end.

    Raises:
        InvalidAddressError: a quotation has no end, an escape no digits, a character cannot be printed, or
            the text exceeds MAX_LENGTH or MAX_TOKENS.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidAddressError(f"{len(text)} characters; at most {MAX_LENGTH} are allowed", text)
    tokens: list[Token] = []
    position = 0
    spaced = False
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise InvalidAddressError(_fault_of(text[position]), text, position)
        written = match[0]
        if match.lastgroup == "blanks":
            spaced = True
        else:
            if len(tokens) == MAX_TOKENS:
                raise InvalidAddressError(f"more than {MAX_TOKENS} words, texts and signs", text, position)
            kind = TokenKind[match.lastgroup or "END"]
            tokens.append(Token(kind, written, _value(kind, written, text, position), position, spaced))
            spaced = False
        position = match.end()
    tokens.append(Token(TokenKind.END, "", "", position, spaced))
    return tokens


def _fault_of(character: str) -> str:
    if character == "\\":
        return r"an escape is \xHH, \uHHHH with hexadecimal digits, or \ and a character; this is not one"
    return f"the quotation has no closing {character}"


def _value(kind: TokenKind, written: str, text: str, position: int) -> str:
    match kind:
        case TokenKind.QUOTED:
            return _unquoted(written, text, position)
        case TokenKind.ESCAPE if written[1] in "xu":
            return _character(written[2:], text, position)
        case TokenKind.ESCAPE:
            return written[1]
        case TokenKind.SYMBOL if not written.isprintable():
            fault = f"{written!r} cannot be printed; quote it, or write it as an escape"
            raise InvalidAddressError(fault, text, position)
        case _:
            return written


def _unquoted(written: str, text: str, position: int) -> str:
    def resolved(match: re.Match[str]) -> str:
        at = position + 1 + match.start()
        if match["one"] is not None:
            # As in Python: a letter that is not an escape keeps its backslash.
            return _LETTERS.get(match["one"], match[0])
        digits, count = (match["two"], 2) if match["two"] is not None else (match["four"], 4)
        if len(digits) != count or not _HEXADECIMAL.fullmatch(digits):
            raise InvalidAddressError(f"\\{match[0][1]} needs {count} hexadecimal digits", text, at)
        return _character(digits, text, at)

    return _QUOTED_ESCAPE.sub(resolved, written[1:-1])


def _character(digits: str, text: str, position: int) -> str:
    code = int(digits, 16)
    if 0xD800 <= code < 0xE000:
        raise InvalidAddressError(f"U+{code:04X} is half of a character", text, position)
    return chr(code)
