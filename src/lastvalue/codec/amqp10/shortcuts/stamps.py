"""A message's place on a queue in its delivery annotations, written and read in one form."""

import struct
from typing import Final

from librt.strings import read_i64_be

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


# Behind the section's code.
_MAP_HEAD: Final = STAMP_SEQUENCE[3:]
_MAP_SIZE: Final = STAMP_SIZE - 3
_SEQUENCE_AT: Final = STAMP_NUMBERS[0] - 3
_TIME_AT: Final = STAMP_NUMBERS[1] - 3
_UPDATES_AT: Final = STAMP_NUMBERS[2] - 3


def place_in(annotations: bytes) -> tuple[int, int, int] | None:
    """Sequence, time and count of updates in an encoded map, if it is one that `stamped` adds; else None."""
    if (
        len(annotations) != _MAP_SIZE
        or not annotations.startswith(_MAP_HEAD)
        or annotations[_SEQUENCE_AT + 8 : _TIME_AT] != _STAMP_TIME
        or annotations[_TIME_AT + 8 : _UPDATES_AT] != _STAMP_UPDATES
    ):
        return None
    return (
        int(read_i64_be(annotations, _SEQUENCE_AT)),
        int(read_i64_be(annotations, _TIME_AT)),
        int(read_i64_be(annotations, _UPDATES_AT)),
    )
