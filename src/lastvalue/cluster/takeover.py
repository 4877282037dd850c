"""How a broker becomes the writer of a log: it reads it, waits for the last writer's lease, begins a term."""

import asyncio
import json
import os
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from lastvalue.cluster.appender import ANSWER_S
from lastvalue.cluster.chain import BrokenLogError, Chain
from lastvalue.cluster.jetstream import JetStream, LogUnavailableError
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import Kind, LogRecord, decode_record, encode_record
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import StoreError

MARGIN: Final = 1.1
"""Clocks of two machines may differ so much in pace."""

_LOOKS_A_LEASE: Final = 20
_TOLD_EACH: Final = 1000
Progress = Callable[[int, int], None]


class LogInUseError(StoreError):
    """Another broker writes the log."""

    def __init__(self, address: str, writer: bytes) -> None:
        super().__init__(f"{named(writer)} writes the log {address}; stop it first, or use another name")


def now_s() -> float:
    """A clock that runs while the process, or the machine, sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def writer_card(advertise: str = "", nonce: str = "") -> bytes:
    """What a writer tells of itself: `advertise` is where clients reach it."""
    card = {"host": socket.gethostname(), "pid": os.getpid(), "advertise": advertise}
    return json.dumps({**card, "nonce": nonce} if nonce else card).encode()


def read_card(writer: bytes) -> dict[str, Any]:
    """What a writer has written about itself; empty if that cannot be read."""
    try:
        card = json.loads(writer)
    except ValueError:
        return {}
    return card if isinstance(card, dict) else {}


def advertised(writer: bytes) -> str:
    """Where clients reach a writer, or "" if it has not said."""
    address = read_card(writer).get("advertise")
    return address if isinstance(address, str) else ""


def named(writer: bytes) -> str:
    """A writer, in words."""
    card = read_card(writer)
    return (
        f"process {card['pid']} of {card['host']}" if "pid" in card and "host" in card else "another broker"
    )


class Takeover:
    """Takes over one log.

    Args:
        stream: of the log, connected.
        settings: of the store.
        answers: has the answer to each token that was published.
        progress: called with the messages read, and of how many.
    """

    def __init__(
        self,
        stream: JetStream,
        settings: LogSettings,
        answers: "Answers",
        progress: Progress | None,
    ) -> None:
        self._stream = stream
        self._settings = settings
        self._answers = answers
        self._progress = progress

    async def take_over(self) -> tuple[LogReader, float]:
        """Read the log and begin a term; what was read, and when the term was sent.

        Raises:
            LogInUseError: another broker writes the log.
            StoreError: the log is damaged.
            LogUnavailableError: its servers do not answer, or take no message, for example of a full stream.
        """
        reader = await self.read_all()
        while True:
            await self._wait_for_lease(reader)
            chain = reader.chain
            term = self.term(chain)
            sent_s = now_s()
            position = chain.position + 1
            # Once it was stored, sending it again does nothing; the lease counts from the first time.
            send = partial(self._answers.to, self._stream, position - 1, encode_record(term))
            if await self._stream.patiently(send) == position:
                reader.take(position, term)
                return reader, sent_s
            await self._read_more(reader)
            if reader.chain.term == term.term and reader.writer == term.payload:
                return reader, sent_s

    def term(self, chain: Chain) -> LogRecord:
        """The record that begins a term of this process behind the last one that counts."""
        card = writer_card(self._settings.advertise, os.urandom(8).hex())
        return LogRecord(
            Kind.TERM, chain.term + 1, chain.number + 1, chain.segment, self._settings.lease_ms, card
        )

    async def read_all(self) -> LogReader:
        """Read the whole log.

        Raises:
            BrokenLogError: records are missing.
            LogUnavailableError: its servers do not answer.
        """
        while True:
            state = await self._stream.patiently(self._stream.state)
            reader = LogReader(state.first)
            broken: BrokenLogError | None = None
            try:
                await self._read(reader, state.last)
            except BrokenLogError as fault:
                broken = fault
            # What was trimmed meanwhile may be missing from what was read.
            if (await self._stream.patiently(self._stream.state)).first == reader.first:
                if broken is not None:
                    raise broken
                return reader

    async def _read_more(self, reader: LogReader) -> None:
        await self._read(reader, (await self._stream.patiently(self._stream.state)).last)

    async def _read(self, reader: LogReader, last: int) -> None:
        began, position = reader.chain.position, reader.chain.position
        async for position, data in self._stream.read(began + 1, last):
            reader.take(position, decode_record(data, position))
            if self._progress is not None and (position - began) % _TOLD_EACH == 0:
                self._progress(position - began, last - began)
        # Deleted messages at the end have no record.
        reader.chain.position = max(reader.chain.position, last)

    async def _wait_for_lease(self, reader: LogReader) -> None:
        """Wait until the last writer surely serves nothing any more.

        Raises:
            LogInUseError: it is alive.
        """
        lease_s = 0.0 if reader.chain.stopped else reader.chain.lease_ms / 1000 * MARGIN
        ends_s = now_s() + lease_s
        while (left_s := ends_s - now_s()) > 0:
            await asyncio.sleep(min(left_s, lease_s / _LOOKS_A_LEASE))
            before = reader.chain.term, reader.chain.position
            await self._read_more(reader)
            if (reader.chain.term, reader.chain.position) != before:
                if reader.chain.stopped:
                    return
                raise LogInUseError(str(self._settings.address), reader.writer)


class Answers:
    """Waits for the answers to single messages, before a writer has begun."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[int | None]] = {}
        self._tokens = 0

    def take(self, token: int, position: int | None, fault: LogUnavailableError | None) -> None:
        """See Answer."""
        waiting = self._waiting.pop(token, None)
        if waiting is None or waiting.done():
            return
        if fault is None:
            waiting.set_result(position)
        else:
            waiting.set_exception(fault)

    async def to(self, stream: JetStream, expected: int, data: bytes) -> int | None:
        """Send a message; where it was stored, or None if it was not behind `expected`, or is not known.

        Raises:
            LogUnavailableError: the servers refuse it.
        """
        self._tokens -= 1
        answer: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._waiting[self._tokens] = answer
        await stream.publish(self._tokens, expected, data)
        try:
            async with asyncio.timeout(ANSWER_S):
                return await answer
        except TimeoutError:
            return None
