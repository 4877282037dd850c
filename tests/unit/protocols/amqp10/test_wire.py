"""The outbox of a connection."""

import pytest

from lastvalue.codec.amqp10.performatives import AmqpError, Attach, Close, Open
from lastvalue.protocols.amqp10.wire import LongAttachError, Wire


def test_what_waits_is_taken_at_once_and_once() -> None:
    wire = Wire()
    assert wire.take() == b""
    wire.put(b"one ")
    wire.put(b"two")
    assert wire.size == 7
    assert wire.take() == b"one two"
    assert (wire.take(), wire.size) == (b"", 0)


def test_a_performative_goes_out_in_a_frame_of_its_own() -> None:
    wire = Wire()
    wire.perform(Close(), 5)
    assert wire.take().hex() == "0000000c02000005" + "00531845"


def test_a_performative_larger_than_the_peers_frames_is_not_sent() -> None:
    wire = Wire()
    wire.perform(Open(container_id="x" * 600), 0)
    assert wire.take() == b""
    assert wire.overlong > 600
    wire.perform(Close(AmqpError("amqp:frame-size-too-small")), 0)
    assert wire.take() != b""


def test_an_attach_larger_than_the_peers_frames_is_not_sent_and_ends_nothing() -> None:
    wire = Wire()
    with pytest.raises(LongAttachError, match="and the peer takes 512; shorter filters would fit"):
        wire.attach(Attach(name="x" * 600, handle=0, role=True), 0)
    assert (wire.take(), wire.overlong) == (b"", 0)
    wire.attach(Attach(name="x", handle=0, role=True), 0)
    assert wire.take() != b""
