"""What one writer of a log sends, and what it may believe: a state machine without a socket or a clock.

Each message says at which sequence of the stream it expects to be stored, so several are under way at once.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from lastvalue.cluster.chain import Chain
from lastvalue.cluster.log_records import Kind, LogRecord, encode_record
from lastvalue.store.segments import StoreError

MOST_SENT: Final = 32
"""How many messages are under way at once."""

ANSWER_S: Final = 2.0
"""After this time without an answer the stream is asked what became of a message."""

BEATS_A_LEASE: Final = 4


class FencedError(StoreError):
    """Another broker writes the log: this one must serve nothing any more."""


@dataclass(frozen=True, slots=True)
class Send:
    """A message to send now.

    Attributes:
        token: names this attempt; its answer has it.
        expected: the sequence that the stream must have, so that the message is stored.
    """

    token: int
    expected: int
    data: bytes


@dataclass(slots=True)
class _Pending:
    record: LogRecord
    data: bytes
    token: int = 0
    position: int = 0
    first_sent_s: float = 0.0
    sent_s: float = 0.0
    answered: bool = False


class Appender:
    """Sends records in order and confirms each once the log surely has it.

    The owner adds records, sends what `sends` returns, tells the answers, and takes what is `confirmed`.
    While `resolving`, it reads the stream behind `position` and calls `resolve`.

    Args:
        chain: at the end of the log; its last record is this writer's TERM.
        lease_s: for how long after it was sent a confirmed record proves that nobody else writes.
        now_s: when the TERM was sent.

    Attributes:
        term: of this writer.
        resolving: what became of a message is unknown.
        fenced: another writer has begun.
        serves_until_s: until when surely nobody else writes.
    """

    def __init__(self, chain: Chain, lease_s: float, now_s: float) -> None:
        self.term = chain.term
        self.resolving = False
        self.fenced = False
        self.serves_until_s = now_s + lease_s
        self._chain = chain.copy()
        self._lease_s = lease_s
        self._number = chain.number
        self._next_position = chain.position + 1
        self._tokens = 0
        self._sent_s = now_s
        self._waiting: deque[_Pending] = deque()
        self._pending: deque[_Pending] = deque()
        self._confirmed: list[tuple[int, LogRecord]] = []

    @property
    def number(self) -> int:
        """The number of the last record that was added."""
        return self._number

    @property
    def position(self) -> int:
        """The stream's sequence of the last confirmed record."""
        return self._chain.position

    @property
    def confirmed_number(self) -> int:
        """The number of the last confirmed record."""
        return self._chain.number

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self._pending and not self._waiting

    def add(
        self, kind: Kind, payload: bytes, segment: int, *, more: bool = False, begins: bool = False
    ) -> None:
        """Add a record behind the others."""
        if kind is not Kind.BEAT:
            self._number += 1
        lease_ms = round(self._lease_s * 1000)
        record = LogRecord(kind, self.term, self._number, segment, lease_ms, payload, more, begins)
        self._waiting.append(_Pending(record, encode_record(record)))

    def needs_beat(self, now_s: float) -> bool:
        """Whether nothing was sent for so long that a beat must prolong the lease."""
        return self.idle and now_s - self._sent_s >= self._lease_s / BEATS_A_LEASE

    def sends(self, now_s: float) -> list[Send]:
        """The messages to send now."""
        sends: list[Send] = []
        while self._waiting and not self.resolving and not self.fenced and len(self._pending) < MOST_SENT:
            pending = self._waiting.popleft()
            self._tokens += 1
            pending.token = self._tokens
            pending.position = self._next_position
            pending.first_sent_s = pending.first_sent_s or now_s
            pending.sent_s = self._sent_s = now_s
            pending.answered = False
            self._next_position += 1
            self._pending.append(pending)
            sends.append(Send(pending.token, pending.position - 1, pending.data))
        return sends

    def stored(self, token: int, position: int) -> None:
        """The stream has stored the message of this attempt."""
        pending = self._of(token)
        if pending is None:
            return
        if pending.position != position:
            self.resolving = True
            return
        pending.answered = True
        # One counts only if those before it do, so none is confirmed before them.
        while self._pending and self._pending[0].answered and not self.resolving:
            first = self._pending.popleft()
            self._confirm(first.position, first)

    def refused(self, token: int) -> None:
        """The message of this attempt was not stored, or it is unknown whether it was."""
        if self._of(token) is not None:
            self.resolving = True

    def look(self, now_s: float) -> None:
        """Resolve what has had no answer for long."""
        if self._pending and now_s - self._pending[0].sent_s >= ANSWER_S:
            self.resolving = True

    def waited_s(self, now_s: float) -> float:
        """For how long the oldest message has been under way."""
        return now_s - self._pending[0].first_sent_s if self._pending else 0.0

    def resolve(self, messages: list[tuple[int, LogRecord]], first: int, last: int) -> None:
        """Decide by what the stream has behind `position`; what it lacks is sent again.

        Args:
            messages: all of them, with their sequences.
            first: the stream's first sequence when they were read.
            last: its last one.

        Raises:
            BrokenLogError: messages are missing.
        """
        if first > self._chain.position + 1 and last > self._chain.position:
            # Only what is confirmed is trimmed, and this writer has confirmed none of it.
            self.fenced = True
            return
        for position, record in messages:
            counts = self._chain.take(position, record)
            if counts and record.term != self.term:
                self.fenced = True
                return
            if counts:
                self._found(position, record)
        self._chain.position = max(self._chain.position, last)
        self._next_position = self._chain.position + 1
        self._waiting.extendleft(
            pending for pending in reversed(self._pending) if pending.record.kind is not Kind.BEAT
        )
        self._pending.clear()
        self.resolving = False

    def confirmed(self) -> list[tuple[int, LogRecord]]:
        """The records confirmed since the last call, each with its sequence in the stream."""
        confirmed, self._confirmed = self._confirmed, []
        return confirmed

    def _of(self, token: int) -> _Pending | None:
        return next((pending for pending in self._pending if pending.token == token), None)

    def _found(self, position: int, record: LogRecord) -> None:
        """A record of this writer was read from the stream, and counts."""
        if record.kind is Kind.BEAT:
            return
        while self._pending and self._pending[0].record.kind is Kind.BEAT:
            self._pending.popleft()
        # It may have been sent, found missing, and put back before it arrived after all.
        queue = self._pending or self._waiting
        self._note(position, queue.popleft())

    def _confirm(self, position: int, pending: _Pending) -> None:
        if not self._chain.take(position, pending.record):
            raise RuntimeError(f"record {pending.record.number} was stored in order and does not count")
        self._note(position, pending)

    def _note(self, position: int, pending: _Pending) -> None:
        self.serves_until_s = max(self.serves_until_s, pending.first_sent_s + self._lease_s)
        self._confirmed.append((position, pending.record))
