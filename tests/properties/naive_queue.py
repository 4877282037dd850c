"""What docs/queues says, in lists of dictionaries that are searched from the start every time."""

from typing import Any

Item = dict[str, Any]
OLDEST = float("-inf")
"""What stands for a missing order value that is older than every other."""


class NaiveQueue:
    """A queue with every option; `holder` is the number of a consumer, `read` how far each browser is."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = {
            "lvq_key": None, "order_by": None, "order_missing": "replace",
            "max_messages": 0, "max_bytes": 0, "when_full": "refuse",
            "minimum_ttl_ms": 0, "maximum_ttl_ms": 0, **options,
        }  # fmt: skip
        self.items: list[Item] = []
        self.gone: list[tuple[int, str]] = []
        self.sequence = 0
        self.refused = 0
        self.read: dict[int, int] = {}
        self.latest_advance = -1

    # ---- looking

    def available(self) -> list[Item]:
        return sorted(
            (item for item in self.items if item["holder"] is None), key=lambda item: item["sequence"]
        )

    def held(self, holder: int) -> list[Item]:
        return [item for item in self.items if item["holder"] == holder]

    def find(self, sequence: int) -> Item | None:
        return next((item for item in self.items if item["sequence"] == sequence), None)

    def current(self, key: object) -> Item | None:
        return next((item for item in self.items if key is not None and item["key"] == key), None)

    # ---- producing

    def enqueue(self, message: Item, now: int) -> bool:
        """`message` has id, key, order, updates, ttl_ms, size_bytes."""
        key = message["key"] if self.options["lvq_key"] else None
        order = message["order"] if self.options["order_by"] and key is not None else None
        if order is None and key is not None and self.options["order_missing"] == "stale":
            order = OLDEST
        current = self.current(key)
        if current is not None and current["holder"] is None and self._past(current, now):
            self._remove(current, "expired")
            current = None
        if current is not None and self._older(order, current["order"]):
            self.sequence += 1
            self.gone.append((self.sequence, "stale"))
            return True
        if not self._fits(message, current):
            self._expire(now)
        if not self._fits(message, current):
            self.refused += 1
            return False
        self.sequence += 1
        item = {
            "sequence": self.sequence, "id": message["id"], "key": key, "order": order, "failed": 0,
            "updates": message["updates"], "size_bytes": message["size_bytes"], "holder": None,
            "deadline": self._deadline(message["ttl_ms"], now),
        }  # fmt: skip
        if current is not None:
            item["updates"] += current["updates"]
            self._remove(current, "replaced")
        self.items.append(item)
        self._trim(now)
        return True

    def _older(self, order: Any, than: Any) -> bool:
        texts = isinstance(order, str), isinstance(than, str)
        if order == OLDEST:
            return than not in (None, OLDEST)
        return order is not None and than is not None and texts[0] == texts[1] and order < than

    def _deadline(self, ttl_ms: int | None, now: int) -> int | None:
        minimum, maximum = self.options["minimum_ttl_ms"], self.options["maximum_ttl_ms"]
        if ttl_ms is None:
            return now + int(maximum) if maximum else None
        ttl_ms = max(ttl_ms, int(minimum))
        return now + min(ttl_ms, int(maximum or ttl_ms))

    def _fits(self, message: Item, current: Item | None) -> bool:
        sizes = [message["size_bytes"]]
        if self.options["when_full"] == "refuse":
            sizes += [item["size_bytes"] for item in self.items if item is not current]
        grows = current is None or message["size_bytes"] > current["size_bytes"]
        too_many = 0 < self.options["max_messages"] < len(sizes) and current is None
        too_large = 0 < self.options["max_bytes"] < sum(sizes) and (
            grows or self.options["when_full"] == "drop-oldest"
        )
        return not too_many and not too_large

    def _too_full(self) -> bool:
        sizes = [item["size_bytes"] for item in self.available()]
        return bool(
            0 < self.options["max_messages"] < len(sizes) or 0 < self.options["max_bytes"] < sum(sizes)
        )

    def _trim(self, now: int) -> None:
        if self.options["when_full"] != "drop-oldest" or not self._too_full():
            return
        self._expire(now)
        while self._too_full():
            self._remove(self.available()[0], "overflow")

    # ---- reading

    def acquire(self, holder: int, now: int) -> Item | None:
        for item in self.available():
            if not self._past(item, now):
                item["holder"] = holder
                return item
            self._remove(item, "expired")
        return None

    def browse(self, browser: int, now: int) -> Item | None:
        for item in self.available():
            if item["sequence"] > self.read[browser]:
                if not self._past(item, now):
                    self.read[browser] = item["sequence"]
                    return item
                self._remove(item, "expired")
        return None

    def settle(self, sequence: int, outcome: str, now: int) -> None:
        item = self.find(sequence)
        if item is None:
            return
        if outcome in ("accepted", "rejected"):
            self._remove(item, outcome)
            return
        self._release(item, int(outcome == "modified"), now)
        self._trim(now)

    def unsubscribe(self, holder: int, now: int) -> None:
        for item in self.held(holder):
            self._release(item, 0, now)
        self._trim(now)

    def _release(self, item: Item, failed: int, now: int) -> None:
        if self._past(item, max(now, self.latest_advance)):
            self._remove(item, "expired")
            return
        item["holder"] = None
        item["failed"] += failed

    # ---- time and administration

    def advance(self, now: int) -> None:
        self._expire(now)

    def _expire(self, now: int) -> None:
        self.latest_advance = max(self.latest_advance, now)
        for item in self.available():
            if self._past(item, now):
                self._remove(item, "expired")

    def purge(self) -> int:
        found = self.available()
        for item in found:
            self._remove(item, "purged")
        return len(found)

    def _past(self, item: Item, now: int) -> bool:
        return item["deadline"] is not None and bool(item["deadline"] <= now)

    def _remove(self, item: Item, reason: str) -> None:
        self.items.remove(item)
        self.gone.append((item["sequence"], reason))
