"""Names that tell whose they are."""

import pytest

from lastvalue.broker.queue_names import owns, reply_queue, subscription_queue, user_of


@pytest.mark.parametrize("user", ["ann", "", "a/b", "a%2Fb", "ann.lee", "$"])
def test_a_user_owns_what_is_made_for_it_and_nobody_else_does(user: str) -> None:
    for name in (subscription_queue(user, "c", "s"), subscription_queue(user, "", "s"), reply_queue(user, 7)):
        assert owns(user, name)
        assert [other for other in ("bob", "an", "annx", "a", "ann/c") if owns(other, name)] == []


@pytest.mark.parametrize("user", ["ann", "", "a/b", "a%2Fb", "ann.lee", "$"])
def test_the_name_of_a_subscription_tells_its_user(user: str) -> None:
    assert user_of(subscription_queue(user, "c", "s")) == user
    assert user_of(reply_queue(user, 7)) is None


def test_no_name_of_one_user_is_one_of_another() -> None:
    assert subscription_queue("a", "b/c", "d") != subscription_queue("a", "b", "c/d")
    assert subscription_queue("a/b", "c", "d") != subscription_queue("a", "b/c", "d")
    assert not owns("", subscription_queue("ann", "c", "s"))


def test_other_names_are_nobodys() -> None:
    assert not any(owns("ann", name) for name in ("ann", "ann/x", "subscription/ann/x", "$subscription", ""))
