"""Writes a message's place on a queue into it, as delivery annotations packed in one call."""

import struct
from typing import Final

from lastvalue.codec.amqp10.message import annotated, header_end
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.model.property_names import ENQUEUED_TIME, SEQUENCE_NUMBER, UPDATES

# The delivery annotations, a map8 of three entries: symbols, and values of 8 bytes.
STAMP_SEQUENCE: Final = b"\x00\x53\x71\xc1\x57\x06\xa3\x15" + SEQUENCE_NUMBER.encode() + b"\x81"
_STAMP_TIME: Final = b"\xa3\x13" + ENQUEUED_TIME.encode() + b"\x83"
_STAMP_UPDATES: Final = b"\xa3\x0d" + UPDATES.encode() + b"\x81"
STAMP: Final = struct.Struct(f">{len(STAMP_SEQUENCE)}sq{len(_STAMP_TIME)}sq{len(_STAMP_UPDATES)}sq")
STAMP_SIZE: Final = STAMP.size
"""The size of the section that `stamped` adds, in bytes."""
STAMP_NUMBERS: Final = (len(STAMP_SEQUENCE), len(STAMP_SEQUENCE) + 8 + len(_STAMP_TIME), STAMP_SIZE - 8)
"""The offsets in it of sequence, time and count of updates, of eight bytes each."""


def stamped(payload: bytes, sequence: int, enqueued_ms: int, updates: int) -> bytes:
    """The message annotated with its place on a queue: the result of `annotated`, several times faster.

    Raises:
        DecodeError: the payload's header or delivery annotations are malformed.
    """
    start = 0 if payload[2:3] != b"\x70" else header_end(payload)
    if payload[start + 2 : start + 3] <= b"\x71":
        place = {SEQUENCE_NUMBER: sequence, ENQUEUED_TIME: Timestamp(enqueued_ms), UPDATES: updates}
        return annotated(payload, place)
    section = STAMP.pack(STAMP_SEQUENCE, sequence, _STAMP_TIME, enqueued_ms, _STAMP_UPDATES, updates)
    return section + payload if start == 0 else payload[:start] + section + payload[start:]
