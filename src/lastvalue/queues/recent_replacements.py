"""Which values the newest messages of a queue have replaced: what WHY knows without a removal log."""

from typing import Final, final

from librt.strings import BytesWriter, read_i64_le, write_i64_le
from mypy_extensions import i64

from lastvalue.queues.entry import Entry

MOST: Final = 256
"""After this many messages a span ends; two of them are kept, so that this many are always known."""

_WORD: Final = 8


@final
class _Span:
    """What a number of messages in a row have replaced.

    Attributes:
        first: the sequence of its first message.
        replaced: for each message the sequence of the value that it replaced, or 0.
        times: for each run of messages the sequence of the first one, and when they came.
    """

    __slots__ = ("first", "replaced", "times")

    def __init__(self, first: i64) -> None:
        self.first: i64 = first
        self.replaced = BytesWriter()
        self.times = BytesWriter()


@final
class RecentReplacements:
    """Of the newest messages of a queue: which value each has replaced, and when it came.

    It costs a word a message, and has no keys: from the value of a key one goes back to what it replaced, and
    from there on.
    """

    __slots__ = ("_older", "_span")

    def __init__(self) -> None:
        self._older: _Span | None = None
        self._span: _Span | None = None

    def begin(self, sequence: i64, now: i64) -> BytesWriter:
        """A run of messages comes, from this sequence on: write for each what it replaced, or 0."""
        span = self._span
        if span is None:
            span = self._span = _Span(sequence)
        count: i64 = len(span.replaced) // _WORD
        missing = sequence - span.first - count
        if count >= MOST or not 0 <= missing <= MOST:
            self._older = span
            span = self._span = _Span(sequence)
            missing = 0
        while missing > 0:
            write_i64_le(span.replaced, 0)
            missing -= 1
        write_i64_le(span.times, sequence)
        write_i64_le(span.times, now)
        return span.replaced

    def note(self, entry: Entry, previous: Entry | None) -> None:
        """Note that a single message came, and the entry that it has replaced, if there is one."""
        replaced: i64 = 0 if previous is None else previous.sequence
        write_i64_le(self.begin(entry.sequence, entry.arrival_ms), replaced)

    def memory_bytes(self) -> i64:
        """The memory that it takes, about."""
        size_bytes: i64 = 0
        for span in (self._span, self._older):
            if span is not None:
                size_bytes += len(span.replaced) + len(span.times)
        return size_bytes

    def replaced_by(self, sequence: i64) -> i64:
        """The sequence of the value that a message has replaced; 0 if it replaced none, or is not known."""
        span = self._span_of(sequence)
        return 0 if span is None else read_i64_le(span.replaced.getvalue(), (sequence - span.first) * _WORD)

    def newer_than(self, sequence: i64) -> i64:
        """The sequence of the message that has replaced a value; 0 if it is not known."""
        for span in (self._span, self._older):
            if span is None:
                continue
            replaced = span.replaced.getvalue()
            for at in range(0, len(replaced), _WORD):
                if read_i64_le(replaced, at) == sequence:
                    return span.first + at // _WORD
        return 0

    def time_of(self, sequence: i64) -> i64:
        """When a message came; 0 if it is not known."""
        span = self._span_of(sequence)
        time_ms: i64 = 0
        if span is not None:
            times = span.times.getvalue()
            for at in range(0, len(times), 2 * _WORD):
                if read_i64_le(times, at) <= sequence:
                    time_ms = read_i64_le(times, at + _WORD)
        return time_ms

    def _span_of(self, sequence: i64) -> _Span | None:
        for span in (self._span, self._older):
            if span is not None and 0 <= (sequence - span.first) * _WORD < len(span.replaced):
                return span
        return None
