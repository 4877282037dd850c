from lastvalue.codec.output_buffer import LARGEST_COPIED, OutputBuffer


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
