"""A queue whose effects go to a journal in a directory."""

import threading
from pathlib import Path
from typing import Any

from canned_message import CannedMessage

from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.store import records
from lastvalue.store.file_log import file_journal
from lastvalue.store.segments import SEGMENT_HEAD, SegmentReader, batch, segment_numbers, segment_path
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

NOW_MS = 1_000


class StoredQueue:
    """The queue `q`, durable, with the number 1 in its journal."""

    def __init__(self, directory: Path, segment_bytes: int = 1 << 20, **options: Any) -> None:
        self.directory = directory
        self.journal = file_journal(
            directory, StoreOptions(Sync.ALWAYS, segment_bytes=segment_bytes, checks=True)
        )
        self.queue = Queue(spec_from_arguments("q", {"durable": True, **options}))
        self.journal.declare("queue", "q", {"durable": True, **options})

    def send(self, body: str, properties: dict[str, object] | None = None) -> None:
        message = CannedMessage(properties, body=body.encode())
        message.durable = True
        message.origin = "somebody"
        enqueue_once(self.queue, message, NOW_MS)

    def flush(self) -> None:
        position = self.journal.append("q", self.queue.drain())
        while self.journal.flushed < position:
            written = threading.Event()
            self.journal.flush(written.set)
            assert self.journal.flushed >= position or written.wait(120)

    def raw_removal(self, sequence: int, number: int = 1) -> None:
        """Close, and write a removal behind everything, whatever the queue has."""
        self.journal.close()
        newest = segment_numbers(self.directory)[-1]
        path = segment_path(self.directory, newest)
        reader = SegmentReader(path)
        batches = list(reader.read())
        record = records.removed(number, sequence, 3)
        assert reader.end >= SEGMENT_HEAD.size
        path.write_bytes(path.read_bytes()[: reader.end] + batch(record, newest, len(batches), len(batches)))
