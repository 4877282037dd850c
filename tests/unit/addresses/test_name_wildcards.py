"""lastvalue.addresses.name_wildcards."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.addresses.name_wildcards import name_expression, name_wildcards

CHARACTERS = st.text("ab.-$+|(", max_size=4)


@pytest.mark.parametrize(
    ("expression", "patterns"),
    [
        (".*", ["*"]),
        ("", []),
        ("^$", []),
        ("^orders$", ["orders"]),
        ("orders", ["*orders*"]),
        (r"^prices\..*", ["prices.*"]),
        (r"^prices\..*$", ["prices.*"]),
        (r".*\.log$", ["*.log"]),
        ("^(a|b.*)$", ["a", "b*"]),
        (r"^a$|^b\-.*", ["a", "b-*"]),
        (r"^\$x$", ["$x"]),
        ("^amq:gen$", ["amq:gen"]),
        # What no patterns stand for.
        ("^a.b$", None),
        ("^a+$", None),
        ("^[ab]$", None),
        ("^a(b|c)$", None),
        (r"^\d$", None),
        (r"^a\*$", None),
        ("^a.+$", None),
        ("^a\\", None),
    ],
)
def test_an_expression_has_the_patterns_that_match_the_same(
    expression: str, patterns: list[str] | None
) -> None:
    assert name_wildcards(expression) == patterns


@given(st.lists(st.lists(CHARACTERS, min_size=1, max_size=3).map("*".join), max_size=3), CHARACTERS)
def test_patterns_written_as_an_expression_match_the_same_names(patterns: list[str], name: str) -> None:
    expression = name_expression(patterns)
    globs = [".*".join(re.escape(part) for part in pattern.split("*")) for pattern in patterns]
    matched = any(re.fullmatch(glob, name) for glob in globs if glob)
    # [RabbitMQ] An empty expression matches nothing.
    assert bool(expression and re.search(expression, name)) == matched or not name


@given(st.lists(st.lists(st.text("ab.-", max_size=3), min_size=1, max_size=3).map("*".join).filter(bool)))
def test_an_expression_of_patterns_is_read_back(patterns: list[str]) -> None:
    found = name_wildcards(name_expression(patterns))
    assert found is not None
    assert set(found) in ({each.strip() for each in patterns}, {"*"})
