"""How often somebody may do something."""

from collections.abc import Callable
from typing import Final

_KEYS: Final = 4096
"""Keys beyond which the one that came first is dropped, so that strangers cannot fill the memory."""


class RateLimit:
    """Limits what each of many keys does in a period; all of it may come at once after a quiet one.

    Args:
        most: so often in a period; 0 is any number. It may change at any time.
        period_ms: milliseconds.
        on_excess: called with a key that begins to exceed it.
    """

    def __init__(self, most: int, period_ms: int, on_excess: Callable[[str], None] | None = None) -> None:
        self.most = most
        self._period_ms = period_ms
        self._on_excess = on_excess
        self._buckets: dict[str, _Bucket] = {}

    def allows(self, key: str, now_ms: int) -> bool:
        """Whether the key may do it once more."""
        bucket = self._buckets.get(key) if self.most else None
        if bucket is None:
            return True
        bucket.refill(self.most, self._period_ms, now_ms)
        if bucket.left >= 1:
            bucket.exceeded = False
            return True
        if not bucket.exceeded:
            bucket.exceeded = True
            if self._on_excess is not None:
                self._on_excess(key)
        return False

    def count(self, key: str, now_ms: int) -> None:
        """The key did it once."""
        if not self.most:
            return
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= _KEYS:
                del self._buckets[next(iter(self._buckets))]
            bucket = self._buckets[key] = _Bucket(self.most, now_ms)
        bucket.refill(self.most, self._period_ms, now_ms)
        bucket.left = max(0.0, bucket.left - 1)


class _Bucket:
    """The rest of a key's rate.

    Attributes:
        exceeded: the key exceeds the rate.
    """

    __slots__ = ("at_ms", "exceeded", "left")

    def __init__(self, left: int, now_ms: int) -> None:
        self.left = float(left)
        self.at_ms = now_ms
        self.exceeded = False

    def refill(self, most: int, period_ms: int, now_ms: int) -> None:
        """Add the share of the time since the last count."""
        self.left = min(float(most), self.left + max(0, now_ms - self.at_ms) * most / period_ms)
        self.at_ms = now_ms
