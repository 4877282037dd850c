"""The ids by which queues know messages again."""

import pytest

from lastvalue.queues.ids import (
    COUNTS,
    LONGEST_ID,
    DuplicateIdError,
    counted_number,
    counted_prefix,
    counting_producer,
    explicit_id,
    numbered_id,
    readable,
)


def test_an_id_that_a_producer_chose_is_read_as_it_is() -> None:
    assert readable(explicit_id(b"batch/7")) == "batch/7"


def test_bytes_that_are_no_text_are_told_as_escapes() -> None:
    assert readable(explicit_id(b"\xff\x00")) == "\\xff\x00"


def test_a_numbered_id_names_the_producer_and_the_number() -> None:
    assert readable(numbered_id("feed", b"17")) == "feed/17"


def test_a_chosen_id_is_never_a_numbered_one() -> None:
    assert explicit_id(b"feed\x0017") != numbered_id("feed", b"17")


def test_two_producers_number_apart() -> None:
    assert numbered_id("a", b"1") != numbered_id("b", b"1")


@pytest.mark.parametrize("nothing", [explicit_id(b""), numbered_id("feed", b"")])
def test_nothing_is_no_id(nothing: bytes) -> None:
    assert nothing == b""


def test_an_id_that_is_too_long_is_refused() -> None:
    assert len(explicit_id(b"x" * (LONGEST_ID - 1))) == LONGEST_ID
    with pytest.raises(DuplicateIdError, match="has 1025 bytes; at most 1024"):
        explicit_id(b"x" * LONGEST_ID)


def test_an_id_that_is_counted_has_a_producer_and_a_number() -> None:
    counted = explicit_id(b"lastvalue:feed-2-17")
    assert counting_producer(counted) == b"feed-2"
    assert counted_number(counted, len(counted_prefix(b"feed-2"))) == 17


@pytest.mark.parametrize(
    "other",
    [
        b"feed-17",
        b"lastvalue:feed",
        b"lastvalue:-7",
        b"lastvalue:feed-",
        b"lastvalue:feed-1x",
        b"lastvalue:f--1x",
        b"lastvalue:" + b"f" * 65 + b"-1",
        b"lastvalue:f-" + b"1" * 16,
    ],
)
def test_other_ids_are_not_counted(other: bytes) -> None:
    assert counting_producer(explicit_id(other)) == b""


@pytest.mark.parametrize("digits", [b"", b"x", b"-1", b"1" * 16])
def test_what_is_no_number_is_none(digits: bytes) -> None:
    assert counted_number(b"=" + digits, 1) == -1


def test_what_stands_for_a_producer_s_numbers_is_readable() -> None:
    assert readable(COUNTS + b"feed\x001 9 3 4") == "feed/1 9 3 4"
