"""Whole transfers of AMQP 0-10 found in the bytes of a connection."""

import pytest

from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    FIRST_SEGMENT,
    HEADER,
    LAST_SEGMENT,
    encode_segment,
)
from lastvalue.codec.amqp010.shortcuts.transfers import TransferHead
from lastvalue.codec.amqp10.sections import ABSENT

LARGEST = 4096
TRANSFER = encode_segment(FIRST_SEGMENT, COMMAND, 1, b"\x04\x01\x01\x00\x00\x00", LARGEST)
OTHER = encode_segment(FIRST_SEGMENT, COMMAND, 1, b"\x04\x02\x01\x00\x00\x00", LARGEST)
SEGMENT = encode_segment(0, HEADER, 1, b"header", LARGEST)
LAST = encode_segment(LAST_SEGMENT, BODY, 1, b"body", LARGEST)
WHOLE = TRANSFER + SEGMENT + LAST


def test_the_parts_of_a_transfer_are_found_one_behind_the_other() -> None:
    head = TransferHead(LARGEST)
    data = WHOLE + WHOLE
    assert head.find(data, 0)
    assert head.command == TRANSFER
    assert data[head.header : head.header_end] == b"header"
    assert data[head.body : head.end] == b"body"
    head.destination = "known"
    assert head.find(data, head.end)
    assert (head.destination, head.end) == ("known", len(data))


def test_a_transfer_may_have_no_body() -> None:
    head = TransferHead(LARGEST)
    data = TRANSFER + encode_segment(LAST_SEGMENT, HEADER, 1, b"header", LARGEST)
    assert head.find(data, 0)
    assert (head.body, head.end) == (ABSENT, len(data))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        OTHER + SEGMENT + LAST,
        TRANSFER + LAST,
        TRANSFER + SEGMENT + SEGMENT,
        TRANSFER + encode_segment(0, HEADER, 2, b"header", LARGEST) + LAST,
        TRANSFER + encode_segment(0, HEADER, 1, bytes(100), 60) + LAST,
        *(WHOLE[:size] for size in range(len(WHOLE))),
    ],
)
def test_anything_else_is_left_to_be_read_frame_by_frame(data: bytes) -> None:
    assert not TransferHead(LARGEST).find(data, 0)


def test_a_frame_larger_than_is_allowed_is_left_alone() -> None:
    assert not TransferHead(17).find(WHOLE, 0)
