"""Statistics over all queues that a caller may see, which the broker adds up."""

from collections.abc import Mapping
from typing import Final

from lastvalue.client import Connection, QueueInfo
from lastvalue.client.queue_info import queue_info

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

COMBINED: Final = {
    "sums": (
        *SUMMED,
        "available",
        "delayed",
        "consumers",
        "browsers",
        "keys_created",
        "aged_keys",
        "released",
        "keyless",
        "overtaken",
        "removed",
    ),
    "highest": ("last_in_ms", "browser_lag"),
    "lowest": ("oldest_ms",),
}
"""How the statistics that metrics show become those of all queues."""


async def queue_totals(broker: Connection) -> Mapping[str, int]:
    """How many queues there are, and the sums of their counts."""
    return await broker.queue_sums(SUMMED)


async def all_queues(broker: Connection) -> QueueInfo:
    """All queues as if they were one: their counts added up, the age of the oldest message, and so on."""
    asked = {how: list(names) for how, names in COMBINED.items()}
    answer = await broker.manage("QUERY", body=asked)
    return queue_info(answer[0] if isinstance(answer, list) and answer else None)
