"""The grammar of address strings: name/subject; {options}.

    address = name [ "/" subject ] [ ";" map ]
    map     = "{" [ key ":" value { "," key ":" value } [ "," ] ] "}"
    list    = "[" [ value { "," value } [ "," ] ] "]"

Blanks are dropped outside quotations, so `my queue` is the name `myqueue`.
In maps, tokens without blanks between them are one word, so `qpid.last_value_queue_key` needs no quotes.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeAlias, final

from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.tokens import Token, TokenKind, tokens_of

DEPTH: Final = 32
"""The largest depth of nested maps and lists."""

LONGEST_NUMBER: Final = 400
"""The largest length of a number in characters; every float has a shorter spelling."""

Key: TypeAlias = str | int | float
Value: TypeAlias = bool | int | float | str | list["Value"] | dict[Key, "Value"] | None

CONSTANTS: Final[dict[str, Value]] = {
    "True": True, "true": True, "False": False, "false": False, "None": None,
}  # fmt: skip
_WORD_KINDS: Final = (TokenKind.NUMBER, TokenKind.WORD, TokenKind.SYMBOL)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of an address string, with the options uninterpreted."""

    name: str
    subject: str | None = None
    options: dict[Key, Value] | None = None


def parse_parts(text: str) -> Parts:
    """The parts of an address string.

    Raises:
        InvalidAddressError: the string is not an address; names the token, its line and its column.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidAddressError("a surrogate is only half of a character", text, error.start) from None
    return _Parser(text).address()


@final
class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens_of(text)
        self._next = 0
        self._last_semicolon = max(
            (index for index, token in enumerate(self._tokens) if token.is_sign(";")), default=-1
        )

    def address(self) -> Parts:
        name = self._text_until("/;")
        if not name:
            raise self._fault("an address must begin with a name; got " + self._peek().shown)
        subject = None
        if self._peek().is_sign("/"):
            self._take()
            subject = self._text_until(";")
        options = None
        if self._peek().kind is not TokenKind.END:
            self._take()
            options = self._map(1)
        self._expect_end()
        return Parts(name, subject, options)

    def _text_until(self, signs: str) -> str | None:
        """The tokens up to one of the signs as one text, or None if there are none."""
        texts: list[str] = []
        while not self._ends_text(signs):
            texts.append(self._take().value)
        return "".join(texts) if texts else None

    def _ends_text(self, signs: str) -> bool:
        token = self._peek()
        if token.kind is TokenKind.END or any(map(token.is_sign, signs)):
            return True
        # [Broker-J's page on queues] writes ` : {` for `; {`; read as a name that is never meant.
        if not token.is_sign(":") or not token.spaced or self._last_semicolon > self._next:
            return False
        following = self._tokens[self._next + 1]
        return following.is_sign("{") and following.spaced

    def _map(self, depth: int) -> dict[Key, Value]:
        self._expect("{")
        entries: dict[Key, Value] = {}
        while not self._peek().is_sign("}"):
            key = self._key()
            self._expect(":")
            entries[key] = self._value(depth)
            if not self._more("}"):
                break
        self._expect("}")
        return entries

    def _list(self, depth: int) -> list[Value]:
        self._expect("[")
        values: list[Value] = []
        while not self._peek().is_sign("]"):
            values.append(self._value(depth))
            if not self._more("]"):
                break
        self._expect("]")
        return values

    def _more(self, closing: str) -> bool:
        """Take a comma and return true, or return false at the closing sign; all else is a fault."""
        if self._peek().is_sign(","):
            self._take()
            return True
        if not self._peek().is_sign(closing):
            raise self._unexpected(f"',' or {closing!r}")
        return False

    def _key(self) -> Key:
        token = self._peek()
        if token.kind is TokenKind.QUOTED:
            return self._take().value
        if token.kind not in _WORD_KINDS:
            raise self._unexpected("a key or '}'")
        word = self._word()
        return self._number(token) if word is token else word.text

    def _value(self, depth: int) -> Value:
        token = self._peek()
        if token.is_sign("{") or token.is_sign("["):
            if depth == DEPTH:
                raise self._fault(f"maps and lists are nested at most {DEPTH} deep")
            return self._map(depth + 1) if token.is_sign("{") else self._list(depth + 1)
        if token.kind is TokenKind.QUOTED:
            return self._take().value
        if token.kind not in _WORD_KINDS:
            raise self._unexpected("a value")
        word = self._word()
        if word is token:
            return self._number(token)
        return CONSTANTS.get(word.text, word.text)

    def _word(self) -> Token:
        """Join tokens without blanks between them; a single number stays a number."""
        first = self._take()
        texts = [first.text]
        while self._peek().kind in _WORD_KINDS and not self._peek().spaced:
            texts.append(self._take().text)
        if len(texts) == 1 and first.kind is TokenKind.NUMBER:
            return first
        text = "".join(texts)
        return Token(TokenKind.WORD, text, text, first.position, first.spaced)

    def _number(self, token: Token) -> int | float:
        if len(token.text) > LONGEST_NUMBER:
            fault = f"a number has at most {LONGEST_NUMBER} characters, this one {len(token.text)}"
            raise InvalidAddressError(fault, self._text, token.position)
        number = float(token.text) if "." in token.text else int(token.text)
        if isinstance(number, float) and not isfinite(number):
            raise InvalidAddressError("the number is too large", self._text, token.position)
        return number

    # ---- One token

    def _peek(self) -> Token:
        return self._tokens[self._next]

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next += 1
        return token

    def _expect(self, sign: str) -> None:
        if not self._peek().is_sign(sign):
            raise self._unexpected(repr(sign))
        self._take()

    def _expect_end(self) -> None:
        if self._peek().kind is not TokenKind.END:
            raise self._unexpected("the end of the text")

    def _unexpected(self, expected: str) -> InvalidAddressError:
        return self._fault(f"expected {expected}, got {self._peek().shown}")

    def _fault(self, fault: str) -> InvalidAddressError:
        return InvalidAddressError(fault, self._text, self._peek().position)
