"""What may be sent: credit that is used up, windows that refill, and prefetch."""

import pytest

from lastvalue.delivery.window import UNLIMITED, Window, prefetch_window


def granted(messages: int, size_bytes: int, *, refills: bool) -> Window:
    window = Window()
    window.refills = refills
    window.messages.add(messages)
    window.bytes.add(size_bytes)
    return window


def test_nothing_may_be_sent_before_both_units_are_granted() -> None:
    window = Window()
    assert not window.is_open()
    window.messages.add(1)
    assert not window.is_open()
    window.bytes.add(1)
    assert window.is_open()


def test_credit_is_used_up() -> None:
    window = granted(1, UNLIMITED, refills=False)
    window.spend(10)
    window.restore(10, window.epoch)
    assert not window.is_open()


def test_a_window_refills_with_what_comes_back() -> None:
    window = granted(1, 10, refills=True)
    window.spend(10)
    assert not window.is_open()
    window.restore(10, window.epoch)
    assert window.covers(10)


def test_what_was_sent_before_a_cancel_does_not_come_back() -> None:
    window = granted(1, UNLIMITED, refills=True)
    epoch = window.epoch
    window.spend(10)
    window.cancel()
    window.messages.add(1)
    window.bytes.add(UNLIMITED)
    window.spend(10)
    window.restore(10, epoch)
    assert not window.is_open()


@pytest.mark.parametrize(("size_bytes", "covered"), [(10, True), (11, False)])
def test_a_message_is_covered_by_as_many_bytes_as_are_left(size_bytes: int, covered: bool) -> None:
    assert granted(1, 10, refills=True).covers(size_bytes) is covered


def test_what_is_unlimited_stays_so() -> None:
    window = granted(UNLIMITED, UNLIMITED, refills=False)
    window.messages.add(1)
    window.spend(1 << 20)
    assert window.messages.left() == UNLIMITED


def test_a_finite_grant_never_becomes_unlimited() -> None:
    window = granted(UNLIMITED - 1, 1, refills=False)
    window.messages.add(5)
    assert window.messages.left() == UNLIMITED - 1


def test_a_prefetch_of_nothing_is_any_number() -> None:
    window = prefetch_window(0, 0)
    window.spend(1 << 30)
    assert window.is_open()


def test_a_prefetch_limits_the_messages_that_are_out() -> None:
    window = prefetch_window(2, 0)
    window.spend(1)
    window.spend(1)
    assert not window.is_open()
    window.restore(1, 0)
    assert window.is_open()


def test_one_message_may_be_out_however_large_it_is() -> None:
    window = prefetch_window(0, 10)
    window.spend(100)
    assert not window.is_open()
    window.restore(100, 0)
    assert window.is_open()


def test_the_next_message_is_expected_to_be_as_large_as_the_last() -> None:
    window = prefetch_window(0, 10)
    window.spend(5)
    assert window.is_open()
    window.spend(4)
    assert not window.is_open()


def test_another_prefetch_counts_what_is_out_already() -> None:
    window = prefetch_window(0, 0)
    window.spend(1)
    window.set_prefetch(1, 0)
    assert not window.is_open()
