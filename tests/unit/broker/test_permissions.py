"""Rules of what users may do."""

import pytest

from lastvalue.broker.access import Access
from lastvalue.broker.permissions import ALL, NotPermittedError, PermissionRuleError, Permissions, parse_rule


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


def test_who_may_read_may_browse_and_what_is_refused_is_noted() -> None:
    access = Access(lambda user: Permissions([parse_rule(f"read {user}.*")]))
    access.check("ann", "browse", "ann.q")
    with pytest.raises(NotPermittedError, match=r"user 'ann' may not write 'ann\.q'"):
        access.check("ann", "write", "ann.q")
    assert [str(refusal) for refusal in access.take_refusals()] == ["user 'ann' may not write 'ann.q'"]
    assert access.take_refusals() == []
