"""Sums over the queues that a caller may see."""

from collections.abc import Mapping
from typing import Final

from lastvalue.client import Connection, Page

SUMMED: Final = ("depth", "depth_bytes", "published", "refused", "subscriptions")
SUMMED_STATISTICS: Final = ("keys", "acquired", "conflated", "unsettled", "expired", "in_bytes")
_QUEUES_AT_ONCE: Final = 1000


async def queue_totals(broker: Connection) -> Mapping[str, int]:
    """How many queues there are, and the sums of their counts; so many queues at once are in memory."""
    totals = dict.fromkeys(("queues", *SUMMED, *SUMMED_STATISTICS), 0)
    after = ""
    while True:
        queues = await broker.queues(page=Page(after=after, count=_QUEUES_AT_ONCE))
        totals["queues"] += len(queues)
        for queue in queues:
            for name in SUMMED:
                totals[name] += getattr(queue, name)
            for name in SUMMED_STATISTICS:
                totals[name] += queue.statistics.get(name, 0)
        if len(queues) < _QUEUES_AT_ONCE:
            return totals
        after = queues[-1].name
