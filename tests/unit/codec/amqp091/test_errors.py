import pytest

from lastvalue.codec.amqp091.errors import HARD, HARD_OR_OLD, NAMES, NOT_FOUND, ReplyError, reply_text


@pytest.mark.parametrize(
    ("code", "text", "whole"),
    [(404, "no queue", "NOT_FOUND - no queue"), (999, "what", "ERROR - what")],
)
def test_the_text_of_a_close_begins_with_the_name_of_its_code(code: int, text: str, whole: str) -> None:
    assert reply_text(code, text) == whole


@pytest.mark.parametrize("character", ["x", "é", "\U0001f600"])
def test_a_long_text_is_cut_to_what_a_short_string_holds(character: str) -> None:
    text = reply_text(NOT_FOUND, character * 300)
    assert 220 < len(text.encode()) <= 255
    assert text.endswith("…")


def test_codes_that_end_a_connection_have_names() -> None:
    assert {542} == HARD_OR_OLD - HARD
    assert NAMES.keys() >= HARD_OR_OLD


def test_an_error_knows_the_code_and_the_method() -> None:
    error = ReplyError(404, "no queue", (50, 10))
    assert (error.code, error.method, str(error)) == (404, (50, 10), "no queue")
