"""The ids of a producer that counts its messages: all that a queue took of them, in a few numbers."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.ids import COUNTS, KnownId, counted_prefix

MOST_GAPS: Final = 64
"""The gaps between the numbers that a queue took; what is below the oldest is forgotten."""

PRODUCER_BYTES: Final = 768
"""Bytes of memory that a producer takes besides its name, without gaps."""

GAP_BYTES: Final = 192

_BETWEEN: Final = b"\x00"


@final
class CountedIds:
    """Which numbers of one producer a queue took: those from `first` to `last`, except the gaps.

    A number in a gap was refused, has gone another way, or is still to come. What is below `first` is not
    known.

    Attributes:
        producer: the producer's name.
        prefix: its ids are this and a number.
        known: what the journal has, or None.
        changed: more was taken since.
        sequence: of the message that was taken last.
        durable: a message of it is durable, so that the numbers survive a restart.
    """

    __slots__ = ("_first", "_gaps", "_last", "changed", "durable", "known", "prefix", "producer", "sequence")

    def __init__(self, producer: bytes) -> None:
        self.producer = producer
        self.prefix = counted_prefix(producer)
        self.known: KnownId | None = None
        self.changed = False
        self.sequence: i64 = 0
        self.durable = False
        self._first: i64 = 0
        self._last: i64 = -1
        self._gaps: list[tuple[int, int]] = []

    @property
    def size_bytes(self) -> int:
        """The memory that it takes, about."""
        return PRODUCER_BYTES + len(self.producer) + GAP_BYTES * len(self._gaps)

    def knows(self, number: i64) -> bool:
        """Whether the queue took this number."""
        if number > self._last or number < self._first:
            return False
        for first, last in reversed(self._gaps):
            if number > last:
                return True
            if number >= first:
                return False
        return True

    def take(self, number: i64) -> i64:
        """Note a number that the queue took, and did not know; by how many bytes more memory it takes."""
        if number == self._last + 1 and self._last >= self._first:
            self._last = number
            return 0
        gaps = self._gaps
        before = len(gaps)
        if self._last < self._first:
            self._first = number
            self._last = number
        elif number > self._last:
            gaps.append((self._last + 1, number - 1))
            self._last = number
        elif number < self._first:
            if number + 1 < self._first:
                gaps.insert(0, (number + 1, self._first - 1))
            self._first = number
        else:
            self._fill(number)
        if len(gaps) > MOST_GAPS:
            self._first = gaps.pop(0)[1] + 1
        return GAP_BYTES * (len(gaps) - before)

    def _fill(self, number: int) -> None:
        for index, (first, last) in enumerate(self._gaps):
            if first <= number <= last:
                self._gaps[index : index + 1] = [
                    gap for gap in ((first, number - 1), (number + 1, last)) if gap[0] <= gap[1]
                ]
                return

    def note(self) -> KnownId:
        """An id that stands for all of them, for the journal."""
        numbers = [int(self._first), int(self._last)]
        for gap in self._gaps:
            numbers.extend(gap)
        text = " ".join(map(str, numbers)).encode()
        self.changed = False
        self.known = KnownId(COUNTS + self.producer + _BETWEEN + text, self.sequence, self.durable)
        return self.known

    def adopt(self, known: KnownId, numbers: list[int]) -> None:
        """Restore what `note` gave the journal earlier."""
        self.known = known
        self.sequence = known.sequence
        self.durable = known.durable
        self._first, self._last = numbers[0], numbers[1]
        self._gaps = list(zip(numbers[2::2], numbers[3::2], strict=True))


def restored_counts(known: KnownId) -> CountedIds:
    """What an id of `CountedIds.note` stands for."""
    producer, _, text = known.duplicate_id[len(COUNTS) :].rpartition(_BETWEEN)
    counted = CountedIds(producer)
    counted.adopt(known, [int(each) for each in text.split()])
    return counted
