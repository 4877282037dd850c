"""Load a broker with pre-encoded messages and count what comes back.

    python bench/load.py --port 5672 --queue prices --keys 10000 --count 1000000
    python bench/load.py --port 5672 --queue prices --unsettled --pid $(pgrep -f 'lastvalue serve')
    python bench/load.py --port 5672 --queue prices --browsers 10 --json

A batch of 65,536 transfer frames is encoded once; between rounds only the upper half of each message's
number is patched, so that sending costs little more than the system call and the broker is what is measured.
A run ends when the broker has confirmed a last, unsettled message and each reader has seen it.
`--pid` reports the broker's CPU time, which holds up on a shared machine where messages a second do not.

Message n has the application property `key` (`k0000042`); its body starts with n in 8 bytes, big-endian.
`--newest` adds, for each key, the number of its newest message.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import select
import selectors
import socket
import struct
import time
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from wire import (
    DETACH,
    DISPOSITION,
    FALSE,
    FLOW,
    NOBODY,
    NULL,
    TRANSFER,
    TRUE,
    ZERO,
    Entry,
    Peer,
    PeerError,
    Performative,
    binary,
    compound,
    described,
    frame,
    symbol,
    text,
    uint,
)

SLOTS = 1 << 16
LOW = SLOTS - 1
KEY_DIGITS = 7
END_MARK = b"\x00the end of this run\x00"
CREDIT = 20_000
# A header section whose list has one field, durable: true.
DURABLE_HEADER = bytes((0x00, 0x53, 0x70, 0xC0, 0x02, 0x01, 0x41))
# [1.0 §3.2] Sections of a message, and its message-id as a UUID.
ANNOTATIONS, PROPERTIES, UUID = bytes((0, 0x53, 0x72)), bytes((0, 0x53, 0x73)), b"\x98"
UUID_START = bytes(range(8))
SENT_AT = b"\x83" + struct.pack(">Q", 1_790_000_000_000)
READER_BYTES = 1 << 20
BATCH = 256
"""Messages in one write."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is sent: how many messages over how many keys, and how.

    Keys come in random order, which is what caches of a processor like least, or `in_turn`.
    Messages `of_jms` have what JMS clients write: an id, which ends with the key, a time, and annotations.
    At most `window` unsettled messages wait for their confirmation; 0 is as many as the broker gives credit.
    Readers are at `reader_port`, of a broker that follows; 0 is where the messages are sent.
    Messages that are `ordered` have their number as the property `number`, too; 0 is no time to live.
    """

    queue: str
    count: int = 1_000_000
    keys: int = 10_000
    body_bytes: int = 100
    batch: int = BATCH
    unsettled: bool = False
    in_turn: bool = False
    durable: bool = False
    of_jms: bool = False
    window: int = 0
    reader_port: int = 0
    entry: Entry = NOBODY
    ordered: bool = False
    ttl_ms: int = 0


@dataclass(slots=True)
class Figures:
    """What one run measured; `cpu_us` is the broker's, for each message sent."""

    sent: int
    seconds: float
    delivered: list[int]
    cpu_us: float | None = None
    newest: dict[str, int] = field(default_factory=dict)

    @property
    def per_second(self) -> float:
        return self.sent / self.seconds


def key_of(slot: int) -> str:
    return f"k{slot:0{KEY_DIGITS}d}"


def encode(
    number: int, key: str, body: bytes, *, settled: bool, sections: bytes = b"", ordered: bool = False
) -> bytes:
    """One transfer frame; all numbers have fixed width so that they can be patched in place.

    Its message begins with these sections, and has its number as a property if it is `ordered`.
    """
    tag = binary(struct.pack(">I", number & 0xFFFF_FFFF))
    transfer = described(TRANSFER, ZERO, uint(number & 0xFFFF_FFFF), tag, ZERO, TRUE if settled else FALSE)
    order = [text("number"), b"\x81" + struct.pack(">Q", number)] if ordered else []
    properties = bytes((0, 0x53, 0x74)) + compound(0xC1, [text("key"), text(key), *order])
    data = bytes((0, 0x53, 0x75)) + binary(struct.pack(">Q", number) + body)
    return frame(transfer + sections + properties + data)


def first_sections(load: Load) -> bytes:
    """What comes before the application properties; an id is that of the first key."""
    header = DURABLE_HEADER if load.durable else b""
    if load.ttl_ms:
        fields = [TRUE if load.durable else FALSE, NULL, uint(load.ttl_ms)]
        header = bytes((0, 0x53, 0x70)) + compound(0xC0, fields)
    if not load.of_jms:
        return header
    kinds = [symbol("x-opt-jms-dest"), b"\x51\x00", symbol("x-opt-jms-msg-type"), b"\x51\x03"]
    message_id = UUID + UUID_START + key_of(0).encode()
    content_type = symbol("application/octet-stream")
    fields = [message_id, NULL, text(load.queue), NULL, NULL, NULL, content_type, NULL, NULL, SENT_AT]
    return header + ANNOTATIONS + compound(0xC1, kinds) + PROPERTIES + compound(0xC0, fields)


class Batch:
    """65,536 frames side by side, for the numbers of one round."""

    def __init__(self, load: Load) -> None:
        if load.in_turn:
            self.keys = [slot % load.keys for slot in range(SLOTS)]
        else:
            self.keys = random.Random(1).choices(range(load.keys), k=SLOTS)
        filler = b"x" * max(0, load.body_bytes - 8)
        settled, sections = not load.unsettled, first_sections(load)
        encoded = partial(
            encode, key=key_of(0), body=filler, settled=settled, sections=sections, ordered=load.ordered
        )
        template = encoded(0)
        self.size = len(template)
        self._frames = bytearray(template * SLOTS)
        self.view = memoryview(self._frames)
        # In the performative, of an ordered message in its properties, and in the body.
        number = re.escape(struct.pack(">I", 0xA1B2_C3D4))
        self._numbers = [found.start() for found in re.finditer(number, encoded(0xA1B2_C3D4))]
        for found in re.finditer(key_of(0).encode(), template):
            self._write_keys(found.start() + 1)
        self._write_slots()

    def _write_slots(self) -> None:
        low = [struct.pack(">H", slot) for slot in range(SLOTS)]
        for at in self._numbers:
            self._column(at + 2, bytes(pair[0] for pair in low))
            self._column(at + 3, bytes(pair[1] for pair in low))

    def _write_keys(self, digits: int) -> None:
        names = [f"{key:0{KEY_DIGITS}d}".encode() for key in self.keys]
        for digit in range(KEY_DIGITS):
            self._column(digits + digit, bytes(name[digit] for name in names))

    def start_round(self, number: int) -> None:
        """Patch the frames to carry round number 0, 1, 2, ..."""
        high = struct.pack(">H", number & 0xFFFF)
        for at in self._numbers:
            self._column(at, high[:1] * SLOTS)
            self._column(at + 1, high[1:] * SLOTS)

    def _column(self, at: int, values: bytes) -> None:
        self._frames[at :: self.size] = values

    def newest(self, count: int) -> dict[str, int]:
        """For each key the number of its last message among the first `count`."""
        # Any 65,536 numbers in a row use every slot once.
        return {key_of(self.keys[number & LOW]): number for number in range(max(0, count - SLOTS), count)}


class Publisher:
    """Sends on one link as fast as its credit allows."""

    def __init__(self, host: str, port: int, load: Load) -> None:
        self.load = load
        self.batch = Batch(load)
        self._peer = Peer(host, port, "load-publisher", load.entry)
        self._peer.attach_sender(load.queue)
        self._credit_end = 0
        self._window_end = self._peer.remote_window
        self.sent = 0
        self.settled = 0

    def publish(self, count: int) -> None:
        """Send `count` messages; returns when they are written, not when they are confirmed."""
        end = self.sent + count
        while self.sent < end:
            if not self.sent & LOW:
                self.batch.start_round(self.sent >> 16)
            allowed = self._allowed()
            if allowed < self.load.batch:
                for performative in self._peer.waiting_frames():
                    self._take(performative)
                allowed = self._allowed()
            if allowed <= 0:
                self._take(self._peer.next_frame())
                continue
            slot = self.sent & LOW
            number = min(allowed, self.load.batch, end - self.sent, SLOTS - slot)
            size = self.batch.size
            self._peer.socket.sendall(self.batch.view[slot * size : (slot + number) * size])
            self.sent += number

    def _allowed(self) -> int:
        end = min(self._credit_end, self._window_end)
        if self.load.window:
            end = min(end, self.settled + self.load.window)
        return end - self.sent

    @property
    def connected(self) -> socket.socket:
        """What it sends and is answered through."""
        return self._peer.socket

    def send_one(self) -> None:
        """Send the next message of the first round in one system call; the link's first credit must do."""
        slot = self.sent
        size = self.batch.size
        self._peer.socket.sendall(self.batch.view[slot * size : (slot + 1) * size])
        self.sent += 1

    def publish_paced(self, count: int, per_second: int, together: int) -> list[float]:
        """Send so many a second, some together; how many seconds each waits until it is confirmed."""
        began = time.perf_counter()
        sent_at: list[float] = []
        waits: list[float] = []
        while len(waits) < count:
            now = time.perf_counter()
            due = began + self.sent / per_second
            if self.sent < count and now >= due:
                number = min(together, count - self.sent)
                sent_at += [now] * number
                self.publish(number)
                self._confirmed(sent_at, waits)
                continue
            left = max(0.0, due - now) if self.sent < count else None
            readable, _, _ = select.select([self._peer.socket], [], [], left)
            if readable:
                self._take(self._peer.next_frame())
                for performative in self._peer.waiting_frames():
                    self._take(performative)
            self._confirmed(sent_at, waits)
        return waits

    def _confirmed(self, sent_at: list[float], waits: list[float]) -> None:
        now = time.perf_counter()
        waits += [now - each for each in sent_at[len(waits) : self.settled]]

    def finish(self) -> None:
        """Send the mark that ends the run, unsettled, and wait until everything is confirmed."""
        while min(self._credit_end, self._window_end) <= self.sent:
            self._take(self._peer.next_frame())
        header = DURABLE_HEADER if self.load.durable else b""
        self._peer.socket.sendall(encode(self.sent, "the-end", END_MARK, settled=False, sections=header))
        self.sent += 1
        awaited = self.sent if self.load.unsettled else 1
        while self.settled < awaited:
            self._take(self._peer.next_frame())

    def close(self) -> None:
        self._peer.close()

    def _take(self, performative: Performative) -> None:
        if performative.descriptor == FLOW:
            next_incoming = performative.field(0, 0)
            self._window_end = next_incoming + performative.field(1)
            if performative.field(4) is not None:
                self._credit_end = performative.field(5, 0) + performative.field(6, 0)
        elif performative.descriptor == DISPOSITION:
            first = performative.field(1)
            if performative.field(3, default=False):
                self.settled += performative.field(2, first) - first + 1
        elif performative.descriptor == DETACH:
            raise PeerError(f"the broker detached the link: {performative.fields}")


class Reader:
    """Counts the messages of one link without decoding them."""

    def __init__(self, host: str, port: int, load: Load, *, browse: bool) -> None:
        self._peer = Peer(host, port, "load-reader", load.entry)
        self._peer.attach_receiver(load.queue, browse=browse, settled=True)
        self._peer.grant(0, CREDIT, 0)
        self.fileno = self._peer.socket.fileno()
        self._granted = CREDIT
        self._data = bytearray(READER_BYTES)
        self._filled = 0
        self.count = 0
        self.ended = False

    def read(self) -> None:
        """Take in what has come; waits when nothing has."""
        with memoryview(self._data) as view:
            received = self._peer.socket.recv_into(view[self._filled :])
        if not received:
            raise PeerError("the broker closed the connection")
        self._filled += received
        used = self._walk()
        self._data[: self._filled - used] = self._data[used : self._filled]
        self._filled -= used
        if self._granted - self.count < CREDIT // 2:
            self._peer.grant(self.count, CREDIT, self.count)
            self._granted = self.count + CREDIT

    def close(self) -> None:
        self._peer.close()

    def _walk(self) -> int:
        data, pos = self._data, 0
        while self._filled - pos >= 4:
            size = int.from_bytes(data[pos : pos + 4])
            whole = (self._filled - pos) // size
            if not whole:
                break
            alike = self._alike(pos, size, whole)
            pos += size * alike
            self.count += alike
            if not alike:
                self._single(pos, size)
                pos += size
        return pos

    def _alike(self, pos: int, size: int, whole: int) -> int:
        """How many transfer frames of this very size follow each other, as far as is cheap to find out."""
        data = self._data
        while whole > 1:
            end = pos + whole * size
            columns = all(
                data[pos + at : end : size] == data[pos + at : pos + at + 1] * whole for at in range(4)
            )
            if columns and data[pos + 10 : end : size] == bytes((TRANSFER,)) * whole:
                return whole
            whole //= 2
        return 0

    def _single(self, pos: int, size: int) -> None:
        if size > 10 and self._data[pos + 10] == TRANSFER:
            self.count += 1
            self.ended = self.ended or self._data.find(END_MARK, pos, pos + size) >= 0
        elif size > 10 and self._data[pos + 10] == DETACH:
            raise PeerError("the broker detached a reader")


def read_all(host: str, port: int, load: Load, readers: int, browse: bool, results: Connection) -> None:
    """Run in a process of its own: attach, report ready, read until each has seen the end, report counts."""
    open_readers = [Reader(host, port, load, browse=browse) for _ in range(readers)]
    results.send("ready")
    with selectors.DefaultSelector() as selector:
        for reader in open_readers:
            selector.register(reader.fileno, selectors.EVENT_READ, reader)
        # Consumers share the messages, so only one of them gets the mark.
        while not (all if browse else any)(reader.ended for reader in open_readers):
            for selected, _ in selector.select():
                selected.data.read()
    results.send([reader.count for reader in open_readers])
    for reader in open_readers:
        reader.close()


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used, in user and kernel mode, with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(host: str, port: int, load: Load, *, readers: int = 0, browse: bool = True, pid: int = 0) -> Figures:
    """One measured run on a queue that exists."""
    publisher = Publisher(host, port, load)
    ours, theirs = multiprocessing.Pipe()
    arguments = (host, load.reader_port or port, load, readers, browse, theirs)
    process = multiprocessing.get_context("fork").Process(target=read_all, args=arguments, daemon=True)
    if readers:
        process.start()
        theirs.close()
        ours.recv()
    cpu_before, began = cpu_seconds(pid) if pid else 0.0, time.perf_counter()
    publisher.publish(load.count)
    publisher.finish()
    delivered = ours.recv() if readers else []
    seconds = time.perf_counter() - began
    cpu_us = (cpu_seconds(pid) - cpu_before) * 1e6 / load.count if pid else None
    if readers:
        process.join()
    publisher.close()
    return Figures(load.count, seconds, delivered, cpu_us, publisher.batch.newest(load.count))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5672)
    parser.add_argument("--queue", required=True, help="a queue that exists")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--body-bytes", type=int, default=100)
    parser.add_argument("--batch", type=int, default=BATCH, help="messages in one write")
    parser.add_argument(
        "--in-turn", action="store_true", help="keys one after the other, not in random order"
    )
    parser.add_argument("--durable", action="store_true", help="messages that a store keeps")
    parser.add_argument("--unsettled", action="store_true", help="have each message confirmed")
    parser.add_argument("--browsers", type=int, default=0)
    parser.add_argument("--consumers", type=int, default=0)
    parser.add_argument("--pid", type=int, default=0, help="the broker's process, to report its CPU time")
    parser.add_argument("--newest", action="store_true", help="with --json: the newest number of each key")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = Load(
        options.queue,
        count=options.count,
        keys=options.keys,
        body_bytes=options.body_bytes,
        batch=options.batch,
        unsettled=options.unsettled,
        in_turn=options.in_turn,
        durable=options.durable,
    )
    readers = options.browsers or options.consumers
    figures = run(
        options.host, options.port, load, readers=readers, browse=bool(options.browsers), pid=options.pid
    )
    if options.json:
        report = {"sent": figures.sent, "seconds": figures.seconds, "delivered": figures.delivered}
        report |= {"cpu_us": figures.cpu_us} if options.pid else {}
        report |= {"newest": figures.newest} if options.newest else {}
        print(json.dumps(report))
        return
    print(f"{figures.sent:,} messages in {figures.seconds:.2f} s, {figures.per_second:,.0f} a second")
    if figures.delivered:
        print(f"{sum(figures.delivered):,} delivered to {len(figures.delivered)} readers")
    if figures.cpu_us is not None:
        print(f"{figures.cpu_us:.3f} us of the broker's CPU time a message")


if __name__ == "__main__":
    main()
