"""The management request about the keys of a last-value queue.

KEYS    `by`: `age`, the keys whose values are oldest, or `updates`, those that are updated most, which the
        queue counts by its option `top_talkers`; `limit`: of how many. The answer has `keys`, in that order,
        each with its `key`; by age with the `sequence`, `since_ms`, `age_ms` and `updates` of its value; by
        updates with `messages`, how many of it came since the queue counts, at most `error` too many.
"""

import heapq
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.administration.request import Request, Response, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.canonical_keys import key_value
from lastvalue.broker.long_commands import LOOKED_AT_ONCE, LOOKED_IN_A_STEP, LongCommand
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.value_requests import browsed, last_value_queue
from lastvalue.broker.rights.owner import Owner
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.entry import Entry

MOST_KEYS: Final = 1000
"""Of one answer."""

_ORDERS: Final = ("age", "updates")


def tell_keys(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer KEYS. The caller needs the right to browse. By age it looks at all keys, in steps."""
    hosted = last_value_queue(browsed(broker, request.name, owner))
    by = request.body.get("by", "age")
    if by not in _ORDERS:
        raise InvalidSpecError(f"by is {by!r:.80}; expected one of {', '.join(_ORDERS)}")
    limit = whole_number_in(request.body, "limit", 100, 1, MOST_KEYS)
    if by == "updates":
        return Response(200, "OK", {"keys": _busiest(broker, hosted, limit)})
    oldest = OldestKeys(hosted, limit, owner.connection)
    broker.long_commands.begin(oldest, now)
    return Response(200, "OK", {"keys": oldest.keys})


@final
class OldestKeys(LongCommand):
    """Finds the keys whose values are oldest in steps; those that get another meanwhile may be left out.

    So may be others, where more than `limit` of the oldest get another.

    Attributes:
        keys: at the end, the keys that were found.
    """

    def __init__(self, hosted: HostedQueue, limit: int, connection: i64) -> None:
        # A step sorts again what it has found, so it looks at no fewer others.
        self._looked_at: int = max(LOOKED_IN_A_STEP, 2 * limit)
        super().__init__(connection, max(1, LOOKED_AT_ONCE // self._looked_at), changes=False)
        self.keys: list[dict[str, Any]] = []
        self._hosted = hosted
        self._limit = limit
        self._entries = hosted.queue.contents.current.entries()
        self._at = 0
        self._oldest: list[Entry] = []

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        current = self._hosted.queue.contents.current
        some = self._oldest + self._entries[self._at : self._at + self._looked_at]
        present = [entry for entry in some if current.get(entry.key or b"") is entry]
        # More than are asked for take the places of those that get another value in later turns.
        self._oldest = heapq.nsmallest(2 * self._limit, present, key=_age_order)
        self._at += self._looked_at
        if self._at < len(self._entries):
            return True
        self.keys += [_described(self._hosted, entry, now) for entry in self._oldest[: self._limit]]
        return False


def _described(hosted: HostedQueue, entry: Entry, now: i64) -> dict[str, Any]:
    return {
        "key": key_value(hosted.queue, entry.key or b""),
        "sequence": int(entry.sequence),
        "since_ms": int(entry.available_ms),
        "age_ms": max(0, int(now - entry.available_ms)),
        "updates": int(entry.updates),
    }


def _busiest(broker: Broker, hosted: HostedQueue, limit: int) -> list[dict[str, Any]]:
    if hosted.queue.spec.top_talkers == 0:
        raise InvalidSpecError(
            f"queue {hosted.queue.spec.name!r} does not count the updates of keys; "
            "set its option top_talkers, the number of keys to count"
        )
    return [
        {"key": key_value(hosted.queue, each.key), "messages": int(each.messages), "error": int(each.error)}
        for each in broker.statistics.top_talkers.most(hosted, limit)
    ]


def _age_order(entry: Entry) -> tuple[int, int]:
    return int(entry.available_ms), int(entry.sequence)
