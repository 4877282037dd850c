"""A reader of a last-value queue that goes from broker to broker with its token; no key may go backwards."""

import asyncio
import random
from collections.abc import Sequence
from typing import Final, Protocol

from waiting import passes
from workload import number_in

from lastvalue.client import Wanted, WatchOptions, connect
from lastvalue.client.errors import ClientError

_LONGEST_S: Final = 1.5


class Listening(Protocol):
    """A broker."""

    @property
    def url(self) -> str:
        """Where it listens."""
        ...


class TokenReader:
    """Watches the values of a queue, whose producers send rising numbers.

    Attributes:
        heard: how many messages came.
        resumed, fresh: how often a broker knew what had changed, and how often it sent all values.
    """

    def __init__(self, queue: str, brokers: Sequence[Listening], chance: random.Random) -> None:
        self.heard = 0
        self.resumed = 0
        self.fresh = 0
        self._queue = queue
        self._brokers = brokers
        self._chance = chance
        self._token: str | None = None
        self._values: dict[str, int] = {}

    async def run(self) -> None:
        """Go from one to another.

        Raises:
            AssertionError: a key went backwards.
        """
        while True:
            url = self._chance.choice(self._brokers).url
            try:
                async with asyncio.timeout(_LONGEST_S * self._chance.random() + 0.2):
                    await self._watch(url)
            except TimeoutError:
                continue
            except ClientError:
                await passes(0.05)

    async def _watch(self, url: str) -> None:
        asked = WatchOptions(removals=True, snapshot=True, token=self._token)
        where = f"at {url} with {self._token}"
        # The key's value may only be older than the last one if that one was removed, which nobody does.
        async with connect(url, reconnect=False, timeout_s=2) as connection:
            async for message in connection.queue(self._queue).browse(
                wanted=Wanted(watch=asked), follow=True
            ):
                self.heard += 1
                self._token = message.token or self._token
                if message.snapshot is not None:
                    self.resumed += message.snapshot == "resumed"
                    self.fresh += message.snapshot == "fresh"
                    continue
                assert message.removed is None, f"{message.removed} {where}"
                key, number = str(message.properties["key"]), number_in(message)
                last = self._values.get(key, 0)
                assert number >= last, f"{key} went from {last} back to {number} {where}"
                self._values[key] = number
