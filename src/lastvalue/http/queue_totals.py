"""Statistics over all queues that a caller may see, which the broker adds up."""

from collections.abc import Iterable, Mapping
from typing import Final

from lastvalue.client import Connection, QueueInfo
from lastvalue.client.queue_info import queue_info
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, Over, QueueStatistic

_ASKED: Final = {Over.SUM: "sums", Over.HIGHEST: "highest", Over.LOWEST: "lowest"}

SUMMED: Final = tuple(each.name for each in QUEUE_STATISTICS if each.totalled)
"""Those of `/queue-totals`, which are all sums."""


def combined(statistics: Iterable[QueueStatistic]) -> dict[str, list[str]]:
    """How the statistics that are metrics become those of all queues, in the words of the broker's QUERY."""
    asked: dict[str, list[str]] = {"sums": ["removed"], "highest": [], "lowest": []}
    for each in statistics:
        if each.prometheus.startswith("queue_"):
            asked[_ASKED[each.over]].append(each.name)
    return asked


async def queue_totals(broker: Connection) -> Mapping[str, int]:
    """How many queues there are, and the sums of their counts."""
    return await broker.queue_sums(SUMMED)


async def all_queues(broker: Connection) -> QueueInfo:
    """All queues as if they were one: their counts added up, the age of the oldest message, and so on."""
    answer = await broker.manage("QUERY", body=combined(QUEUE_STATISTICS))
    return queue_info(answer[0] if isinstance(answer, list) and answer else None)
