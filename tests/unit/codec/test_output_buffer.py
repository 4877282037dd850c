from lastvalue.codec.output_buffer import OutputBuffer


def test_bytes_are_taken_in_their_order_and_once() -> None:
    output = OutputBuffer()
    output.put(b"one")
    output.put(b"two")
    assert output.size == 6
    assert output.take() == b"onetwo"
    assert (output.take(), output.size) == (b"", 0)


def test_what_is_put_alone_is_taken_without_a_copy() -> None:
    output, data = OutputBuffer(), bytes(range(256))
    output.put(data)
    assert output.take() is data
