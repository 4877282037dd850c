"""Figures of the last hour, which a gateway keeps for those who open its console only now.

The broker sends them to its own gateway; a separate gateway asks for them, if its URL has a user.
"""

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from lastvalue.client.url import parse_url
from lastvalue.http.broker_connections import BrokerConnections
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem
from lastvalue.model.errors import LastvalueError
from lastvalue.model.gateway_figures import EVERY_S, GATEWAY_FIGURES, OF_BROKER, SUMS

MOST_KEPT: Final = 360
"""An hour."""


class RecentFigures:
    """The figures of each ten seconds, MOST_KEPT at most; a thread may add some while another reads."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, tuple[float, ...]]] = deque(maxlen=MOST_KEPT)

    def add(self, figures: Mapping[str, Any]) -> None:
        """Keep figures by name, of `time_ms`; those that are not there are 0."""
        values = tuple(float(figures.get(name, 0)) for name in GATEWAY_FIGURES)
        self._kept.append((int(figures["time_ms"]), values))

    def document(self) -> dict[str, Any]:
        """All of them, oldest first: `since_ms` or None, `times_ms`, a list for each name, and `now_ms`."""
        kept = list(self._kept)
        columns = {
            name: [values[number] for _, values in kept] for number, name in enumerate(GATEWAY_FIGURES)
        }
        times = [time_ms for time_ms, _ in kept]
        return {
            "since_ms": times[0] if times else None,
            "now_ms": time.time_ns() // 1_000_000,
            "times_ms": times,
            "figures": columns,
        }


async def keep_figures(url: str, connections: BrokerConnections, recent: RecentFigures) -> None:
    """Ask for figures as the user of a URL until this is cancelled; if it has none, nothing is asked."""
    named = parse_url(url)
    if not named.user:
        return
    caller = Caller(named.user, named.password)
    while True:
        try:
            async with connections.use(caller) as broker:
                sums = await broker.queue_sums(SUMS)
                statistics: dict[str, Any] = await broker.broker_statistics()
        except (LastvalueError, Problem):
            # The broker is away, or its user may not see them; that may change.
            await asyncio.sleep(EVERY_S)
            continue
        of_broker = {name: statistics.get(name, 0) for name in OF_BROKER}
        recent.add({**sums, **of_broker, "time_ms": time.time_ns() // 1_000_000})
        await asyncio.sleep(EVERY_S)
