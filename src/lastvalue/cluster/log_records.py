"""The bytes of a log's records: one is one message of the stream."""

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from lastvalue.store.segments import NewerVersionError, StoreError

FORMAT_VERSION: Final = 1
_MAGIC: Final = b"lvlg"
# Magic, format version, kind, flags, term, number, segment, lease in ms, checksum; then the payload.
_HEAD: Final = struct.Struct(">4sBBBQQQII")
# The checksum is over the fields between the version and itself, and the payload.
_SEED: Final = struct.Struct(">BBQQQI")
_MORE: Final = 1
_BEGINS: Final = 2
HEAD_SIZE: Final = _HEAD.size


class LogRecordError(StoreError):
    """A message of the stream is no record of a log, or is damaged."""


class NewerLogRecordError(LogRecordError, NewerVersionError):
    """A message of the stream has a format that only newer versions know."""


class Kind(IntEnum):
    """What a record is."""

    TERM = 1
    """A broker begins to write; the payload says who, in JSON."""
    BATCH = 2
    """A batch of the journal's records, or a part of one."""
    BEAT = 3
    """The writer is alive; it has the number of the record before it."""
    STOP = 4
    """The writer has ended in order: another one need not wait."""


_KINDS: Final = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class LogRecord:
    """A record of a log.

    Attributes:
        term: of its writer; each writer has a higher one.
        number: one more than that of the record before it.
        segment: of the journal.
        lease_ms: for how long the writer may serve after it sent this.
        more: the next record continues the batch.
        begins: with it the segment begins.
    """

    kind: Kind
    term: int
    number: int
    segment: int
    lease_ms: int
    payload: bytes = b""
    more: bool = False
    begins: bool = False


def encode_record(record: LogRecord) -> bytes:
    """The bytes of a record."""
    flags = _MORE * record.more + _BEGINS * record.begins
    fields = (record.kind, flags, record.term, record.number, record.segment, record.lease_ms)
    checksum = zlib.crc32(record.payload, zlib.crc32(_SEED.pack(*fields)))
    return _HEAD.pack(_MAGIC, FORMAT_VERSION, *fields, checksum) + record.payload


def decode_record(data: bytes, position: int) -> LogRecord:
    """The record in a message; `position` is its sequence in the stream, for the fault.

    Raises:
        LogRecordError: it is none, or it is damaged.
        NewerLogRecordError: it has a later format.
    """
    if len(data) < HEAD_SIZE or not data.startswith(_MAGIC):
        raise LogRecordError(f"message {position} of the stream was not written by lastvalue")
    _, version, *fields, checksum = _HEAD.unpack_from(data)
    if version > FORMAT_VERSION:
        raise NewerLogRecordError(
            f"message {position} has the format {version}; this lastvalue reads formats up to "
            f"{FORMAT_VERSION}: use a newer one"
        )
    payload = data[HEAD_SIZE:]
    if zlib.crc32(payload, zlib.crc32(_SEED.pack(*fields))) != checksum:
        raise LogRecordError(f"message {position} of the stream is damaged: a checksum does not match")
    kind, flags, term, number, segment, lease_ms = fields
    if kind not in _KINDS:
        raise NewerLogRecordError(
            f"message {position} has a record of the unknown kind {kind}: use a newer lastvalue"
        )
    return LogRecord(
        Kind(kind), term, number, segment, lease_ms, payload, bool(flags & _MORE), bool(flags & _BEGINS)
    )
