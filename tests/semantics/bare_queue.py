"""Runs scenarios on a queue alone."""

from typing import Any

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.declaration import spec_from_arguments
from lastvalue.queues.queue import Queue
from lastvalue.queues.subscription import Mode, Outcome, Subscriber, Subscription

START_MS = 1_700_000_000_000


class Silent(Subscriber):
    """A subscriber that need not be woken."""

    def wake(self) -> None:
        pass


def encoded(body: str, properties: dict[str, Any], ttl_ms: int | None) -> bytes:
    return encode_content(MessageContent(body=body, application_properties=properties, ttl_ms=ttl_ms))


def body_of(payload: bytes) -> str:
    return str(decode_content(payload).body)


class BareQueue:
    def __init__(self, options: dict[str, Any]) -> None:
        self.queue = Queue(spec_from_arguments("q", options))
        self.now = START_MS
        self._readers: dict[str, Subscription] = {}
        self._held: dict[tuple[str, str], Entry] = {}

    def _reader(self, by: str, mode: Mode) -> Subscription:
        if by not in self._readers:
            self._readers[by] = self.queue.subscribe(mode, Silent())
        return self._readers[by]

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> bool:
        return self.queue.enqueue(read_message(encoded(body, properties, ttl_ms)), self.now)

    def browse(self, by: str) -> list[str]:
        reader = self._reader(by, Mode.BROWSE)
        seen = []
        while (entry := self.queue.next(reader, self.now)) is not None:
            seen.append(body_of(entry.message.encoded))
        return seen

    def acquire(self, by: str, count: int) -> list[str]:
        reader = self._reader(by, Mode.CONSUME)
        got: list[str] = []
        while len(got) < count and (entry := self.queue.next(reader, self.now)) is not None:
            body = body_of(entry.message.encoded)
            self._held[by, body] = entry
            got.append(body)
        return got

    def settle(self, by: str, body: str, outcome: str) -> None:
        self.queue.settle(self._held.pop((by, body)), Outcome(outcome), self.now)

    def close(self, by: str) -> None:
        self.queue.unsubscribe(self._readers.pop(by), self.now)

    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.queue.advance(self.now)

    def purge(self) -> int:
        return self.queue.purge()

    def figures(self) -> dict[str, Any]:
        queue = self.queue
        removed = {reason.name.lower(): queue.removed(reason) for reason in Reason if queue.removed(reason)}
        return {
            "depth": queue.depth,
            "available": queue.available,
            "published": queue.published,
            "refused": queue.refused,
            "removed": removed,
        }
