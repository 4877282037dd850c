"""What accounts take of a budget, and what they may not."""

import pytest

from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError


def account(budget: MemoryBudget, user: str) -> MemoryAccount:
    account = MemoryAccount(budget)
    account.belong(user)
    return account


@pytest.mark.parametrize("limit", ["limit_bytes", "user_limit_bytes", "account_limit_bytes"])
def test_what_would_exceed_a_limit_is_refused_and_nothing_of_it_is_taken(limit: str) -> None:
    budget = MemoryBudget()
    setattr(budget, limit, 100)
    taker = account(budget, "ann")
    taker.take(60)
    with pytest.raises(MemoryLimitError) as refused:
        taker.take(41)
    assert (refused.value.limit_bytes, taker.used_bytes, budget.used_bytes) == (100, 60, 60)
    taker.take(40)
    taker.release(100)
    assert (taker.used_bytes, budget.used_bytes) == (0, 0)


def test_a_users_limit_is_on_all_its_accounts_and_on_no_others() -> None:
    budget = MemoryBudget()
    budget.user_limit_bytes = 100
    first, second, other = account(budget, "ann"), account(budget, "ann"), account(budget, "bob")
    first.take(60)
    other.take(60)
    with pytest.raises(MemoryLimitError):
        second.take(41)
    first.close()
    second.take(41)
    assert budget.used_bytes == 101


def test_what_is_taken_before_the_user_is_known_counts_for_the_user_then() -> None:
    budget = MemoryBudget()
    budget.user_limit_bytes = 100
    stranger = MemoryAccount(budget)
    stranger.take(80)
    stranger.belong("ann")
    with pytest.raises(MemoryLimitError):
        account(budget, "ann").take(21)


def test_what_is_open_replaces_what_was_open() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = 100
    taker = MemoryAccount(budget)
    taker.take(10)
    taker.count_open(50)
    taker.count_open(30)
    assert taker.used_bytes == 40
    with pytest.raises(MemoryLimitError):
        taker.count_open(91)
    assert taker.used_bytes == 40


def test_a_closed_account_gives_everything_back_and_counts_no_more() -> None:
    budget = MemoryBudget()
    taker = account(budget, "ann")
    taker.take(10)
    taker.count_open(50)
    taker.close()
    taker.release(10)
    taker.close()
    assert budget.used_bytes == 0
    budget.user_limit_bytes = 5
    account(budget, "ann").take(5)


def test_an_account_that_becomes_another_users_counts_for_that_one_alone() -> None:
    budget = MemoryBudget()
    budget.user_limit_bytes = 100
    account, second = MemoryAccount(budget), MemoryAccount(budget)
    account.belong("anonymous")
    account.take(80)
    account.belong("ann")
    second.belong("anonymous")
    second.take(100)
    with pytest.raises(MemoryLimitError):
        account.take(30)
    account.close()
    second.close()
    assert budget.used_bytes == 0
