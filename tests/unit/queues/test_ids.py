"""The ids by which queues know messages again."""

import pytest

from lastvalue.queues.ids import LONGEST_ID, DuplicateIdError, explicit_id, numbered_id, readable


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
