"""Rules of what users may do."""

import pytest

from lastvalue.broker.rights.permissions import ALL, PermissionRuleError, Permissions, parse_rule


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("orders", ["orders"], ["orders2", "order", ""]),
        ("prices.*", ["prices.", "prices.eu.AAPL"], ["prices", "xprices.eu"]),
        ("*", ["", "anything"], []),
        ("*.eu", [".eu", "prices.eu"], ["prices.us", "eu"]),
        ("a*b*c", ["abc", "aXbYc", "abbc"], ["acb", "ab", "abcx"]),
        ("a*a", ["aa", "aba"], ["a"]),
    ],
)
def test_a_star_is_anything(pattern: str, fitting: list[str], others: list[str]) -> None:
    rule = parse_rule(f"read {pattern}")
    assert [rule.fits("read", name) for name in fitting] == [True] * len(fitting)
    assert [rule.fits("read", name) for name in others] == [False] * len(others)
    assert not any(rule.fits("write", name) for name in fitting)


@pytest.mark.parametrize("text", ["", "read", "read ", "fly orders", "read,fly orders", " orders"])
def test_what_is_no_rule_is_refused_with_what_one_is(text: str) -> None:
    with pytest.raises(PermissionRuleError, match=r"read,browse prices\.\*"):
        parse_rule(text)


def test_whatever_one_rule_allows_is_allowed() -> None:
    permissions = Permissions(parse_rule(text) for text in ("all mine.*", "browse *"))
    assert permissions.allows("configure", "mine.x")
    assert permissions.allows("browse", "yours")
    assert not permissions.allows("read", "yours")
    assert permissions.reaches("yours")
    assert ALL.allows("manage", "anything")


@pytest.mark.parametrize("pattern", ["*", "*store", "a*"])
def test_only_a_pattern_that_begins_with_a_dollar_matches_the_brokers_own_names(pattern: str) -> None:
    assert not parse_rule(f"administer {pattern}").fits("administer", "$store")
    assert parse_rule("administer $*").fits("administer", "$store")
    assert ALL.allows("administer", "$store")


def test_a_pattern_could_be_reached_where_a_rule_has_a_name_in_common() -> None:
    permissions = Permissions([parse_rule("read prices.*"), parse_rule("write orders")])
    assert permissions.could_reach("prices.#")
    assert permissions.could_reach("*.eu")
    assert permissions.could_reach("orders")
    assert not permissions.could_reach("bonds.#")
