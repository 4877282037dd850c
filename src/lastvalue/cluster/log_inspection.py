"""Reads and checks a store in a replicated log without writing to it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from lastvalue.cluster.jetstream import JetStream
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import decode_record
from lastvalue.store import records
from lastvalue.store.inspection import (
    Damage,
    Inspection,
    LocatedRecord,
    NoStoreError,
    Progress,
    References,
)
from lastvalue.store.log_address import LogAddress
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import Batch, StoreError


def records_in_log(address: LogAddress, progress: Progress | None = None) -> Iterator[LocatedRecord]:
    """Every record that counts, oldest first; its offset is the sequence of its batch in the stream.

    Raises:
        NoStoreError: there is no such stream.
        StoreError: it is damaged.
        OSError: the servers do not answer.
    """
    for segment, position, batch in asyncio.run(_batches(address, progress)):
        for record in records.records(batch):
            yield LocatedRecord(segment, position, record)


def inspect_log(address: LogAddress, progress: Progress | None = None) -> Inspection:
    """Check the records of the stream, and what they refer to.

    Raises:
        NoStoreError: there is no such stream.
        OSError: the servers do not answer.
    """
    inspection = Inspection()
    references = References(inspection.queues)
    name = Path(address.name)
    try:
        batches = asyncio.run(_batches(address, progress))
    except NoStoreError:
        raise
    except StoreError as fault:
        inspection.damage.append(Damage(name, 0, str(fault)))
        return inspection
    oldest = batches[0][0] if batches else 0
    for number, (segment, position, batch) in enumerate(batches):
        references.oldest = segment == oldest
        references.begin(Batch(position, batch, number, number))
        for record in records.records(batch):
            inspection.records += 1
            fault_of_record = references.take(record)
            if fault_of_record and not inspection.damage:
                inspection.damage.append(Damage(name, position, fault_of_record))
        inspection.bytes += len(batch)
    inspection.segments = len({segment for segment, _, _ in batches})
    return inspection


async def _batches(address: LogAddress, progress: Progress | None) -> list[tuple[int, int, bytes]]:
    """The batches that count: segment, the sequence of the last part in the stream, records."""
    stream = JetStream(LogSettings(address), lambda *_: None)
    await stream.connect()
    try:
        return [each async for each in _read(stream, str(address), progress)]
    finally:
        await stream.close()


async def _read(
    stream: JetStream, name: str, progress: Progress | None
) -> AsyncIterator[tuple[int, int, bytes]]:
    if not await stream.exists():
        raise NoStoreError(f"there is no store at {name}: the servers have no such stream")
    state = await stream.state()
    reader = LogReader(state.first)
    async for position, data in stream.read(state.first, state.last):
        for segment, batch in reader.batches(position, decode_record(data, position)):
            yield segment, position, batch
        if progress is not None:
            progress(position - state.first + 1, state.last - state.first + 1)
