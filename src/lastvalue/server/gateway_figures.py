"""What a broker tells its gateway of itself, which the gateway keeps; see `http.recent_figures`."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from lastvalue.broker.administration.request import Request
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.broker_requests import ask_broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.statistics.queue_ranking import queue_sums
from lastvalue.model.gateway_figures import OF_BROKER, SUMS
from lastvalue.server.queue_alerts import QueueThreshold, queue_alerts


async def gateway_figures(broker: Broker, thresholds: Sequence[QueueThreshold] = ()) -> dict[str, Any]:
    """The sums over all queues, some of them at a time, what the broker is like now, and alerts."""
    authorization = broker.authorization
    names = list(authorization.queue_names())
    sums: dict[str, object] = {}
    for part in queue_sums({"sums": list(SUMS)}, names, lambda name: authorization.shown_queue(BROKER, name)):
        if part is None:
            await asyncio.sleep(0)
        else:
            sums = part
    now_ms = time.time_ns() // 1_000_000
    statistics = ask_broker(broker, Request("READ"), now_ms, BROKER).body
    return {
        "time_ms": now_ms,
        **{name: int(str(sums.get(name, 0))) for name in SUMS},
        **{name: float(statistics.get(name, 0)) for name in OF_BROKER},
        "alerts": await queue_alerts(broker, thresholds, now_ms),
    }
