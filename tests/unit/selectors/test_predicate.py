"""What selectors select: scenarios of the other brokers, and the rules of NULL, kinds and numbers."""

import pytest
from canned_message import CannedMessage, UnreadableError

from lastvalue.model.message import Message
from lastvalue.selectors import parse_selector


def selects(selector: str, **properties: object) -> bool:
    return parse_selector(selector).matches(CannedMessage(properties))


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("", True),
        (" \n", True),
        ("A is null", False),
        ("A IS NOT NULL", True),
        ("C is null", True),
        ("A=C", False),
        ("A<>C", False),
        ("A=B", False),
        ("A<>B", True),
        ("A='Bye, bye cruel world'", True),
        ("A LIKE '%cru_l%'", True),
        ("B NOT LIKE '%cru_l%'", True),
        ("NOT C is not null OR C is null", True),
    ],
)
def test_texts_and_absent_properties(selector: str, expected: bool) -> None:  # S-279
    assert selects(selector, A="Bye, bye cruel world", B="hello kitty") is expected


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("A>B", True),
        ("B<A", True),
        ("A<=B", False),
        ("B=39.0", True),
        ("39=B", True),
        ("17/4=4", True),
        ("A/0=0", False),
        ("NOT A/0=0", False),
        ("(A/0) IS NULL", True),
        ("A BETWEEN B and 42.0", True),
        ("A NOT BETWEEN 40 AND 41", True),
        ("A BETWEEN C and 40", False),
        ("A NOT BETWEEN C and 40", True),
        ("(A BETWEEN 40 and C) IS NULL", True),
        ("A+B = 81 AND A-B=3 AND A*B=1638", True),
        ("-B = -39 AND +B = 39 AND - -B = 39", True),
        ("B + 3 * 2 = 45 AND (B + 3) * 2 = 84", True),
        ("B IN (1, 39.0)", True),
        ("B NOT IN (1, 2)", True),
        ("B IN (A, A - 3)", True),
        ("B IN (A, C)", False),
        ("B NOT IN (A, C)", False),
    ],
)
def test_numbers(selector: str, expected: bool) -> None:  # S-280
    assert selects(selector, A=42.0, B=39) is expected


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("P=Q", False),
        ("not P=Q", False),
        ("P=Q or not P=Q", False),
        ("P>19.0 or P<=19.0", False),
        ("P is null or P=''", True),
        ("P", False),
        ("NOT P", False),
        ("P OR TRUE", True),
        ("P AND FALSE", False),
        ("NOT (P AND FALSE)", True),
        ("P LIKE '%'", False),
        ("P NOT LIKE '%'", False),
        ("P IN ('a')", False),
        ("P NOT IN ('a')", False),
        ("(P + 1) IS NULL AND (-P) IS NULL AND (P = 1) IS NULL", True),
    ],
)
def test_an_absent_property_makes_a_condition_unknown(selector: str, expected: bool) -> None:  # S-282
    assert selects(selector) is expected


@pytest.mark.parametrize(
    "selector",
    [
        "text = 5",
        "text <> 5",
        "text < 5",
        "number = '5'",
        "number <> '5'",
        "number > 'a'",
        "flag = 1",
        "flag <> 1",
        "flag = 'true'",
        "number = TRUE",
        "flag < TRUE",
        "flag IN (1)",
        "number IN ('5', TRUE)",
        "blob = 'b'",
        "blob <> 'b'",
        "blob IN ('b', 1)",
        "blob > blob",
        "blob = text",
        "text = number",
        "text <> number",
        "number LIKE '%'",
        "number NOT LIKE '%'",
        "text + 1 = 6",
        "-text = -5",
        "flag * 1 = 1",
        "-flag = -1",
        "text",
        "number",
        "'true'",
    ],
)
def test_values_of_different_kinds_are_neither_equal_nor_unequal(selector: str) -> None:
    assert not selects(selector, text="5", number=5, flag=True, blob=b"b")


@pytest.mark.parametrize(
    "selector",
    [
        "flag",
        "flag = TRUE",
        "flag <> FALSE",
        "NOT off",
        "off = FALSE",
        "flag IN (TRUE)",
        "flag AND NOT off",
        "(number = 5) = TRUE",
        "(number = 5) = flag",
        "text < 'b' AND text >= 'a' AND 'b' > text",
        "text BETWEEN 'a' AND 'b'",
        "blob = blob",
        "blob IS NOT NULL",
        "number = 5 OR 5 / 0 = 1",
        "text NOT IN (5)",
        "NOT text = 5",
    ],
)
def test_values_of_one_kind_are_compared(selector: str) -> None:
    assert selects(selector, text="abc", number=5, flag=True, off=False, blob=b"b")


@pytest.mark.parametrize(
    ("calculation", "result"),
    [
        ("17 / 4", "4"),
        ("-17 / 4", "-4"),
        ("17 / -4", "-4"),
        ("17 / 4.0", "4.25"),
        ("17 % 4", "1"),
        ("-17 % 4", "-1"),
        ("17 % -4", "1"),
        ("5.5 % 2", "1.5"),
        ("-5.5 % 2", "-1.5"),
        ("7 - 2 - 1", "4"),
        ("-9223372036854775807 - 1", "-9223372036854775808"),
        ("2 * 9223372036854775807", "18446744073709551614"),
    ],
)
def test_calculations_are_those_of_java(calculation: str, result: str) -> None:
    assert selects(f"{calculation} = {result.replace('18446744073709551614', 'most')}", most=2**64 - 2)


@pytest.mark.parametrize(
    "calculation",
    ["1 / 0", "1 % 0", "1.5 / 0", "1 / 0.0", "1.5 % 0.0", "x * 4", "-x - x", "-x - 1", "1e308 * 10 % 2"],
)
def test_a_calculation_without_a_result_is_null(calculation: str) -> None:
    assert selects(f"({calculation}) IS NULL", x=2**63)


def test_the_even_ones_of_ten_are_selected() -> None:  # S-205, S-214
    even = parse_selector("index % 2 = 0")
    selected = [index for index in range(1, 11) if even.matches(CannedMessage({"index": index}))]
    assert selected == [2, 4, 6, 8, 10]


def test_conditions_of_texts_and_numbers_are_joined() -> None:  # S-284
    wanted = parse_selector("colour IN ('red','grey') AND (sequence>3 OR sequence=1)")
    animals = [("red", "dog"), ("green", "frog"), ("grey", "wolf"), ("grey", "squirrel")]
    messages = {
        f"{colour}.{animal}": CannedMessage({"colour": colour, "sequence": sequence})
        for sequence, (colour, animal) in enumerate(animals, start=1)
    }
    assert [name for name, message in messages.items() if wanted.matches(message)] == [
        "red.dog",
        "grey.squirrel",
    ]


def test_a_condition_that_is_decided_reads_no_further() -> None:
    message = CannedMessage({"a": 1, "broken": UnreadableError})
    assert parse_selector("a = 1 OR broken = 2").matches(message)
    assert not parse_selector("a = 2 AND broken = 2").matches(message)


def test_what_a_message_raises_passes() -> None:
    with pytest.raises(UnreadableError):
        parse_selector("broken = 2").matches(CannedMessage({"broken": UnreadableError}))


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("'12%3'", ["123", "12993"], ["1234", "0123"]),
        ("'l_se'", ["lose"], ["loose", "lse"]),
        ("'%'", ["", "a\nb"], []),
        ("'_'", ["a", "\n"], ["", "ab"]),
        ("''", [""], ["a"]),
        ("'a%b%c'", ["abc", "axxbxxc", "abbcc", "abcbc"], ["acb", "ab", "bc"]),
        ("'%ab_c%'", ["ababxc", "xabbcx"], ["abc"]),
        ("'a%ba'", ["aba", "abba", "ababa"], ["ab", "aab"]),
        ("'%%a'", ["a", "xa"], ["ax"]),
        (r"'.*[a]'", [".*[a]"], ["xxa"]),
        ("'it''s'", ["it's"], ["its"]),
        (r"'\_%' ESCAPE '\'", ["_x", "_"], ["ax", r"\_"]),
        ("'50!%!!' escape '!'", ["50%!"], ["50x!"]),
        ("'a%' ESCAPE 'a'", ["%"], ["ab"]),
        ("'a''_' ESCAPE ''''", ["a_"], ["ab"]),
    ],
)
def test_patterns(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [text for text in matching + others if selects(f"x LIKE {pattern}", x=text)] == matching
    assert [text for text in matching + others if selects(f"x NOT LIKE {pattern}", x=text)] == others


@pytest.mark.timeout(20)
def test_a_hostile_pattern_takes_time_in_proportion() -> None:
    assert not selects(f"x LIKE '{'%a' * 63}b'", x="a" * 60_000)


@pytest.mark.parametrize(
    ("selector", "durable"),
    [("JMSDeliveryMode = 'PERSISTENT'", True), ("JMSDeliveryMode = 'NON_PERSISTENT'", False)],
)
def test_the_delivery_mode_is_a_word(selector: str, durable: bool) -> None:
    messages = [Message(b"", True), Message(b"", False)]
    assert [message.durable for message in messages if parse_selector(selector).matches(message)] == [durable]
