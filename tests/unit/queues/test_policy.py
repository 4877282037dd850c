"""lastvalue.queues.policy."""

import pytest

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.policy import (
    Count,
    First,
    Last,
    List,
    Max,
    Merge,
    Min,
    Ohlc,
    Policy,
    Sum,
    Vwap,
    fields_of,
    policy_from_text,
    policy_to_text,
)


@pytest.mark.parametrize(
    ("text", "policy", "fields"),
    [
        ("last", Last(), ()),
        ("first", First(), ()),
        ("count", Count(), ()),
        ("max(price)", Max("price"), ("price",)),
        ("min(price)", Min("price"), ("price",)),
        ("sum(size)", Sum("size"), ("size",)),
        ("ohlc(price)", Ohlc("price"), ("price",)),
        ("ohlc(price, size)", Ohlc("price", "size"), ("price", "size")),
        ("vwap(price, size)", Vwap("price", "size"), ("price", "size")),
        ("list(price, 10)", List("price", 10), ("price",)),
        ("list(10)", List("", 10), ()),
        ("merge", Merge(), ()),
        ("merge(tags)", Merge("tags"), ("tags",)),
    ],
)
def test_a_text_means_a_policy_and_a_policy_has_that_text(
    text: str, policy: Policy, fields: tuple[str, ...]
) -> None:
    assert policy_from_text(text) == policy
    assert policy_from_text(f"  {text.upper().replace(',', ' ,')} ".lower()) == policy
    assert (policy_to_text(policy), fields_of(policy)) == (text, fields)


@pytest.mark.parametrize(
    "text",
    ["", "sum", "sum()", "sum(a, b)", "last(a)", "vwap(a)", "list", "list(a)", "list(a, b)", "list(a, -1)",
     "merge(a, b)", "sum(a", "sum a", "sum(,a)", "ohlc(a,)", "median(a)", "list(1, 2, 3)",
     "ohlc(a, volume=b)"],
)  # fmt: skip
def test_what_means_no_policy_is_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(InvalidSpecError, match=r"expected one of last, first, count, min\(FIELD\)"):
        policy_from_text(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("sum(updates)", "has the name of one that the value gets"), ("list(0)", "1 to 10000 values, not 0"),
     ("list(a, 10001)", "not 10001")],
)  # fmt: skip
def test_a_policy_that_could_not_be_kept_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        policy_from_text(text)
