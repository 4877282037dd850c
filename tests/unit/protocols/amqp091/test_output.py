from lastvalue.codec.amqp091.dialects import MODERN
from lastvalue.codec.amqp091.frames import FRAME_MIN
from lastvalue.protocols.amqp091.output import Output


def test_a_peer_takes_the_smallest_frames_until_a_size_is_agreed() -> None:
    output = Output()
    assert (output.frame_max, output.dialect) == (FRAME_MIN, MODERN)
    output.put(b"one")
    output.put(b"two")
    assert output.take() == b"onetwo"
