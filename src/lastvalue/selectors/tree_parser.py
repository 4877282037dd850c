"""Parses text to a tree. Only this module imports lark; it is imported with the first selector."""

from typing import Final, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError
from lark.visitors import Transformer_NonRecursive, v_args

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

_GRAMMAR: Final = r"""
?start: disjunction

?disjunction: conjunction
    | conjunction (_OR conjunction)+                        -> either
?conjunction: negation
    | negation (_AND negation)+                             -> both
?negation: condition
    | NOT negation                                          -> inverse

?condition: sum
    | sum COMPARATOR sum                                    -> comparison
    | sum [NOT] _BETWEEN sum _AND sum                       -> between
    | sum [NOT] _IN _OPEN sum (_COMMA sum)* _CLOSE          -> membership
    | sum [NOT] _LIKE TEXT [_ESCAPE TEXT]                   -> likeness
    | sum _IS [NOT] _NULL                                   -> null_test

?sum: product
    | sum (PLUS | MINUS) product                            -> calculation
?product: sign
    | product MULTIPLICATIVE sign                           -> calculation
?sign: primary
    | MINUS sign                                            -> negative
    | PLUS sign                                             -> positive
?primary: _OPEN disjunction _CLOSE
    | NAME                                                  -> name
    | QUOTED_NAME                                           -> quoted_name
    | NUMBER                                                -> number
    | TEXT                                                  -> text
    | TRUE                                                  -> true
    | FALSE                                                 -> false

_AND.2: /(?ai:and)(?![\w.$])/
_BETWEEN.2: /(?ai:between)(?![\w.$])/
_ESCAPE.2: /(?ai:escape)(?![\w.$])/
_IN.2: /(?ai:in)(?![\w.$])/
_IS.2: /(?ai:is)(?![\w.$])/
_LIKE.2: /(?ai:like)(?![\w.$])/
_NULL.2: /(?ai:null)(?![\w.$])/
_OR.2: /(?ai:or)(?![\w.$])/
FALSE.2: /(?ai:false)(?![\w.$])/
NOT.2: /(?ai:not)(?![\w.$])/
TRUE.2: /(?ai:true)(?![\w.$])/

NAME: /(?:[^\W\d]|[$])[\w.$]*/
QUOTED_NAME: /"(?:[^"]|"")*"/
TEXT: /'(?:[^']|'')*'/
NUMBER: /0[xXbB][\w.]*|(?:[0-9]|[.][0-9])(?:[eE][+-]?|[\w.])*/
COMPARATOR: /<>|<=|>=|=|<|>/
PLUS: "+"
MINUS: "-"
MULTIPLICATIVE: /[*\/%]/
_OPEN: "("
_CLOSE: ")"
_COMMA: ","
%ignore /\s+/
"""

# The basic lexer tries every terminal everywhere, so that a reserved word is never read as a name.
_PARSER: Final = Lark(_GRAMMAR, parser="lalr", lexer="basic", maybe_placeholders=True)

_VALUE: Final = frozenset(
    {"NAME", "QUOTED_NAME", "NUMBER", "TEXT", "TRUE", "FALSE", "_OPEN", "PLUS", "MINUS"}
)
_OPERATORS: Final = frozenset(
    {"COMPARATOR", "PLUS", "MINUS", "MULTIPLICATIVE", "NOT", "_BETWEEN", "_IN", "_LIKE", "_IS"}
)
_WORDS: Final = {
    "TEXT": "a text in single quotes",
    "_OPEN": "(",
    "_CLOSE": ")",
    "_COMMA": "a comma",
    "PLUS": "+",
    "MINUS": "-",
    "MULTIPLICATIVE": "* / or %",
    "COMPARATOR": "a comparison",
    "$END": "the end",
}


def parse_tree(text: str) -> Expression:
    """The tree of a selector that is not empty.

    Raises:
        InvalidSelectorError: the text is not a selector; the error says what was expected where.
    """
    try:
        parsed = _PARSER.parse(text)
    except UnexpectedToken as fault:
        raise _unexpected(fault, text) from None
    except UnexpectedCharacters as fault:
        position = cast("int", fault.pos_in_stream)
        raise InvalidSelectorError(_strange(text, position), text, position) from None
    try:
        return _Builder(text).tree_of(parsed)
    except VisitError as fault:
        raise fault.orig_exc from None


def _unexpected(fault: UnexpectedToken, text: str) -> InvalidSelectorError:
    token = fault.token
    ended = token.type == "$END"
    position = len(text) if ended else token.start_pos
    actual = "the end" if ended else repr(str(token) if len(token) <= 40 else f"{token[:40]}...")
    return InvalidSelectorError(f"expected {_expected(set(fault.accepts))}, found {actual}", text, position)


def _expected(accepted: set[str]) -> str:
    words: list[str] = []
    if accepted >= _VALUE:
        words.append("a condition" if "NOT" in accepted else "a value")
        accepted -= _VALUE | {"NOT"}
    if accepted >= _OPERATORS:
        words.append("an operator")
        accepted -= _OPERATORS
    words += sorted(_WORDS.get(name, name.lstrip("_")) for name in accepted if name != "$END")
    if "$END" in accepted:
        words.append(_WORDS["$END"])
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _strange(text: str, position: int) -> str:
    character = text[position]
    match character:
        case "'" | '"':
            return f"this {character} is not closed"
        case "!":
            return "! is not an operator; write <> for unequal"
        case _:
            return f"{character!r} is not allowed here"


@v_args(inline=True)
class _Builder(Transformer_NonRecursive[Token, Expression]):
    """Builds the tree from its leaves, without recursion."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        # Numbers that are in range only with a minus before them.
        self._unsigned: list[Token] = []

    def tree_of(self, parsed: "Tree[Token]") -> Expression:
        tree = self.transform(parsed)
        for token in self._unsigned:
            raise self._fault(out_of_range(token), token)
        return tree

    def either(self, *terms: Expression) -> Expression:
        return Disjunction(terms)

    def both(self, *terms: Expression) -> Expression:
        return Conjunction(terms)

    def inverse(self, _sign: Token, operand: Expression) -> Expression:
        return Inverse(operand)

    def comparison(self, left: Expression, sign: Token, right: Expression) -> Expression:
        return Comparison(Comparator(str(sign)), left, right)

    def between(
        self, value: Expression, negation: Token | None, low: Expression, high: Expression
    ) -> Expression:
        return Between(value, low, high, negation is not None)

    def membership(self, value: Expression, negation: Token | None, *options: Expression) -> Expression:
        return Membership(value, options, negation is not None)

    def likeness(
        self, value: Expression, negation: Token | None, pattern: Token, escape: Token | None
    ) -> Expression:
        character = None if escape is None else unquoted(escape)
        if escape is not None and (character is None or len(character) != 1 or character in "%_"):
            raise self._fault("an escape must be one character, neither % nor _", escape)
        written = unquoted(pattern)
        try:
            pattern_parts(written, character)
        except ValueError as fault:
            raise self._fault(str(fault), pattern) from None
        return Likeness(value, written, character, negation is not None)

    def null_test(self, value: Expression, negation: Token | None) -> Expression:
        return NullTest(value, negation is not None)

    def calculation(self, left: Expression, sign: Token, right: Expression) -> Expression:
        return Calculation(Operator(str(sign)), left, right)

    def negative(self, _sign: Token, operand: Expression) -> Expression:
        value = operand.value if isinstance(operand, Literal) else None
        # The negation of the smallest whole number cannot be written.
        if isinstance(value, bool | str) or value is None or value == -LARGEST - 1:
            return Negative(operand)
        if isinstance(value, int) and value > LARGEST:
            self._unsigned.pop()
        return Literal(-value)

    def positive(self, _sign: Token, operand: Expression) -> Expression:
        return operand

    def name(self, token: Token) -> Expression:
        return self._named(str(token), token)

    def quoted_name(self, token: Token) -> Expression:
        name = unquoted(token)
        if not name:
            raise self._fault("a name in double quotes must not be empty", token)
        return self._named(name, token)

    def number(self, token: Token) -> Expression:
        try:
            value = literal_number(token)
        except ValueError as fault:
            raise self._fault(str(fault), token) from None
        if isinstance(value, int) and value > LARGEST:
            self._unsigned.append(token)
        return Literal(value)

    def text(self, token: Token) -> Expression:
        return Literal(unquoted(token))

    def true(self, _token: Token) -> Expression:
        return Literal(value=True)

    def false(self, _token: Token) -> Expression:
        return Literal(value=False)

    def _named(self, name: str, token: Token) -> Expression:
        if name in UNKNOWN:
            fault = f"{name} belongs to a delivery, and messages are selected before they are delivered"
            raise self._fault(fault, token)
        return Name(name)

    def _fault(self, fault: str, token: Token) -> InvalidSelectorError:
        return InvalidSelectorError(fault, self._text, token.start_pos)
