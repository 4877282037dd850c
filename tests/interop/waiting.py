"""Waits for what has no event: another process, or a part of the broker. No other test sleeps.

A time limit is there to end a test that would never end.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

EVERY_S = 0.01
SOON_S = 240.0


def wait_until(
    happened: Callable[[], bool],
    check: Callable[[], None] = lambda: None,
    *,
    limit_s: float = SOON_S,
    every_s: float = EVERY_S,
) -> None:
    """Return when something has happened; `check` raises when it cannot happen any more."""
    deadline_s = time.monotonic() + limit_s
    while not happened():
        check()
        assert time.monotonic() < deadline_s, f"it has not happened in {limit_s:g} s"
        time.sleep(every_s)


async def until(happened: Callable[[], bool], *, limit_s: float = SOON_S, every_s: float = 0.001) -> None:
    """Return when something has happened, while the loop runs."""
    async with asyncio.timeout(limit_s):
        while not happened():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(every_s)


async def until_answer(
    ask: Callable[[], Awaitable[bool]], *, limit_s: float = SOON_S, every_s: float = 0.05
) -> None:
    """Return when a question to another process has the answer that is waited for."""
    async with asyncio.timeout(limit_s):
        while not await ask():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(every_s)


async def any_moment(chance: random.Random, longest_s: float) -> None:
    """Let a random time pass, so that what is killed next is killed anywhere in its work."""
    await asyncio.sleep(longest_s * chance.random())


def take_time(seconds: float) -> None:
    """Take as long as a slow device does."""
    time.sleep(seconds)


async def passes(seconds: float) -> None:
    """Let a time pass that something outlasts, such as a fault."""
    await asyncio.sleep(seconds)
