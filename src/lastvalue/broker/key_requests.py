"""The management request about the keys of a last-value queue.

KEYS    `by`: `age`, the keys whose values are oldest, or `updates`, those that are updated most, which the
        queue counts by its option `top_talkers`; `limit`: of how many. The answer has `keys`, in that order,
        each with its `key`; by age with the `sequence`, `since_ms`, `age_ms` and `updates` of its value; by
        updates with `messages`, how many of it came since the queue counts, at most `error` too many.
"""

import heapq
from typing import Any, Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests import Request, Response
from lastvalue.broker.value_requests import last_value_queue
from lastvalue.broker.watches.removal import key_value
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import LastValue
from lastvalue.queues.subscription import Mode

MOST_KEYS: Final = 1000
"""Of one answer."""

_ORDERS: Final = ("age", "updates")


def tell_keys(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer KEYS. The caller needs the right to browse. By age it looks at all keys."""
    hosted, _ = last_value_queue(broker, request.name)
    broker.authorization.check_reader(hosted, Mode.BROWSE, owner)
    by = request.body.get("by", "age")
    if by not in _ORDERS:
        raise InvalidSpecError(f"by is {by!r:.80}; expected one of {', '.join(_ORDERS)}")
    limit = request.body.get("limit", 100)
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MOST_KEYS:
        raise InvalidSpecError(f"limit is {limit!r:.80}; expected 1 to {MOST_KEYS}")
    keys = _oldest(hosted, limit, now) if by == "age" else _busiest(broker, hosted, limit)
    return Response(200, "OK", {"keys": keys})


def _oldest(hosted: HostedQueue, limit: int, now: int) -> list[dict[str, Any]]:
    entries = heapq.nsmallest(limit, hosted.queue.contents.current.values(), key=_age_order)
    return [
        {
            "key": _shown(hosted, entry.key or b""),
            "sequence": int(entry.sequence),
            "since_ms": _since_ms(entry),
            "age_ms": max(0, now - _since_ms(entry)),
            "updates": int(entry.updates),
        }
        for entry in entries
    ]


def _busiest(broker: Broker, hosted: HostedQueue, limit: int) -> list[dict[str, Any]]:
    if hosted.queue.spec.top_talkers == 0:
        raise InvalidSpecError(
            f"queue {hosted.queue.spec.name!r} does not count the updates of keys; "
            "set its option top_talkers, the number of keys to count"
        )
    return [
        {"key": _shown(hosted, each.key), "messages": int(each.messages), "error": int(each.error)}
        for each in broker.statistics.top_talkers.most(hosted, limit)
    ]


def _age_order(entry: Entry) -> tuple[int, int]:
    return _since_ms(entry), int(entry.sequence)


def _since_ms(entry: Entry) -> int:
    return int(max(entry.arrival_ms, entry.not_before_ms))


def _shown(hosted: HostedQueue, key: bytes) -> object:
    ordering = hosted.queue.spec.ordering
    return key_value(key, as_text=isinstance(ordering, LastValue) and ordering.keys_as_text)
