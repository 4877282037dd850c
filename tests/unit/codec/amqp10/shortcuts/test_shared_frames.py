"""Frames that links share are those that each would have written."""

from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.shortcuts.shared_frames import SharedFrames
from lastvalue.codec.amqp10.shortcuts.transfers import TransferWriter
from lastvalue.codec.output_buffer import LARGEST_COPIED, OutputBuffer

SERIAL = 0xFFFFFFFF
LAST = 0x7FFFFFFF
IDS = st.sampled_from([0, 1, 0xFFFE, LAST - 1, LAST, SERIAL - 1, SERIAL]) | st.integers(0, SERIAL)


def alone(payloads: list[bytes], delivery_id: int, settled: bool, handle: int = 0) -> bytes:
    """The frames of a link that shares none."""
    into, link = OutputBuffer(), TransferWriter(0, handle)
    for step, payload in enumerate(payloads):
        link.put_whole(into, (delivery_id + step) & SERIAL, payload, settled)
    return into.take()


@given(
    st.lists(st.binary(max_size=300), min_size=1, max_size=5),
    st.lists(IDS, min_size=2, max_size=4),
    st.sampled_from([0, 255, 256, SERIAL]),
    st.booleans(),
    st.sampled_from([b"", b"what waits"]),
)
def test_each_link_has_its_own_numbers(
    payloads: list[bytes], ids: list[int], handle: int, settled: bool, before: bytes
) -> None:
    frames = SharedFrames(payloads)
    for delivery_id in ids:
        into = OutputBuffer()
        into.put(before)
        assert frames.put(into, TransferWriter(0, handle), delivery_id, settled)
        into.put(b"what follows")
        expected = before + alone(payloads, delivery_id, settled, handle) + b"what follows"
        assert into.size == len(expected)
        assert into.take() == expected


def test_many_frames_are_not_copied_where_the_numbers_are_the_same() -> None:
    payloads = [bytes(LARGEST_COPIED // 2)] * 3
    frames = SharedFrames(payloads)
    taken = []
    for _ in range(2):
        into = OutputBuffer()
        frames.put(into, TransferWriter(0, 0), 7, True)
        taken.append(into.take())
    assert taken[0] is taken[1]
    assert taken[0] == alone(payloads, 7, True)


def test_a_link_whose_heads_are_others_is_not_written_to() -> None:
    frames = SharedFrames([b"x"])
    assert frames.put(OutputBuffer(), TransferWriter(0, 0), 0, True)
    into = OutputBuffer()
    assert not frames.put(into, TransferWriter(0, 1), 0, True)
    assert not frames.put(into, TransferWriter(1, 0), 0, True)
    assert not frames.put(into, TransferWriter(0, 0), 0, False)
    assert (into.size, into.take()) == (0, b"")
