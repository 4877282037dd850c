"""Parses text to a tree, in time proportional to the text.

    condition  = value [ comparator value ]
               | value [ NOT ] ( BETWEEN value AND value | IN ( value, ... ) | LIKE text [ ESCAPE text ] )
               | value IS [ NOT ] NULL

Operators by precedence, lowest first: OR, AND, NOT, those of a condition, + -, * / %, the signs.
"""

import re
from typing import Final, final

from lastvalue.selectors.errors import InvalidSelectorError
from lastvalue.selectors.expressions import (
    Between,
    Calculation,
    Comparator,
    Comparison,
    Conjunction,
    Disjunction,
    Expression,
    Inverse,
    Likeness,
    Literal,
    Membership,
    Name,
    Negative,
    NullTest,
    Operator,
)
from lastvalue.selectors.fields import UNKNOWN
from lastvalue.selectors.like_patterns import pattern_parts
from lastvalue.selectors.literals import LARGEST, literal_number, out_of_range, unquoted

MAX_TOKENS: Final = 2048
"""The largest number of words, literals and signs in a selector: parsing takes time in proportion to it."""

MAX_NESTING: Final = 100
"""The largest number of parentheses in one another."""

MAX_PATTERN: Final = 128
"""The largest length of a pattern of LIKE: matching takes time in proportion to it and to the text."""

RESERVED: Final = frozenset(
    {"AND", "BETWEEN", "ESCAPE", "FALSE", "IN", "IS", "LIKE", "NOT", "NULL", "OR", "TRUE"}
)
"""Words that are not names unless they are quoted, in upper or lower case."""

_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<WORD>(?:[^\W\d]|[$])[\w.$]*)
    | (?P<TEXT>'(?:[^']|'')*')
    | (?P<NUMBER>0[xXbB][\w.]*|(?:[0-9]|[.][0-9])(?:[eE][+-]?|[\w.])*)
    | (?P<COMPARATOR><>|<=|>=|=|<|>)
    | (?P<SIGN>[-+*/%(),])
    | (?P<QUOTED>"(?:[^"]|"")*")
    | (?P<END>\Z)
    )""",
    re.VERBOSE,
)
_END: Final = "END"
_PATTERN_TOKENS: Final = 8
"""This many tokens take as long as the regular expression of a pattern; each character takes two more."""

_OPERATORS: Final = frozenset({operator.value for operator in Operator})


def parse_tree(text: str) -> Expression:
    """The tree of a selector that is not empty.

    Raises:
        InvalidSelectorError: the text is not a selector, or exceeds a limit; the error says what was expected
            where.
    """
    return _Parser(text).tree()


@final
class _Parser:
    """Reads tokens from left to right, one ahead.

    `_sign` is what the next token stands for: a reserved word in upper case, a comparator, a sign, or the
    name of its group.
    """

    __slots__ = ("_at", "_depth", "_end", "_number", "_sign", "_text", "_token", "_unsigned")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._end = 0
        self._number = 0
        self._depth = 0
        self._token = ""
        self._sign = ""
        # Places of numbers that are in range only with a minus before them.
        self._unsigned: list[tuple[str, int]] = []
        self._advance()

    def tree(self) -> Expression:
        tree = self._disjunction()
        if self._sign != _END:
            raise self._unexpected(self._after(tree, "the end"))
        for written, at in self._unsigned:
            raise self._fault(out_of_range(written), at)
        return tree

    # ---- Conditions

    def _disjunction(self) -> Expression:
        alternatives: list[Expression] = []
        while True:
            terms = [self._condition()]
            while self._took("AND"):
                terms.append(self._condition())
            alternatives.append(terms[0] if len(terms) == 1 else Conjunction(tuple(terms)))
            if not self._took("OR"):
                return alternatives[0] if len(alternatives) == 1 else Disjunction(tuple(alternatives))

    def _condition(self) -> Expression:
        negations = 0
        while self._took("NOT"):
            negations += 1
        value = self._value("a condition")
        condition = self._comparison(value)
        for _ in range(negations):
            condition = Inverse(condition)
        return condition

    def _comparison(self, value: Expression) -> Expression:
        """The condition of which this is the first value, or the value itself."""
        if self._sign == "COMPARATOR":
            comparator = Comparator(self._token)
            self._advance()
            return Comparison(comparator, value, self._value("a value"))
        if self._took("IS"):
            negated = self._took("NOT")
            self._expect("NULL", "NULL" if negated else "NOT or NULL")
            return NullTest(value, negated)
        negated = self._took("NOT")
        if self._took("BETWEEN"):
            low = self._value("a value")
            self._expect("AND", "an operator or AND")
            return Between(value, low, self._value("a value"), negated)
        if self._took("IN"):
            return Membership(value, self._options(), negated)
        if self._took("LIKE"):
            return self._likeness(value, negated=negated)
        if negated:
            raise self._unexpected("BETWEEN, IN or LIKE")
        return value

    def _options(self) -> tuple[Expression, ...]:
        self._expect("(", "(")
        options = [self._value("a value")]
        while self._took(","):
            options.append(self._value("a value"))
        self._expect(")", "an operator, a comma or )")
        return tuple(options)

    def _likeness(self, value: Expression, *, negated: bool) -> Expression:
        at = self._at
        pattern = self._quoted_text()
        if len(pattern) > MAX_PATTERN:
            limit = f"the pattern has {len(pattern)} characters; at most {MAX_PATTERN} are allowed"
            raise self._fault(limit, at)
        self._number += _PATTERN_TOKENS + 2 * len(pattern)
        escape: str | None = None
        if self._took("ESCAPE"):
            escape_at = self._at
            escape = self._quoted_text()
            if len(escape) != 1 or escape in "%_":
                raise self._fault("an escape must be one character, neither % nor _", escape_at)
        try:
            pattern_parts(pattern, escape)
        except ValueError as fault:
            raise self._fault(str(fault), at) from None
        return Likeness(value, pattern, escape, negated)

    def _quoted_text(self) -> str:
        token = self._token
        self._expect("TEXT", "a text in single quotes")
        return unquoted(token)

    # ---- Values

    def _value(self, expected: str) -> Expression:
        """A sum of products."""
        total: Expression | None = None
        sum_operator = Operator.PLUS
        product = self._signed(expected)
        while self._sign in _OPERATORS:
            operator = Operator(self._token)
            self._advance()
            operand = self._signed("a value")
            if operator not in (Operator.PLUS, Operator.MINUS):
                product = Calculation(operator, product, operand)
                continue
            total = product if total is None else Calculation(sum_operator, total, product)
            sum_operator, product = operator, operand
        return product if total is None else Calculation(sum_operator, total, product)

    def _signed(self, expected: str) -> Expression:
        """A value without operators, with the signs before it."""
        negations = 0
        signed = False
        while self._sign in ("+", "-"):
            negations += self._sign == "-"
            signed = True
            self._advance()
        operand = self._operand("a value" if signed else expected)
        for _ in range(negations):
            operand = self._negative(operand)
        return operand

    def _negative(self, operand: Expression) -> Expression:
        value = operand.value if isinstance(operand, Literal) else None
        # The negation of the smallest whole number cannot be written.
        if isinstance(value, bool | str) or value is None or value == -LARGEST - 1:
            return Negative(operand)
        if isinstance(value, int) and value > LARGEST:
            self._unsigned.pop()
        return Literal(-value)

    def _operand(self, expected: str) -> Expression:
        sign, token, at = self._sign, self._token, self._at
        if sign == "WORD":
            self._advance()
            return self._named(token, at)
        if sign == "TEXT":
            self._advance()
            return Literal(unquoted(token))
        if sign == "NUMBER":
            self._advance()
            return self._literal(token, at)
        if sign in ("TRUE", "FALSE"):
            self._advance()
            return Literal(sign == "TRUE")
        if sign == "QUOTED":
            name = unquoted(token)
            if not name:
                raise self._fault("a name in double quotes must not be empty", at)
            self._advance()
            return self._named(name, at)
        if not self._took("("):
            raise self._unexpected(expected)
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise InvalidSelectorError(f"more than {MAX_NESTING} parentheses in one another", self._text)
        inner = self._disjunction()
        self._depth -= 1
        self._expect(")", self._after(inner, ")"))
        return inner

    def _literal(self, token: str, at: int) -> Expression:
        try:
            value = literal_number(token)
        except ValueError as fault:
            raise self._fault(str(fault), at) from None
        if isinstance(value, int) and value > LARGEST:
            self._unsigned.append((token, at))
        return Literal(value)

    def _named(self, name: str, at: int) -> Expression:
        if name in UNKNOWN:
            fault = f"{name} belongs to a delivery, and messages are selected before they are delivered"
            raise self._fault(fault, at)
        return Name(name)

    # ---- Tokens

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._end)
        kind = None if match is None else match.lastgroup
        if match is None or kind is None:
            raise self._strange()
        self._number += 1
        if self._number > MAX_TOKENS:
            fault = f"more than {MAX_TOKENS} words, literals and signs"
            raise InvalidSelectorError(fault, self._text)
        token = match[kind]
        self._token = token
        self._at, self._end = match.span(kind)
        if kind == "WORD":
            upper = token.upper()
            # Letters of other scripts whose upper case is a Latin one make no reserved word.
            self._sign = upper if upper in RESERVED and token.isascii() else kind
        else:
            self._sign = token if kind == "SIGN" else kind

    def _took(self, sign: str) -> bool:
        """Take the next token if it is this sign or word."""
        if self._sign != sign:
            return False
        self._advance()
        return True

    def _expect(self, sign: str, expected: str) -> None:
        if not self._took(sign):
            raise self._unexpected(expected)

    # ---- Faults

    def _after(self, tree: Expression, end: str) -> str:
        """What may come after a whole expression."""
        if isinstance(tree, Membership | Likeness | NullTest):
            return f"AND, OR or {end}"
        return f"an operator, AND, OR or {end}"

    def _unexpected(self, expected: str) -> InvalidSelectorError:
        token = self._token
        shown = "the end" if self._sign == _END else repr(token if len(token) <= 40 else f"{token[:40]}...")
        return self._fault(f"expected {expected}, found {shown}", self._at)

    def _strange(self) -> InvalidSelectorError:
        text = self._text
        at = self._end
        while text[at].isspace():
            at += 1
        character = text[at]
        match character:
            case "'" | '"':
                fault = f"this {character} is not closed"
            case "!":
                fault = "! is not an operator; write <> for unequal"
            case _:
                fault = f"{character!r} is not allowed here"
        return self._fault(fault, at)

    def _fault(self, fault: str, at: int) -> InvalidSelectorError:
        return InvalidSelectorError(fault, self._text, at)
