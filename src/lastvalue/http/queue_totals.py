"""Sums over the queues that a caller may see."""

from collections.abc import Mapping
from typing import Final

from lastvalue.client import Connection

SUMMED: Final = (
    "depth",
    "depth_bytes",
    "published",
    "refused",
    "subscriptions",
    "keys",
    "acquired",
    "conflated",
    "unsettled",
    "expired",
    "in_bytes",
)


async def queue_totals(broker: Connection) -> Mapping[str, int]:
    """How many queues there are, and the sums of their counts."""
    return await broker.queue_sums(SUMMED)
