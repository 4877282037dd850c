"""A queue that anyone can check by reading: lists, copied and searched at every step."""

from dataclasses import dataclass, field


@dataclass
class Row:
    """A message as the model keeps it."""

    sequence: int
    body: int
    key: str | None
    order: int | None
    updates: int
    came_ms: int
    expires_ms: int | None
    aged_ms: int | None = None
    holder: str | None = None
    failed: int = 0
    # For who takes it at once: it leaves when all were served, and when it comes back.
    passes: bool = False

    def expired(self, now: int) -> bool:
        """Whether its time is over, or it is too old."""
        return min(self.deadlines(), default=now + 1) <= now

    def deadlines(self) -> list[int]:
        return [each for each in (self.expires_ms, self.aged_ms) if each is not None]

    def due_reason(self) -> str:
        return "aged" if self.expires_ms is None or self.expires_ms > min(self.deadlines()) else "expired"


@dataclass
class QueueModel:
    """A queue with a key, an order and a limit, as its documentation says it behaves."""

    keyed: bool
    ordered: bool
    maximum: int
    ring: bool
    most_keys: int = 0
    age_ms: int = 0
    nothing: bool = False
    rows: list[Row] = field(default_factory=list)
    removed: dict[str, int] = field(default_factory=dict)
    sequence: int = 0
    refused: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    # Of each key without a value: why it lost it.
    graves: dict[str, str] = field(default_factory=dict)

    def _drop(self, row: Row, reason: str) -> None:
        self.rows.remove(row)
        self.removed[reason] = self.removed.get(reason, 0) + 1
        if row.key is not None and reason != "replaced":
            self.graves[row.key] = reason

    def delete(self, key: str | None, order: int | None, now: int) -> None:
        """A message without content; the key has a value or not."""
        self.sequence += 1
        current = next((row for row in self.rows if row.key == key), None)
        if current is not None and current.holder is None and current.expired(now):
            self._drop(current, current.due_reason())
            current = None
        order = order if self.ordered else None
        newer = None if current is None or order is None else current.order
        reason = "stale" if newer is not None and order is not None and order < newer else "key_deleted"
        self.removed[reason] = self.removed.get(reason, 0) + 1
        if current is not None and reason == "key_deleted":
            self._drop(current, reason)

    def available(self) -> list[Row]:
        return sorted((row for row in self.rows if row.holder is None), key=lambda row: row.sequence)

    def held_by(self, consumer: str) -> list[Row]:
        return [row for row in self.rows if row.holder == consumer]

    def enqueue(
        self, body: int, key: str | None, order: int | None, expires_ms: int | None, now: int
    ) -> bool:
        key = key if self.keyed else None
        order = order if self.ordered and key is not None else None
        current = next((row for row in self.rows if row.key == key and key is not None), None)
        if current is not None and current.holder is None and current.expired(now):
            self._drop(current, current.due_reason())
            current = None
        if current is not None and order is not None and current.order is not None and order < current.order:
            self.sequence += 1
            self.removed["stale"] = self.removed.get("stale", 0) + 1
            return True
        if self._full(key) and not self.ring and current is None:
            self.advance(now)
            if self._full(key):
                self.refused += 1
                return False
        self.sequence += 1
        aged_ms = now + self.age_ms if self.age_ms and key is not None else None
        passes = self.nothing or expires_ms == now + 1
        row = Row(self.sequence, body, key, order, 1, now, expires_ms, aged_ms, passes=passes)
        if current is not None:
            row.updates += current.updates
            self._drop(current, "replaced")
        self.rows.append(row)
        self.graves.pop(key or "", None)
        self._trim(now)
        return True

    def _full(self, key: str | None) -> bool:
        more_keys = key is not None and 0 < self.most_keys <= len(self.keys())
        return more_keys or 0 < self.maximum <= len(self.rows)

    def keys(self) -> set[str]:
        return {row.key for row in self.rows if row.key is not None}

    def _overflows(self) -> bool:
        too_many = self.maximum and len(self.available()) > self.maximum
        return self.ring and bool(too_many or (self.most_keys and len(self.keys()) > self.most_keys))

    def _trim(self, now: int) -> None:
        if self._overflows():
            self.advance(now)
        while self._overflows() and self.available():
            self._drop(self.available()[0], "overflow")

    def _expire_first(self, now: int, after: int = 0) -> None:
        for row in [row for row in self.available() if row.sequence > after]:
            if not row.expired(now):
                return
            self._drop(row, row.due_reason())

    def acquire(self, consumer: str, now: int) -> Row | None:
        self._expire_first(now)
        row = next(iter(self.available()), None)
        if row is not None:
            row.holder = consumer
        return row

    def browse(self, browser: str, now: int) -> Row | None:
        self._expire_first(now, self.seen[browser])
        row = next((row for row in self.available() if row.sequence > self.seen[browser]), None)
        if row is not None:
            self.seen[browser] = row.sequence
        return row

    def settle(self, row: Row, outcome: str, now: int) -> None:
        if row not in self.rows:
            return
        if outcome in ("accepted", "rejected"):
            self._drop(row, outcome)
        else:
            self._release(row, now, failed=outcome == "modified")
            self._trim(now)

    def _release(self, row: Row, now: int, *, failed: bool = False) -> None:
        if row.expired(now):
            self._drop(row, row.due_reason())
            return
        if row.passes:
            self._drop(row, self._passing_reason(row))
            return
        row.holder = None
        row.failed += failed

    def close(self, consumer: str, now: int) -> None:
        for row in self.held_by(consumer):
            self._release(row, now)
        self._trim(now)

    def _passing_reason(self, row: Row) -> str:
        shortest = row.expires_ms is not None and row.expires_ms == row.came_ms + 1
        return "overflow" if self.nothing and not shortest else "expired"

    def end_pass(self) -> None:
        for row in self.available():
            if row.passes:
                self._drop(row, "overflow" if self.nothing else "expired")

    def advance(self, now: int) -> None:
        for row in self.available():
            if row.expired(now):
                self._drop(row, row.due_reason())

    def purge(self) -> int:
        rows = self.available()
        for row in rows:
            self._drop(row, "purged")
        return len(rows)
