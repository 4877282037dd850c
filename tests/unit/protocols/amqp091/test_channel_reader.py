"""Methods and contents of one channel of AMQP 0-9-1, put together."""

import struct

import pytest
from pamqp import commands

from lastvalue.codec.amqp091.errors import ReplyError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.channel_reader import ChannelReader
from lastvalue.protocols.amqp091.events import (
    ACCEPT,
    Answered,
    Called,
    ChannelEnded,
    Event,
    PublishBegun,
    Published,
)
from lastvalue.protocols.amqp091.output import Output

PUBLISH = struct.pack(">HH", 60, 40) + b"\0\0\0\x01q\0"
ACK = struct.pack(">HHQB", 60, 80, 7, 1)


def header(size: int) -> bytes:
    return struct.pack(">HHQH", 60, 0, size, 0)


def reader_of(events: list[Event]) -> ChannelReader:
    return ChannelReader(Channel(1, Output()), events, 1000, MemoryAccount())


def test_a_content_is_put_together_from_its_frames() -> None:
    events: list[Event] = []
    reader = reader_of(events)
    reader.take_method(PUBLISH, 0, len(PUBLISH))
    assert not reader.between
    reader.take_header(header(5), 0, 14)
    reader.take_body(b"abc", 0, 3)
    reader.take_body(b"_de_", 1, 3)
    begun, published = events
    assert isinstance(begun, PublishBegun)
    assert isinstance(published, Published)
    assert published.head is begun.head
    assert (published.head.key, published.header, published.body) == ("q", header(5), b"abcde")
    assert reader.between


def test_an_acknowledgement_and_other_methods_are_events_of_their_own() -> None:
    events: list[Event] = []
    reader = reader_of(events)
    reader.take_method(ACK, 0, len(ACK))
    qos = struct.pack(">HHIHB", 60, 10, 0, 5, 0)
    reader.take_method(qos, 0, len(qos))
    close = struct.pack(">HHHBHH", 20, 40, 200, 0, 0, 0)
    reader.take_method(close, 0, len(close))
    answered, called, ended = events
    assert isinstance(answered, Answered)
    assert (answered.tag, answered.multiple, answered.how) == (7, True, ACCEPT)
    assert isinstance(called, Called)
    assert isinstance(called.method, commands.Basic.Qos)
    assert isinstance(ended, ChannelEnded)


@pytest.mark.parametrize("size", [3, 0])
def test_a_body_longer_than_its_header_says_is_refused(size: int) -> None:
    reader = reader_of([])
    reader.take_method(PUBLISH, 0, len(PUBLISH))
    reader.take_header(header(size), 0, 14)
    with pytest.raises(ReplyError):
        reader.take_body(b"abcd", 0, 4)


def test_what_comes_while_the_channel_closes_counts_for_nothing() -> None:
    events: list[Event] = []
    reader = reader_of(events)
    reader.take_method(PUBLISH, 0, len(PUBLISH))
    reader.channel.fail(311, "too large")
    reader.take_header(header(3), 0, 14)
    reader.take_body(b"abc", 0, 3)
    reader.take_method(ACK, 0, len(ACK))
    assert [type(event) for event in events] == [PublishBegun]
    closed = struct.pack(">HH", 20, 41)
    reader.take_method(closed, 0, len(closed))
    assert reader.channel.gone


def test_a_message_that_is_too_large_closes_the_channel_and_no_more() -> None:
    events: list[Event] = []
    reader = reader_of(events)
    reader.take_method(PUBLISH, 0, len(PUBLISH))
    reader.take_header(header(1001), 0, 14)
    assert reader.channel.closing
    assert [type(event) for event in events] == [PublishBegun]
