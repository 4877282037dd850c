"""Follows a log that another broker writes, and takes over when that one's lease has ended."""

import asyncio
from collections.abc import Iterable
from typing import Final, Protocol

from lastvalue.cluster.chain import BrokenLogError
from lastvalue.cluster.jetstream import JetStream, LogUnavailableError
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import LogRecord, decode_record, encode_record
from lastvalue.cluster.takeover import MARGIN, Answers, Takeover, advertised, now_s, writer_card
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.store_contents import StoreContents

MOST_WAITING_BYTES: Final = 16 << 20
"""How much is read before its receiver has applied it."""

ASKS_EVERY_S: Final = 0.2
"""How often the stream is asked how far it goes."""

_WAITS_S: Final = 0.005
_CANCELS_AGAIN_S: Final = 0.1


class LogListener(Protocol):
    """Gets what a follower reads; the log's thread calls it."""

    @property
    def waiting_bytes(self) -> int:
        """The size of the batches that it has been given and has not applied."""
        ...

    def begin(self, stored: StoreContents, position: int) -> None:
        """The content was read again, because records that follow the last one are not there any more."""
        ...

    def take(self, position: int, batches: list[tuple[int, bytes]], leader: str) -> None:
        """A message at this position of the stream, with the batch that it completes; who leads."""
        ...

    def know(self, last: int, asked_s: float) -> None:
        """At this time the last message of the stream was this one."""
        ...

    def end(self) -> None:
        """It is not followed any more: `StreamLog.ended` says why."""
        ...


class LogFollower:
    """Follows one log, from what was read of it.

    Args:
        stream: of the log, connected.
        settings: of the store.
        takeover: of the same stream.
        answers: has the answer to each token that was published.
        reader: what was read.
        listener: gets what comes.
    """

    def __init__(
        self,
        stream: JetStream,
        settings: LogSettings,
        takeover: Takeover,
        answers: Answers,
        reader: LogReader,
    ) -> None:
        self._stream = stream
        self._settings = settings
        self._takeover = takeover
        self._answers = answers
        self._reader = reader
        self._heard_s = now_s()
        self._tried: tuple[LogRecord, float] | None = None

    async def run(self, listener: LogListener) -> tuple[LogReader, float]:
        """Follow until this process leads: what was read, and when its term was sent.

        Raises:
            StoreError: the log is damaged.
        """
        asking = asyncio.create_task(self._ask(listener))
        try:
            while True:
                try:
                    return await self._follow(listener)
                except BrokenLogError:
                    # The leader has trimmed what this one had not read; if more is missing, reading fails.
                    self._reader = await self._takeover.read_all()
                    self._heard_s = now_s()
                    listener.begin(self._reader.stored, self._reader.chain.position)
        finally:
            await cancel([asking])

    async def _follow(self, listener: LogListener) -> tuple[LogReader, float]:
        reader = self._reader
        about = writer_card(self._settings.advertise).decode()
        async for arrived in self._stream.follow(reader.chain.position + 1, about):
            if arrived is not None and arrived[0] > reader.chain.position:
                self._take(*arrived, listener)
            await self._wait_for(listener)
            if self._leads() or (self._is_free() and await self._begin_term(listener)):
                sent_s = self._tried[1] if self._tried is not None else now_s()
                return reader, sent_s
        raise RuntimeError("a stream is followed without end")

    async def _wait_for(self, listener: LogListener) -> None:
        """Read no more while much waits to be applied, by another thread."""
        while listener.waiting_bytes > MOST_WAITING_BYTES:  # noqa: ASYNC110 - another thread lowers it
            await asyncio.sleep(_WAITS_S)

    def _take(self, position: int, data: bytes, listener: LogListener) -> None:
        reader = self._reader
        record = decode_record(data, position)
        before = reader.chain.term, reader.chain.number
        batches = list(reader.batches(position, record))
        if (reader.chain.term, reader.chain.number) != before or record.term == reader.chain.term:
            self._heard_s = now_s()
        listener.take(position, batches, advertised(reader.writer))

    def _is_free(self) -> bool:
        """Whether the last writer surely serves nothing any more."""
        chain = self._reader.chain
        return chain.stopped or now_s() - self._heard_s >= chain.lease_ms / 1000 * MARGIN

    def _leads(self) -> bool:
        """Whether the last record is the term of this process, of which it may have had no answer."""
        chain, tried = self._reader.chain, self._tried
        return tried is not None and chain.term == tried[0].term and self._reader.writer == tried[0].payload

    async def _begin_term(self, listener: LogListener) -> bool:
        """Begin a term behind what was read; false if that is not the end, or the servers do not answer."""
        chain = self._reader.chain
        if self._tried is None or self._tried[0].number != chain.number + 1:
            self._tried = self._takeover.term(chain), now_s()
        term = self._tried[0]
        position = chain.position + 1
        try:
            stored = await self._answers.to(self._stream, position - 1, encode_record(term))
            if stored == position:
                self._take(position, encode_record(term), listener)
                return True
            await self._catch_up(listener)
        except LogUnavailableError:
            return False
        return self._leads()

    async def _catch_up(self, listener: LogListener) -> None:
        """Read what there is behind what was read, also where it is deleted."""
        chain = self._reader.chain
        last = (await self._stream.state()).last
        async for position, data in self._stream.read(chain.position + 1, last):
            self._take(position, data, listener)
        chain.position = max(chain.position, last)

    async def _ask(self, listener: LogListener) -> None:
        """Tell regularly how far the stream goes."""
        while True:
            asked_s = now_s()
            try:
                last = (await self._stream.state()).last
            except LogUnavailableError:
                await asyncio.sleep(ASKS_EVERY_S)
                continue
            listener.know(last, asked_s)
            await asyncio.sleep(ASKS_EVERY_S)


async def cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they have ended.

    They are cancelled again: Python 3.11's `wait_for`, with which they wait for the servers, loses a
    cancellation that comes together with an answer.
    """
    # In their order, which a set has not: a simulation is the same each time.
    left = [task for task in tasks if not task.done()]
    while left:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=_CANCELS_AGAIN_S)
        left = [task for task in left if not task.done()]
