"""The lines of a TOML document's keys."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.config.errors import ConfigurationError
from lastvalue.config.toml_lines import TomlLines
from lastvalue.config.toml_reader import parse_toml

TEXT = '''# A comment with key = 1
top = """
[not.a.table]
key = 1
"""
[server]  # what it serves
port = 5672
tls.file = 'a"]'
"quoted key" = [
  1,  # ]
  { a = "}" },
]

[[queue]]
name = "first"
[[queue]]
name = "second"
max_messages = "ten"
[queue.more]
deep.er = true
[[queue]]
last = 1'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("server",), 6),
        (("server", "port"), 7),
        (("server", "tls", "file"), 8),
        (("server", "tls"), 8),
        (("server", "quoted key", 1, "a"), 9),
        (("queue", 0, "name"), 15),
        (("queue", 1), 16),
        (("queue", 1, "max_messages"), 18),
        (("queue", 1, "absent"), 16),
        (("queue", 1, "more", "deep", "er"), 20),
        (("queue", 2, "last"), 22),
        (("nothing", 1), None),
        ((), None),
    ],
)
def test_a_key_has_the_line_that_it_begins_on(path: tuple[str | int, ...], line: int | None) -> None:
    assert TomlLines(TEXT).line_of(path) == line


def test_tables_of_an_array_have_names() -> None:
    lines = TomlLines(TEXT)
    assert [lines.name_of(("queue", number, "x")) for number in range(4)] == ["first", "second", None, None]
    assert lines.name_of(("server", "port")) is None
    assert TomlLines("no TOML").line_of(("no",)) is None


VALUES = st.sampled_from(
    ["1", '"a # b"', "'[['", "[\n1,\n# ]\n]", '"""\n[[x]]\na = 1\n"""', "{ a = '}' }", "'''\n\"\n'''"]
)
TABLES = st.lists(st.tuples(st.sampled_from(["[{}]", "[[{}]]", "# {} = ["]), VALUES), max_size=6)


@settings(max_examples=example_count(200), deadline=None)
@given(TABLES)
def test_every_key_of_a_document_is_on_its_line(tables: list[tuple[str, str]]) -> None:
    parts = [f"{header.format(f't{n}')}\nk{n} = {value}" for n, (header, value) in enumerate(tables)]
    text = "\n".join(parts)
    lines = TomlLines(text)
    for path in paths(tomllib.loads(text)):
        line = lines.line_of(path)
        assert line is not None
        assert f"{path[-1]} = " in text.splitlines()[line - 1]


def paths(document: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of the keys that have the values of these documents."""
    for key, value in document.items():
        match value:
            case dict() if key[0] == "t":
                yield from paths(value, (*path, key))
            case [{}] if key[0] == "t":
                yield from paths(value[0], (*path, key, 0))
            case _:
                yield (*path, key)


def test_faults_are_told_with_their_lines_and_the_names_of_their_tables() -> None:
    with pytest.raises(ConfigurationError) as raised:
        parse_toml('[server]\nprt = 5\n\n[[queue]]\nname = "a"\nmax_messages = "ten"\n', "x.toml")
    assert raised.value.lines() == [
        "x.toml:2: server.prt is 5: unknown key; did you mean 'port'?",
        "x.toml:6: queue 'a': queue[1].max_messages is 'ten': expected number (messages)",
    ]
