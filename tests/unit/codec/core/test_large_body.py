"""A large body has, part by part, the octets that the general conversion has at once."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.core.large_body import LargeBody, encode_in_parts
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER

pytestmark = pytest.mark.pure

LARGE = 64 * 1024


def encoded(body: Any, **more: Any) -> bytes:
    return encode_content(MessageContent(**{"body": body, **more}))


@given(st.text(st.characters(codec="ascii"), max_size=20), st.integers(1, 60))
def test_a_text_is_the_same_in_parts_of_any_size(text: str, step: int) -> None:
    whole = encode_message(encoded(text), "q", NEVER).body
    body = LargeBody(b"before" + text.encode(), len(b"before"))
    assert body.size_bytes == len(whole)
    assert b"".join(body.part(at, min(at + step, len(whole))) for at in range(0, len(whole), step)) == whole


@pytest.mark.parametrize(
    "body",
    [
        "x" * LARGE,
        "x" * (LARGE - 1),
        "x" * (2 * LARGE) + "é",
        "é" * LARGE,
        "x" * 3 * LARGE,
        b"x" * LARGE,
        ["x" * LARGE],
        {"k": "x" * LARGE},
        None,
    ],
)
@pytest.mark.parametrize("more", [{}, {"application_properties": {"k": "v"}, "subject": "s"}])
def test_it_is_what_the_general_conversion_has(body: object, more: dict[str, Any]) -> None:
    payload = encoded(body, **more)
    whole = encode_message(payload, "q", 7)
    message, large = encode_in_parts(payload, "q", 7)
    assert large.part(0, large.size_bytes) == whole.body
    assert (message.kind, message.head(1, 9)) == (whole.kind, whole.head(1, 9))


@pytest.mark.parametrize(
    "sections",
    [
        b"\x00\x53\x75\xa0\x01x",
        b"\x00\x53\x77\xa1\x01x",
        b"\x00\x53\x76\x45",
        b"\x00\x53",
        b"\x00\x53\x78\xc1\x01\x00",
    ],
)
def test_other_sections_beside_the_text_are_for_the_general_conversion(sections: bytes) -> None:
    text = encoded("x" * LARGE)
    for payload in (sections + text, text + sections, text[:-1], text + b"x"):
        try:
            whole = encode_message(payload, "q", NEVER)
        except LastvalueError:
            with pytest.raises(LastvalueError):
                encode_in_parts(payload, "q", NEVER)
            continue
        message, large = encode_in_parts(payload, "q", NEVER)
        assert (message.kind, large.part(0, large.size_bytes)) == (whole.kind, whole.body)


def test_a_large_text_of_ascii_is_not_converted_at_once() -> None:
    message, large = encode_in_parts(encoded("x" * LARGE), "q", NEVER)
    assert len(message.body) < large.size_bytes == 2 * LARGE + 5
