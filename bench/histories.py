"""What a history costs: to record, to drop, and to look back in, without a server and in processor time.

    python bench/histories.py
    python bench/histories.py --keys 100000 --records 200000 --json
    .venv-compiled/bin/python bench/histories.py --server .venv-compiled/bin/lastvalue

record: a message on a last-value queue without a history, with one, and with one that drops a record for
each that comes; the three take turns in each round.

look back: of a history of so many records, AS_OF of a recent moment, cold and warm, with all its answers, and
TIMELINE of a key, each with its longest step: so long do others wait. Each is asked of a history that has
dropped nothing, and of one that keeps half of its records. Python's garbage collector is set as in a server,
which leaves old objects out: else one of the steps would have a search among all records in it.

console: with `--server`, a whole `lastvalue serve` with a gateway, by the clock: what the console asks before
it shows the first row of a moment, which are the extent of the history and the values, cold and warm.
"""

import argparse
import json
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import gateway
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.client import Message, blocking
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.value_codec import decode_value
from lastvalue.codec.amqp10.values import EncodedValue
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, WhenFull
from lastvalue.server.full_collections import FullCollections
from wires import HOST

START_MS = 1_700_000_000_000
BODY = "x" * 100
TURN = 100
"""Messages that come in a turn."""
CONSOLE_ROWS = 10_000
"""The most rows that the console asks for."""

Figures = Mapping[str, object]


class Recorded:
    """A broker with a last-value queue, and its history if that has room for any records."""

    def __init__(self, keys: int, room: int) -> None:
        self.broker = Broker()
        self.now = START_MS
        self.sent = 0
        if room:
            self.broker.declare(QueueSpec("h", limit=Limit(room, when_full=WhenFull.DROP_OLDEST)))
        self.broker.declare(QueueSpec("q", ordering=LastValue("k"), history="h" if room else None))
        self._target = self.broker.queue_target("q")
        self._encoded = [
            encode_content(MessageContent(body=BODY, application_properties={"k": f"k{number}"}))
            for number in range(keys)
        ]

    def publish(self, count: int) -> float:
        """Publish messages, a key after the other; the microseconds of each."""
        before = time.process_time()
        for _ in range(count):
            self.now += 1
            encoded = self._encoded[self.sent % len(self._encoded)]
            self.broker.publish(self._target, read_message(encoded), self.now)
            self.sent += 1
            if self.sent % TURN == 0:
                self.broker.drain(self.now)
        self.broker.drain(self.now)
        return (time.process_time() - before) / count * 1e6

    def ask(
        self, operation: str, name: str, body: Mapping[str, object]
    ) -> tuple[dict[str, Any], list[float]]:
        """The answer to a request, and the seconds of each of its steps."""
        steps = []
        before = time.thread_time()
        answer = manage(self.broker, Request(operation, "queue", name, dict(body)), self.now)
        steps.append(time.thread_time() - before)
        while self.broker.long_commands.busy:
            before = time.thread_time()
            self.broker.long_commands.step(self.now)
            steps.append(time.thread_time() - before)
        return answer.body, steps

    def as_of(self) -> list[float]:
        """The steps of all answers about the present moment."""
        asked: dict[str, object] = {"time": self.now}
        steps = []
        while True:
            answer, taken = self.ask("AS_OF", "q", asked)
            steps += taken
            if not answer["more"]:
                return steps
            asked |= {"until": answer["until"], "after": last_offset(answer["records"])}


def last_offset(records: EncodedValue) -> int:
    """The number of the last record of an answer."""
    pairs, _ = decode_value(records.octets, 0, len(records.octets))
    assert isinstance(pairs, list)
    return int(pairs[-1][0])


def recording(keys: int, messages: int, rounds: int) -> Figures:
    """The cost of a message, as a multiple of one without a history."""
    kinds = {"none": 0, "keeps": 2**40, "drops": 2 * keys}
    each = {name: Recorded(keys, room) for name, room in kinds.items()}
    for recorded in each.values():
        recorded.publish(2 * keys)
    taken = [{name: recorded.publish(messages) for name, recorded in each.items()} for _ in range(rounds)]
    middle = {name: statistics.median(one[name] for one in taken) for name in each}
    ratio = statistics.median(one["drops"] / one["keeps"] for one in taken)
    return {f"{name} us": round(us, 2) for name, us in middle.items()} | {"drops / keeps": round(ratio, 2)}


def looking_back(keys: int, records: int, *, drops: bool) -> Figures:
    """The processor time of questions about a history of so many records."""
    recorded = Recorded(keys, records // 2 if drops else 2**40)
    # The first message of a key makes one record, each later one two.
    recorded.publish(keys + max(0, records - keys) // 2)
    figures: dict[str, object] = {}
    for name in ("cold", "warm"):
        figures[f"as-of {name}"] = shown(recorded.as_of())
    figures["timeline"] = shown(recorded.ask("TIMELINE", "h", {"queue": "q", "key": "k1"})[1])
    return figures


def console(server: Path, keys: int, records: int) -> Figures:
    """How long the console waits for the first row of the present moment, in seconds by the clock."""
    figures: dict[str, object] = {}
    found: dict[str, Any] = {}
    with gateway.serving(server) as (_, port, address):
        with blocking.connect(f"amqp://{HOST}:{port}") as connection:
            queue = connection.declare("q", lvq_key="k", history="h")
            messages = keys + max(0, records - keys) // 2
            queue.send_many(Message(BODY, {"k": f"k{number % keys}"}) for number in range(messages))
        for name in ("cold", "warm"):
            before = time.monotonic()
            for path in ("history", f"as-of?limit={CONSOLE_ROWS}"):
                with urlopen(f"{address}/queues/q/{path}", timeout=60) as answer:
                    found = json.load(answer)
            figures[f"first row {name} s"] = round(time.monotonic() - before, 3)
            assert len(found["values"]) == min(keys, CONSOLE_ROWS)
    return figures


def shown(steps: list[float]) -> dict[str, float]:
    return {"s": round(sum(steps), 3), "longest step ms": round(max(steps) * 1000, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--keys", type=int, default=2000)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--messages", type=int, default=20_000, help="in each round of `record`")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--server", type=Path, help="the `lastvalue` command for `console`")
    given = parser.parse_args()
    FullCollections()
    figures = {
        "record": recording(given.keys, given.messages, given.rounds),
        "look back": looking_back(given.keys, given.records, drops=False),
        "look back behind a base": looking_back(given.keys, given.records, drops=True),
    }
    if given.server:
        figures["console"] = console(given.server, given.keys, given.records)
    print(json.dumps(figures) if given.json else json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
