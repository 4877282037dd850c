from typing import Any

import pytest

from lastvalue.cluster.log_records import (
    FORMAT_VERSION,
    Kind,
    LogRecord,
    LogRecordError,
    decode_record,
    encode_record,
)

RECORD = LogRecord(Kind.BATCH, 3, 70, 5, 10_000, b"payload", more=True, begins=True)


@pytest.mark.parametrize("kind", Kind)
def test_a_record_is_read_as_it_was_written(kind: Kind) -> None:
    record = LogRecord(kind, 3, 70, 5, 10_000, b"payload")
    assert decode_record(encode_record(record), 1) == record
    assert decode_record(encode_record(RECORD), 1) == RECORD


@pytest.mark.parametrize("place", range(5, len(encode_record(RECORD))))
def test_a_changed_byte_is_noticed(place: int) -> None:
    data = bytearray(encode_record(RECORD))
    data[place] ^= 1
    with pytest.raises(LogRecordError, match="message 12 of the stream is damaged"):
        decode_record(bytes(data), 12)


def test_a_later_format_is_refused_with_both_numbers() -> None:
    data = bytearray(encode_record(RECORD))
    data[4] = FORMAT_VERSION + 1
    with pytest.raises(LogRecordError, match=r"message 12 has the format 2; .* up to 1: use a newer one"):
        decode_record(bytes(data), 12)


@pytest.mark.parametrize("data", [b"", b"lvlg", b"hello, this is somebody else's message"])
def test_what_another_program_wrote_is_named_so(data: bytes) -> None:
    with pytest.raises(LogRecordError, match="message 12 of the stream was not written by lastvalue"):
        decode_record(data, 12)


def test_a_kind_that_is_not_known_is_refused() -> None:
    unknown: Any = 9
    data = encode_record(LogRecord(unknown, 3, 70, 5, 10_000))
    with pytest.raises(LogRecordError, match="unknown kind 9: use a newer lastvalue"):
        decode_record(data, 12)
