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


def parts_of(body: LargeBody, step: int) -> list[bytes]:
    return [body.next_part(min(step, body.size_bytes - at)) for at in range(0, body.size_bytes, step)]


@given(st.text(st.characters(codec="utf-8"), max_size=20), st.integers(1, 60))
def test_a_text_is_the_same_in_parts_of_any_size(text: str, step: int) -> None:
    whole = encode_message(encoded(text), "q", NEVER).body
    body = LargeBody(b"before" + text.encode(), len(b"before"), len(text.encode("utf-16-le")))
    parts = parts_of(body, step)
    assert (b"".join(parts), {len(part) for part in parts[:-1]} - {step}) == (whole, set())


@pytest.mark.parametrize(
    "body",
    [
        "x" * LARGE,
        "x" * (LARGE - 1),
        "x" * (2 * LARGE) + "é",
        "é" * LARGE,
        "\u20ac" * LARGE,
        "x" + "\U0001f600" * LARGE,
        "é\U0001f600\u20ac" * LARGE,
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
    assert b"".join(parts_of(large, 10_000)) == whole.body
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
        assert (message.kind, large.next_part(large.size_bytes)) == (whole.kind, whole.body)


@pytest.mark.parametrize("character", ["x", "\u20ac"])
def test_a_large_text_is_not_converted_at_once(character: str) -> None:
    message, large = encode_in_parts(encoded(character * LARGE), "q", NEVER)
    assert len(message.body) < large.size_bytes == 2 * LARGE + 5


@pytest.mark.parametrize("octets", [b"\x80", b"\x80" * LARGE, b"\xe2\x82", b"\xed\xa0\x80"])
def test_a_large_text_that_is_no_utf8_is_refused(octets: bytes) -> None:
    payload = encoded("x" * LARGE + "y" * len(octets)).replace(b"y" * len(octets), octets)
    with pytest.raises(LastvalueError):
        encode_in_parts(payload, "q", NEVER)
