"""lastvalue.addresses.parts."""

from contextlib import suppress

import pytest

from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.parts import DEPTH, LONGEST_NUMBER, Key, Parts, Value, parse_parts
from lastvalue.addresses.tokens import Token
from lastvalue.model.conditions import Condition


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("foo", Parts("foo")),
        ("foo.bar", Parts("foo.bar")),
        ("foo/bar.#", Parts("foo", "bar.#")),
        ("foo/a/b", Parts("foo", "a/b")),
        ("foo/", Parts("foo")),
        ("foo/''", Parts("foo", "")),
        ("foo;{}", Parts("foo", None, {})),
        ("#", Parts("#")),
        ("größe@[1]", Parts("größe@[1]")),
        ("a=b&c", Parts("a=b&c")),
        ("host:5672", Parts("host:5672")),
    ],
)
def test_an_address_is_a_name_a_subject_and_options(text: str, parts: Parts) -> None:
    assert parse_parts(text) == parts


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("{key: value,}", {"key": "value"}),
        ("{key: None}", {"key": None}),
        ("{a: True, b: true, c: False, d: false}", {"a": True, "b": True, "c": False, "d": False}),
        ("{key: [1,[2,3],4]}", {"key": [1, [2, 3], 4]}),
        ("{key: [1, 2,]}", {"key": [1, 2]}),
        ("{key: []}", {"key": []}),
        ("{'key': value}", {"key": "value"}),
        ("{1: value}", {1: "value"}),
        ('{"foo.bar": value}', {"foo.bar": "value"}),
        ("{key: {inner: -1.5}}", {"key": {"inner": -1.5}}),
        ("{key: '1', '2': 3}", {"key": "1", "2": 3}),
        ("{true: None}", {"true": None}),
        ("{key: first, key: second}", {"key": "second"}),
    ],
)
def test_options_are_a_map_of_anything(options: str, expected: dict[Key, Value]) -> None:
    """S-287, S-290."""
    assert parse_parts(f"name/subject; {options}") == Parts("name", "subject", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{qpid.last_value_queue_key:qpid.subject}", {"qpid.last_value_queue_key": "qpid.subject"}),
        ("{key: 1.2.3}", {"key": "1.2.3"}),
        ("{key: 10ms}", {"key": "10ms"}),
        ("{key: -x}", {"key": "-x"}),
        ("{key: a.*.#}", {"key": "a.*.#"}),
        ("{1st: x}", {"1st": "x"}),
    ],
)
def test_signs_that_touch_are_one_word_in_a_map(text: str, expected: dict[Key, Value]) -> None:
    assert parse_parts(f"name;{text}").options == expected


@pytest.mark.parametrize(
    ("text", "name", "subject"),
    [
        ("foo.bar/'baz.qux;moo:arf'", "foo.bar", "baz.qux;moo:arf"),
        (r"foo.bar\/baz", "foo.bar/baz", None),
        (r"foo.bar\x00baz", "foo.bar\x00baz", None),
        (r"foo.bar\u1234baz", "foo.bar\u1234baz", None),
    ],
)
def test_quotes_and_escapes_keep_what_would_end_a_name(text: str, name: str, subject: str | None) -> None:
    """S-288."""
    assert parse_parts(text) == Parts(name, subject)


def test_braces_and_commas_may_stand_in_a_subject() -> None:
    """S-289."""
    parts = parse_parts("foo.bar/baz.qux.{moo,arf; {key: value}")
    assert parts == Parts("foo.bar", "baz.qux.{moo,arf", {"key": "value"})


@pytest.mark.parametrize(("text", "name"), [("my queue", "myqueue"), ("'my queue'", "my queue")])
def test_blanks_are_dropped_unless_quoted(text: str, name: str) -> None:
    """S-295."""
    assert parse_parts(text).name == name


@pytest.mark.parametrize("text", ["myqueue : { link: {name: x} }", "myqueue\t:\n{link: {name: x}}"])
def test_a_colon_between_blanks_before_a_brace_begins_the_options(text: str) -> None:
    """S-294, as its writer meant it: by the letter the name would be `myqueue:{link:{name:x}}`."""
    assert parse_parts(text) == Parts("myqueue", None, {"link": {"name": "x"}})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("myqueue: {link: x}", "myqueue:{link:x}"),
        ("myqueue :{link: x}", "myqueue:{link:x}"),
        ("myqueue : { ; {mode: browse}", "myqueue:{"),
    ],
)
def test_another_colon_is_part_of_the_name(text: str, name: str) -> None:
    assert parse_parts(text).name == name


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "an address must begin with a name; got end of the text at line 1, column 1"),
        ("/subject", "must begin with a name; got the sign '/'"),
        ("''", "must begin with a name"),
        ("name;", "expected '{', got end of the text at line 1, column 6"),
        ("name/subject; {", "expected a key or '}', got end of the text"),
        ("name/subject; {key 3", "expected ':', got the number '3' at line 1, column 20"),
        ("name/subject; {key:", "expected a value, got end of the text"),
        ("name/subject; {key: value", "expected ',' or '}', got end of the text"),
        ("name/subject; {key: value asdf", "expected ',' or '}', got the word 'asdf'"),
        ("name/subject; {key: value} foo", "expected the end of the text, got the word 'foo'"),
        ("name/subject; { asdf: {}} {}", "expected the end of the text, got the sign '{'"),
        ("name/subject; {key: [}", "expected a value, got the sign '}'"),
        ("name/subject; {key: [1", "expected ',' or ']', got end of the text"),
        ("name/subject; {key: [1 2]}", "expected ',' or ']', got the number '2'"),
        ("name/subject; {key: [,]}", "expected a value, got the sign ','"),
        ("name;\n{key:\n  value other}", "got the word 'other' at line 3, column 9"),
        ("name; {{}: 1}", "expected a key or '}'"),
        ("name; {key: a/b}", "expected ',' or '}', got the sign '/'"),
        ("name; {key: \\x41}", "expected a value, got the escape"),
        ("name; {key: 'a''b'}", "expected ',' or '}', got the quoted text"),
        ("myqueue : {link}", "expected ':', got the sign '}'"),
        ("a\ud800", "a surrogate is only half of a character at line 1, column 2"),
        (f"name; {{key: {'9' * (LONGEST_NUMBER + 1)}}}", "a number has at most 400 characters, this one 401"),
        (f"name; {{key: {'9' * 350}.0}}", "the number is too large"),
    ],
)
def test_a_malformed_address_is_refused_with_the_token_and_its_place(text: str, fault: str) -> None:
    """S-292."""
    with pytest.raises(InvalidAddressError) as refused:
        parse_parts(text)
    assert fault in str(refused.value)
    assert refused.value.condition is Condition.INVALID_FIELD


def test_an_error_carries_the_place_as_numbers() -> None:
    with pytest.raises(InvalidAddressError) as refused:
        parse_parts("name;\n  [")
    assert (refused.value.line, refused.value.column, refused.value.text) == (2, 3, "name;\n  [")


def test_an_error_shows_a_long_address_in_part() -> None:
    with pytest.raises(InvalidAddressError) as refused:
        parse_parts("a" * 5000 + ";")
    assert len(str(refused.value)) < 200


def test_nesting_is_bounded() -> None:
    lists = DEPTH - 1
    assert parse_parts(f"name; {{key: {'[' * lists}{']' * lists}}}").options
    with pytest.raises(InvalidAddressError, match="nested at most 32 deep"):
        parse_parts(f"name; {{key: {'[' * 1_000}")


@pytest.mark.parametrize("unit", [" :", " : {", "-", "1.", "a;"])
def test_a_text_of_many_signs_is_read_in_time_in_proportion(unit: str) -> None:
    """Each token is looked at a few times, however many there are."""
    looks: list[str] = []

    def look(token: Token, sign: str) -> bool:
        looks.append(sign)
        return is_sign(token, sign)

    is_sign = Token.is_sign
    with pytest.MonkeyPatch.context() as patch, suppress(InvalidAddressError):
        patch.setattr(Token, "is_sign", look)
        parse_parts("a" + unit * 500)
    assert len(looks) < 20 * 500 * len(unit)
