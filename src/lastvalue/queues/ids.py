"""The ids by which queues detect duplicates."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import COUNTED

LONGEST_ID: Final = 1024
"""The largest size of an id, in bytes."""

_GIVEN: Final = b"="
_NUMBERED: Final = b"@"
_COUNTED: Final = _GIVEN + COUNTED.encode()
COUNTS: Final = b"#"
"""The beginning of what stands for all ids that one producer has counted; see `CountedIds`."""

_BETWEEN: Final = b"\x00"
_LONGEST_NAME: Final = 64
_MOST_DIGITS: Final = 15


@mypyc_attr(native_class=False)
class DuplicateIdError(LastvalueError):
    """A message's id for duplicate detection is too long."""

    condition = Condition.INVALID_FIELD

    def __init__(self, size_bytes: int) -> None:
        super().__init__(
            f"the id for duplicate detection has {size_bytes} bytes; at most {LONGEST_ID} are allowed"
        )
        self.size_bytes = size_bytes


def explicit_id(value: bytes) -> bytes:
    """The id of a message whose producer chose one; b"" if it is empty.

    Raises:
        DuplicateIdError: the id is too long.
    """
    return _checked(_GIVEN + value) if value else b""


def numbered_id(producer: str, message_id: bytes) -> bytes:
    """The id of a message from its producer's name and its message-id; b"" if the message-id is empty.

    Raises:
        DuplicateIdError: the id is too long.
    """
    return _checked(_NUMBERED + producer.encode() + _BETWEEN + message_id) if message_id else b""


def counting_producer(duplicate_id: bytes) -> bytes:
    """The name of the producer that counts this id, or b"" if it is none that is counted."""
    if not duplicate_id.startswith(_COUNTED):
        return b""
    name, _, digits = duplicate_id[len(_COUNTED) :].rpartition(b"-")
    counts = digits.isdigit() and len(digits) <= _MOST_DIGITS and len(name) <= _LONGEST_NAME
    return name if counts else b""


def counted_prefix(producer: bytes) -> bytes:
    """The ids of a producer that counts are this and the number."""
    return _COUNTED + producer + b"-"


def counted_number(duplicate_id: bytes, start: int) -> int:
    """The number that begins there in an id, or -1 if it is none."""
    digits = duplicate_id[start:]
    return int(digits) if digits.isdigit() and len(digits) <= _MOST_DIGITS else -1


def readable(duplicate_id: bytes) -> str:
    """An id as text: the producer's own id, or the producer's name, a slash and the rest."""
    text = duplicate_id[1:].decode("utf-8", "backslashreplace")
    return text if duplicate_id.startswith(_GIVEN) else text.replace("\x00", "/", 1)


def _checked(duplicate_id: bytes) -> bytes:
    if len(duplicate_id) > LONGEST_ID:
        raise DuplicateIdError(len(duplicate_id))
    return duplicate_id


@final
@mypyc_attr(acyclic=True)
class KnownId:
    """An id that a queue remembers.

    Attributes:
        duplicate_id: the id.
        sequence: the sequence of its message.
        durable: its message is durable, so the id survives a restart too.
        stored: the part of the journal that stores it, or 0. Only the journal sets it.
    """

    __slots__ = ("duplicate_id", "durable", "sequence", "stored")

    def __init__(self, duplicate_id: bytes, sequence: i64, durable: bool) -> None:
        self.duplicate_id = duplicate_id
        self.sequence: i64 = sequence
        self.durable = durable
        self.stored: i64 = 0
