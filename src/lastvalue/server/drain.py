"""Waits at shutdown for what peers have begun."""

import asyncio
import contextlib
from typing import Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.statistics.connections import Unfinished
from lastvalue.server.log_events import SERVER_UNFINISHED

LOOKS_EVERY_S: Final = 0.05


async def drain(broker: Broker, timeout_s: float, hurried: asyncio.Event) -> Unfinished:
    """Quiesce a broker, and wait until its peers have finished what they have begun.

    Consumers settle the messages that they hold, transactions with work are committed or rolled back, and
    long commands come to their end. It returns what is unfinished when the time is over, or when `hurried`
    is set.
    """
    broker.quiesce()
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + timeout_s
    while True:
        unfinished = broker.connections.unfinished()
        if not (unfinished.messages or unfinished.transactions or broker.long_commands.busy):
            return unfinished
        left_s = deadline_s - loop.time()
        if left_s <= 0 or hurried.is_set():
            break
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hurried.wait(), min(LOOKS_EVERY_S, left_s))
    SERVER_UNFINISHED.log(messages=unfinished.messages, transactions=unfinished.transactions)
    return unfinished
