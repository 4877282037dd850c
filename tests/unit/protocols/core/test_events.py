"""The events of the engine."""

import pytest

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.packets import SEND, write_packet
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.events import Acknowledged, Published, PublishedRun

pytestmark = pytest.mark.pure


def test_an_acknowledgement_names_a_message_of_a_consumer() -> None:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    event = Acknowledged(channel, 30, (1, 5), False)
    assert (event.consumer, event.message, event.one, event.answered) == (1, 5, False, False)


def test_a_message_is_not_answered_unless_the_peer_asks_for_it() -> None:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    assert not Published(channel, 30, b"head", b"body").answered


def packet(body: bytes, head: bytes, version: int, *, answered: bool = True) -> bytes:
    values = {"message": bytes((0, 0, 0, 13 + len(body))) + body + head}
    return write_packet(SEND, 10, version, {**values, "wants_response": answered, "correlation": -7})


@pytest.mark.parametrize("version", [130, 134])
def test_a_run_goes_through_the_packets_of_its_messages(version: int) -> None:
    packets = [packet(b"body", b"a head", version), packet(b"", b"h", version, answered=False)]
    data = b"before" + b"".join(packets) + b"after"
    run = PublishedRun(Channel(10, version, -1, OutputBuffer(), MemoryAccount()), data, 6)
    assert run.is_over
    assert not run.look(run.at)
    ends = [6 + len(packets[0]), 6 + len(packets[0]) + len(packets[1])]
    for end in ends:
        run.measure(end)
        run.add()
    assert run.count == 2
    found = []
    while run.look(run.at):
        parts = data[run.body : run.head], data[run.head : run.trailer]
        found.append((*parts, run.size_bytes, run.published().answered, run.published().correlation))
        run.step()
    assert run.is_over
    assert found == [
        (b"body", b"a head", len(packets[0]), True, -7),
        (b"", b"h", len(packets[1]), False, -1),
    ]


@pytest.mark.parametrize("place", [0, 12, 200, 2**32 - 1])
def test_a_body_has_to_end_within_its_packet(place: int) -> None:
    values = {"message": place.to_bytes(4, "big") + b"body and head", "correlation": 1}
    data = write_packet(SEND, 10, 136, values)
    run = PublishedRun(Channel(10, 136, -1, OutputBuffer(), MemoryAccount()), data, 0)
    with pytest.raises(DecodeError, match="body"):
        run.measure(len(data))
