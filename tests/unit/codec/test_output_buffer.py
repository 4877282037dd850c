"""Bytes that wait to be written, and the frames of large bodies that are made then."""

from lastvalue.codec.amqp091.methods import ContentBody
from lastvalue.codec.output_buffer import LARGEST_COPIED, STEP_BYTES, OutputBuffer


def test_bytes_are_taken_in_their_order_and_once() -> None:
    output = OutputBuffer()
    output.put(b"one")
    output.put(b"two")
    assert output.size == 6
    assert output.take() == b"onetwo"
    assert (output.take(), output.size) == (b"", 0)


def test_large_parts_stay_in_their_place() -> None:
    output = OutputBuffer()
    large = bytes(LARGEST_COPIED + 1)
    for part in (b"one", large, b"two", large[1:], b"three"):
        output.put(part)
    assert output.size == 2 * LARGEST_COPIED + 1 + 11
    assert output.take() == b"one" + large + b"two" + large[1:] + b"three"
    output.put(b"four")
    assert output.take() == b"four"


def test_a_large_part_alone_is_what_is_taken() -> None:
    output = OutputBuffer()
    output.put(bytes(LARGEST_COPIED + 1))
    assert output.take() == bytes(LARGEST_COPIED + 1)


def frames(body: bytes, room: int) -> bytes:
    """The frames of a content's body, as 0-9-1 has them."""
    pieces = [body[at : at + room] for at in range(0, len(body), room)]
    return b"".join(b"\x03\x00\x07" + len(each).to_bytes(4, "big") + each + b"\xce" for each in pieces)


def test_frames_of_large_bodies_are_made_in_steps_and_in_their_place() -> None:
    output = OutputBuffer()
    first, second = bytes(range(256)) * 5000, b"y" * 3000
    output.put(b"before")
    output.put_frames(ContentBody(7, first, 1008))
    output.put(b"between")
    output.put_frames(ContentBody(7, second, 1008))
    output.put(b"after")
    whole = b"before" + frames(first, 1000) + b"between" + frames(second, 1000) + b"after"
    assert output.size == len(whole)
    assert output.behind_body == len(b"between" + frames(second, 1000) + b"after")
    steps = []
    while output.has_large_body:
        steps.append(output.take())
        assert output.size == len(whole) - sum(map(len, steps))
    assert b"".join(steps) == whole
    assert max(map(len, steps[:-1])) < STEP_BYTES * 1.02
    assert len(steps) == 5
    assert (output.size, output.behind_body, output.take()) == (0, 0, b"")


def test_a_frame_larger_than_a_step_is_made_whole() -> None:
    output = OutputBuffer()
    body = bytes(3 * STEP_BYTES)
    output.put_frames(ContentBody(7, body, 2 * STEP_BYTES + 8))
    assert output.take() + output.take() == frames(body, 2 * STEP_BYTES)


def test_no_frames_are_made_while_the_transport_takes_nothing() -> None:
    output = OutputBuffer()
    output.put_frames(ContentBody(7, bytes(1000), 108))
    output.blocked = True
    assert output.take() == b""
    assert output.size == 1080
    output.put(b"the end")
    assert output.take_all() == frames(bytes(1000), 100) + b"the end"
    assert (output.size, output.has_large_body) == (0, False)
