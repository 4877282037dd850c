"""Runs scenarios on a queue alone."""

from typing import Any

from scenario import EVERYTHING, Asked, Given, ReaderRefusedError

from lastvalue.broker.queue_counts import oldest_ms
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.delivery.delivered_payload import delivered_payload
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import Message, MessageFilter
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR, replay_period_s
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments
from lastvalue.queues.subscription import UNBOUNDED, Mode, Outcome, Subscriber, Subscription, Terms
from lastvalue.selectors import parse_selector

START_MS = 1_700_000_000_000
_MODES = {"browse": Mode.BROWSE, "acquire": Mode.CONSUME}


class Woken(Subscriber):
    """A reader that must have been woken before it finds something where there was nothing."""

    def __init__(self) -> None:
        self.may_find = True

    def wake(self) -> None:
        self.may_find = True


class Both(MessageFilter):
    """Two filters that must both match."""

    def __init__(self, one: MessageFilter, other: MessageFilter) -> None:
        self._one = one
        self._other = other

    def matches(self, message: Message) -> bool:
        return self._one.matches(message) and self._other.matches(message)


def encoded(body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bytes:
    """A message with an AMQP 1.0 value as its body; `more` are other fields of MessageContent."""
    for name in ("absolute_expiry_time",):
        if name in more:
            more[name] = Timestamp(more[name])
    return encode_content(MessageContent(body=body, application_properties=properties, ttl_ms=ttl_ms, **more))


def body_of(payload: bytes) -> str:
    return str(decode_content(payload).body)


def expiry_of(content: MessageContent, arrival_ms: int) -> int | None:
    """When a reader takes a message that arrived then as expired, or None for never."""
    ends = [] if content.ttl_ms is None else [arrival_ms + content.ttl_ms]
    if content.absolute_expiry_time is not None:
        ends.append(int(content.absolute_expiry_time))
    return min(ends, default=None)


def queue_of(spec: QueueSpec) -> Queue:
    return Queue(spec, parse_selector(spec.filter) if spec.filter else None)


def terms_of(asked: Asked, spec: QueueSpec, now: int) -> Terms:
    """What a reader gets of what it asked, with the queue's default filters, as a queue's owner adds them.

    Raises:
        ReaderRefusedError: the replay period is none.
    """
    own: dict[str, Any] = {}
    if asked.selector:
        own[SELECTOR] = asked.selector
    if asked.replay_period_s is not None:
        own[REPLAY_PERIOD] = asked.replay_period_s
    filters = [(kind, argument) for name, kind, argument in spec.readers.filters if name not in own]
    wanted: MessageFilter | None = None
    since_ms = UNBOUNDED
    only_new = asked.only_new
    for kind, argument in [*own.items(), *filters]:
        if kind == SELECTOR:
            made = parse_selector(argument)
            wanted = made if wanted is None else Both(wanted, made)
            continue
        try:
            period_s = replay_period_s(argument)
        except InvalidSpecError as fault:
            raise ReaderRefusedError(str(fault)) from None
        since_ms = max(since_ms, now - 1000 * period_s)
        only_new = only_new or period_s == 0
    return Terms(wanted, since_ms, only_new, asked.priority or 0)


class BareQueue:
    def __init__(self, options: dict[str, Any]) -> None:
        self.spec = spec_from_arguments("q", options)
        self.queue = queue_of(self.spec)
        self.now = START_MS
        self._readers: dict[str, Subscription] = {}
        self._woken: dict[str, Woken] = {}
        self._held: dict[str, list[Entry]] = {}
        self._departed: list[str] = []

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        try:
            message = read_message(encoded(body, properties, ttl_ms, **more))
            return enqueue_once(self.queue, message, self.now)
        except LastvalueError:
            return False

    def attach(self, by: str, reads: str, asked: Asked) -> None:
        if by in self._readers:
            return
        woken = self._woken[by] = Woken()
        terms = terms_of(asked, self.queue.spec, self.now)
        try:
            self._readers[by] = self.queue.subscribe(_MODES[reads], woken, terms, self.now)
        except LastvalueError as refusal:
            raise ReaderRefusedError(str(refusal)) from None

    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]:
        self.attach(by, reads, asked)
        reader, woken = self._readers[by], self._woken[by]
        given: list[Given] = []
        while len(given) < count:
            entry = self.queue.next(reader, self.now)
            if entry is None:
                woken.may_find = False
                break
            body = body_of(entry.message.encoded)
            assert woken.may_find, f"{by} was told that there is nothing, not woken, and then given {body!r}"
            expires_ms = expiry_of(decode_content(delivered_payload(entry)), entry.arrival_ms)
            given.append(Given(body, entry.delivery_count, reader.opened_group, expires_ms))
            if reader.mode is Mode.CONSUME:
                self._held.setdefault(by, []).append(entry)
        return given

    def listen(self, by: str, credit: int, asked: Asked) -> None:
        raise NotImplementedError("a queue that serves its consumers by itself, which is its owner's work")

    def hears(self, by: str) -> list[Given]:
        return []

    def browse(self, by: str) -> list[str]:
        """The bodies that a browser sees."""
        return [given.body for given in self.read(by, "browse", EVERYTHING, Asked())]

    def held(self, by: str) -> list[str]:
        return [body_of(entry.message.encoded) for entry in self._held.get(by, ())]

    def settle(self, by: str, body: str, outcome: str) -> None:
        if self._readers[by].mode is Mode.BROWSE:
            # It was never acquired: what a client says of it is for nobody.
            return
        position = self.held(by).index(body)
        self.queue.settle(self._held[by].pop(position), Outcome(outcome), self.now)

    def close(self, by: str) -> None:
        self.queue.unsubscribe(self._readers.pop(by), self.now)
        self._held.pop(by, None)

    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.queue.advance(self.now)

    def purge(self) -> int:
        return self.queue.purge()

    def delete(self) -> int:
        depth = self.queue.depth
        self.queue.delete()
        return depth

    def gone(self) -> bool:
        return self.queue.delete_requested

    def reconfigure(self, options: dict[str, Any]) -> None:
        spec = spec_from_arguments("q", options)
        self.queue.reconfigure(spec, self.now, parse_selector(spec.filter) if spec.filter else None)

    def alternate(self) -> list[str]:
        return [body_of(entry.message.encoded) for entry, _ in self.queue.take_removals()]

    def figures(self) -> dict[str, Any]:
        queue = self.queue
        removed = {reason.name.lower(): queue.removed(reason) for reason in Reason if queue.removed(reason)}
        return {
            "depth": queue.depth,
            "depth_bytes": queue.depth_bytes,
            "available": queue.available,
            "published": queue.published,
            "refused": queue.refused,
            "blocked": queue.blocked,
            "oldest_ms": oldest_ms(queue),
            "removed": removed,
        }

    def refusal(self, options: dict[str, Any]) -> str:
        try:
            spec_from_arguments("other", options)
        except InvalidSpecError as fault:
            return str(fault)
        return ""

    def meaning(self, options: dict[str, Any]) -> dict[str, Any]:
        return dict(spec_to_arguments(spec_from_arguments("other", options)))
