"""`lastvalue health`: whether a broker answers, for monitoring."""

import asyncio
from typing import Annotated

import typer

from lastvalue.cli.exits import CommandFailedError
from lastvalue.cli.options import DEFAULT_URL, Url
from lastvalue.client import connect
from lastvalue.client.errors import InvalidUrlError, RefusedError
from lastvalue.model.errors import LastvalueError

DEFAULT_TIMEOUT_S = 5.0


def health(
    *,
    url: Url = DEFAULT_URL,
    timeout: Annotated[
        float,
        typer.Option("--timeout", min=0.001, metavar="SECONDS", help="How many seconds the answer may take."),
    ] = DEFAULT_TIMEOUT_S,
) -> None:
    """Send a request to the broker: exit code 0 if it answers, 1 if it does not."""
    try:
        asyncio.run(_ask(url, timeout))
    except InvalidUrlError:
        raise
    except LastvalueError as error:
        raise CommandFailedError(str(error)) from None
    except TimeoutError:
        raise CommandFailedError(f"the broker did not answer within {timeout:g} s") from None
    print("ok")


async def _ask(url: str, timeout_s: float) -> None:
    async with asyncio.timeout(timeout_s), connect(url, timeout_s=timeout_s) as connection:
        try:
            await connection.clock_ms()
        except RefusedError:
            # A refusal is an answer, too.
            return
