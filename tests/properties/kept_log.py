"""A log in memory, and a broker whose journal writes to it."""

from collections.abc import Callable
from typing import Any

from keyed_entries import keyed_entries
from message_run import Encoded, take_all

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.store.batch_log import Commit, Syncs
from lastvalue.store.segments import StoreError, Tail
from lastvalue.store.store_contents import StoreContents, apply_records
from lastvalue.store.store_journal import StoreJournal
from lastvalue.store.store_options import StoreOptions

SEGMENT_BYTES = 2000


class KeptLog:
    """Keeps batches, and tells them to whoever follows."""

    def __init__(self) -> None:
        self.most_under_way = 8
        self.leads = True
        self.shared = False
        self.ended: StoreError | None = None
        self.fault: OSError | None = None
        self.bytes_per_s = 0.0
        self.syncs = Syncs()
        self.failures = 0
        self.spare_bytes: int | None = None
        self.batches: list[tuple[int, bytes]] = []
        self.followers: list[Callable[[int, bytes], None]] = []

    def begin(self, segment: int) -> None:
        """See BatchLog."""

    def submit(self, commit: Commit) -> None:
        """See BatchLog."""
        if commit.records:
            self.batches.append((commit.segment, commit.records))
            for follower in self.followers:
                follower(commit.segment, commit.records)
        self.batches = [each for each in self.batches if each[0] not in commit.obsolete]
        commit.done()

    def close(self, last: Commit | None) -> None:
        """See BatchLog."""

    def contents(self) -> StoreContents:
        """What a broker reads that starts."""
        stored = StoreContents()
        for segment, batch in self.batches:
            apply_records(stored, batch, segment)
            stored.segments[segment] = stored.segments.get(segment, 0) + len(batch)
            stored.tail = Tail(max(stored.tail.number, segment))
        return stored

    def journal(self) -> StoreJournal:
        """A journal that continues behind what is there."""
        return StoreJournal(
            self, StoreOptions(segment_bytes=SEGMENT_BYTES, checks=True), self.contents().next_segment
        )


class Leader:
    """A broker that writes a log, as a server has it."""

    def __init__(self, log: KeptLog) -> None:
        self.log = log
        self.broker = Broker(all_effects=False)
        self.journal = log.journal()

    def declare(self, name: str, **options: Any) -> Queue:
        self.broker.declare(spec_from_arguments(name, {"durable": True, **options}), BROKER)
        return self.broker.lookup(name).queue

    def send(self, name: str, body: str, now: int, key: str | None = None, **notes: Any) -> None:
        properties = {} if key is None else {"k": key}
        ttl_ms = notes.pop("ttl_ms", None)
        message = Message(body, properties=properties, durable=True, ttl_ms=ttl_ms, annotations=notes)
        hosted = self.broker.lookup(name)
        hosted.take(read_message(encode_message(message)), now)
        hosted.mark_changed()

    def send_run(self, name: str, keys: list[str], now: int) -> None:
        """Send messages that are alike; they come together."""
        messages = [Message("a", properties={"k": key}, durable=True) for key in keys]
        run = Encoded([encode_message(message) for message in messages])
        hosted = self.broker.lookup(name)
        while run.left > 0:
            take_all(hosted, run, now)
        hosted.mark_changed()

    def flush(self, now: int) -> None:
        """As at the end of a turn."""
        self.broker.pump(now)
        drained = self.broker.drain(now)
        for definition in self.broker.definitions.drain():
            self.journal.define(definition.kind, definition.name, definition.arguments)
        for queue, effects in drained:
            self.journal.append(queue, effects)
        self.journal.flush(lambda: None)


def state_of(broker: Broker, timed: bool) -> dict[str, Any]:
    """All that a restart keeps of the queues; the deadlines only where asked for."""
    return {queue.spec.name: {"spec": queue.spec, **queue_state(queue, timed)} for queue in broker.queues()}


def queue_state(queue: Queue, timed: bool) -> dict[str, Any]:
    contents = queue.contents
    entries = [
        (
            int(each.sequence),
            each.message.encoded,
            int(each.state),
            int(each.delivery_count),
            int(each.updates),
            int(each.place),
            each.key,
            each.superseded,
            (int(each.expires_ms), int(each.not_before_ms)) if timed else None,
        )
        for each in queue.entries()
    ]
    shown = []
    entry = contents.available_list.head
    while entry is not None:
        shown.append(int(entry.sequence))
        entry = entry.next
    current = {key: int(each.sequence) for key, each in keyed_entries(contents.current).items()}
    counts = (
        int(contents.depth),
        int(contents.available),
        int(contents.depth_bytes),
        int(contents.held_back),
    )
    tombstones = contents.tombstones
    lasting: Any = None
    if tombstones is not None and tombstones.lasting:
        lasting = (
            [(int(each.number), each.key, each.reason) for each in tombstones.all()],
            int(tombstones.number),
            int(tombstones.forgotten),
            [(int(each.epoch), int(each.sequence), int(each.number)) for each in tombstones.epochs],
        )
    return {
        "entries": entries,
        "shown": shown,
        "current": current,
        "counts": [int(each) for each in counts],
        "sequence": int(contents.sequence),
        "lasting": lasting,
    }
