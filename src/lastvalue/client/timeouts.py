"""Timeouts for blocks that wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lastvalue.client.errors import TimedOutError


@asynccontextmanager
async def within_timeout(timeout_s: float | None, what: str) -> AsyncIterator[None]:
    """Limit the block to this many seconds; None is without a limit.

    Raises:
        TimedOutError: `what` took longer.
    """
    try:
        async with asyncio.timeout(timeout_s):
            yield
    except TimeoutError as error:
        if timeout_s is None or isinstance(error, TimedOutError):
            raise
        raise TimedOutError(what, timeout_s) from None
