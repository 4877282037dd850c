"""`lastvalue health`: whether a broker answers, for monitoring."""

import asyncio
import contextlib
from typing import Annotated

from lastvalue.cli.options import DEFAULT_URL, Url, duration_option
from lastvalue.client import connect
from lastvalue.client.errors import RefusedError

DEFAULT_TIMEOUT_S = 5.0


def health(
    *,
    url: Url = DEFAULT_URL,
    timeout: Annotated[
        float,
        duration_option("How long the answer may take: 500ms, 5s; a number is in seconds.", "--timeout"),
    ] = DEFAULT_TIMEOUT_S,
) -> None:
    """Send a request to the broker: exit code 0 if it answers, another one if it does not."""
    asyncio.run(_ask(url, timeout))
    print("ok")


async def _ask(url: str, timeout_s: float) -> None:
    async with connect(url, timeout_s=timeout_s, reconnect=False) as connection:
        # A refusal is an answer, too.
        with contextlib.suppress(RefusedError):
            await connection.clock_ms(timeout_s=timeout_s)
