"""Time of one message through codec and last-value queue, without sockets or engine.

    python bench/codec_lvq.py --json

One step is: split the frame off, parse the transfer, read the message's sections, find the key, enqueue; the
effects are drained every 64 KiB as the server does.
The reference is a loop that every machine and version runs alike: unpack the frame's size, slice key and
frame, put them into a dictionary.
Times are the thread's CPU time, the best of several rounds, because neighbours only ever add to it.
The loop that makes the steps is interpreted, which a compiled server's is not: the compiled figure is net of
that loop, which is measured with calls and attributes that do nothing.
"""

import argparse
import json
import struct
import time
from collections.abc import Callable

import lastvalue.queues.queue
from lastvalue.codec.amqp10.frames import FrameSplitter
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.transfers import TransferHead, parse_transfer
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec
from load import SLOTS, Batch, Load, key_of

READ_BYTES = 1 << 16
NOW_MS = 1_700_000_000_000
_SIZE = struct.Struct(">I")


def chunks_of(batch: Batch) -> list[bytes]:
    """The batch as a server would read it, whole frames at a time."""
    frames = READ_BYTES // batch.size * batch.size
    data = bytes(batch.view)
    return [data[start : start + frames] for start in range(0, len(data), frames)]


def through_reference(chunks: list[bytes], key_at: int, key_size: int) -> None:
    index: dict[bytes, bytes] = {}
    unpack = _SIZE.unpack_from
    for chunk in chunks:
        pos = 0
        while pos < len(chunk):
            (size,) = unpack(chunk, pos)
            end = pos + size
            index[chunk[pos + key_at : pos + key_at + key_size]] = chunk[pos:end]
            pos = end


def through_queue(chunks: list[bytes], queue: Queue) -> None:
    splitter = FrameSplitter(READ_BYTES)
    head = TransferHead()
    for chunk in chunks:
        splitter.feed(chunk)
        while splitter.next():
            data, end = splitter.data, splitter.end
            parse_transfer(data, splitter.body, end, head)
            queue.enqueue(read_message(data[head.payload_start : end]), NOW_MS)
        queue.drain()


def through_loop(chunks: list[bytes], frame_bytes: int) -> None:
    """What the interpreter adds to `through_queue` around compiled calls."""
    splitter = FrameSplitter(READ_BYTES)
    head = TransferHead()
    for chunk in chunks:
        for _ in range(len(chunk) // frame_bytes):
            callable(splitter)
            data, end = splitter.data, splitter.end
            isinstance(data, bytes)
            callable(splitter.body)
            callable(head.payload_start)
            isinstance(end, int)


def nanoseconds(work: Callable[[], None], rounds: int) -> float:
    """CPU time of one message in the best round."""
    took = []
    for _ in range(rounds):
        began = time.thread_time_ns()
        work()
        took.append((time.thread_time_ns() - began) / SLOTS)
    return min(took)


def measure(keys: int, rounds: int, *, in_turn: bool) -> dict[str, object]:
    batch = Batch(Load("codec", keys=keys, in_turn=in_turn))
    batch.start_round(0)
    chunks = chunks_of(batch)
    name = key_of(batch.keys[0]).encode()
    queue = Queue(QueueSpec("bench", ordering=LastValue("key")))
    compiled = not str(lastvalue.queues.queue.__file__).endswith(".py")
    reference_ns = nanoseconds(lambda: through_reference(chunks, chunks[0].index(name), len(name)), rounds)
    codec_lvq_ns = nanoseconds(lambda: through_queue(chunks, queue), rounds)
    loop_ns = nanoseconds(lambda: through_loop(chunks, batch.size), rounds) if compiled else 0.0
    return {
        "keys": "in turn" if in_turn else "in random order",
        "compiled": compiled,
        "reference_ns": reference_ns,
        "codec_lvq_ns": codec_lvq_ns - loop_ns,
        "loop_ns": loop_ns,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each order of the keys")
    options = parser.parse_args()
    for in_turn in (True, False):
        figures = measure(options.keys, options.rounds, in_turn=in_turn)
        if options.json:
            print(json.dumps(figures), flush=True)
            continue
        form = "compiled" if figures["compiled"] else "plain Python"
        print(f"codec and last-value queue, {form}, keys {figures['keys']}:", end=" ")
        print(f"{figures['codec_lvq_ns']:.0f} ns (and {figures['loop_ns']:.0f} ns for the loop);", end=" ")
        print(f"reference loop {figures['reference_ns']:.0f} ns", flush=True)


if __name__ == "__main__":
    main()
