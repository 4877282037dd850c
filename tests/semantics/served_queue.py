"""Runs scenarios on a broker in a process of its own, through sockets, with python-qpid-proton as the client.

Each reader has a connection. Time cannot be made to pass, so scenarios with deadlines are not for it.
"""

from itertools import count
from typing import Any

from proton import Data, Delivery, Described, Link, Message, symbol
from proton.reactor import Copy, Filter, ReceiverOption, Selector
from proton.utils import BlockingConnection, BlockingReceiver, BlockingSender, LinkDetached, SendException
from scenario import EVERYTHING, Asked, Given, KeyChange, ReaderRefusedError, key_in
from served_broker import ServedBroker

from lastvalue.client import Message as ClientMessage
from lastvalue.client import blocking
from lastvalue.client.errors import RefusedError
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.queues.spec_arguments import spec_from_arguments

TIMEOUT_S = 60
FIRST_OF_GROUP = "first"


class Prioritised(ReceiverOption):  # type: ignore[misc]  # proton's are untyped
    """A reader's priority."""

    def __init__(self, priority: int) -> None:
        self._priority = priority

    def apply(self, receiver: Link) -> None:
        receiver.properties = {symbol("priority"): self._priority}


class Setting:
    """What the scenarios of one broker share: connections that declare, look and send."""

    def __init__(self, served: ServedBroker) -> None:
        self.url = served.url
        self.administration = blocking.connect(served.url)
        self.producer = BlockingConnection(served.url, timeout=TIMEOUT_S)
        self._numbers = count(1)

    def declare(self, options: dict[str, Any]) -> str:
        """Make a queue of a name that is new; the name."""
        name = f"queue-{next(self._numbers)}"
        self.administration.declare(name, **options)
        return name

    def close(self) -> None:
        self.producer.close()
        self.administration.close()


class ServedQueue:
    def __init__(self, setting: Setting, options: dict[str, Any]) -> None:
        self._setting = setting
        self._administration = setting.administration
        spec = spec_from_arguments("q", options)
        self._alternates = sorted({name for name in (spec.alternate, spec.expiry_alternate) if name})
        for name in self._alternates:
            self._administration.declare(name)
            self._administration.purge(name)
        self.name = setting.declare(options)
        self._sender: BlockingSender | None = setting.producer.create_sender(self.name)
        self._connections: dict[str, BlockingConnection] = {}
        self._receivers: dict[str, BlockingReceiver] = {}
        self._held: dict[str, list[tuple[str, Any]]] = {}

    def end(self) -> None:
        """Let every reader and the producer go; the queue stays."""
        for by in list(self._connections):
            self.close(by)
        self._stop_sending()

    def _stop_sending(self) -> None:
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    @property
    def now(self) -> int:
        raise NotImplementedError("a clock that scenarios can set")

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        fields = {"annotations" if name == "message_annotations" else name: more[name] for name in more}
        message = Message(body=body, properties=properties, **fields)
        if ttl_ms is not None:
            message.ttl = ttl_ms / 1000
        assert self._sender is not None, "the queue was deleted"
        try:
            self._sender.send(message)
        except SendException:
            return False
        except LinkDetached:
            assert self.gone(), f"the queue takes no messages, not even {body!r}"
            self._sender = None
        return True

    def attach(self, by: str, reads: str, asked: Asked, queue: str = "") -> None:
        if by in self._receivers:
            return
        connection = self._connections[by] = BlockingConnection(self._setting.url, timeout=TIMEOUT_S)
        wanted: list[Any] = [Copy()] if reads == "browse" else []
        if asked.selector:
            wanted.append(Selector(asked.selector))
        if asked.priority is not None:
            wanted.append(Prioritised(asked.priority))
        period_s = 0 if asked.only_new else asked.replay_period_s
        if period_s is not None:
            wanted.append(Filter({symbol("replay"): Described(symbol("x-qpid-replay-period"), period_s)}))
        try:
            receiver = connection.create_receiver(queue or self.name, credit=0, name=by, options=wanted)
        except LinkDetached as refusal:
            raise ReaderRefusedError(str(refusal)) from None
        self._receivers[by] = receiver
        if asked.selector or period_s is not None:
            assert _has_entries(receiver.link.remote_source.filter)

    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]:
        self.attach(by, reads, asked)
        connection, receiver = self._connections[by], self._receivers[by]
        receiver.link.drain(count)
        connection.wait(lambda: not receiver.link.draining() and not receiver.link.queued)
        given = []
        for message, delivery in list(receiver.fetcher.incoming):
            marked = (message.properties or {}).get(FIRST_OF_GROUP) is True
            given.append(Given(str(message.body), message.delivery_count, marked))
            if reads == "acquire":
                self._held.setdefault(by, []).append((str(message.body), delivery))
        receiver.fetcher.incoming.clear()
        return given

    def listen(self, by: str, credit: int, asked: Asked) -> None:
        raise NotImplementedError("a client that can tell when nothing more comes")

    def hears(self, by: str) -> list[Given]:
        return []

    def held(self, by: str) -> list[str]:
        return [body for body, _ in self._held.get(by, ())]

    def settle(self, by: str, body: str, outcome: str) -> None:
        _, delivery = self._held[by].pop(self.held(by).index(body))
        state = {"accepted": Delivery.ACCEPTED, "rejected": Delivery.REJECTED}.get(outcome)
        if state is None:
            state = Delivery.RELEASED if outcome == "released" else Delivery.MODIFIED
            delivery.local.failed = outcome == "modified"
        delivery.update(state)
        delivery.settle()
        self._flush(by)

    def _flush(self, by: str) -> None:
        """Return when the broker has taken what was sent to it: it answers an attach after that."""
        address = self._receivers[by].link.source.address
        self._connections[by].create_sender(address, name=f"{by} flushes").close()

    def close(self, by: str) -> None:
        self._receivers.pop(by, None)
        self._held.pop(by, None)
        self._connections.pop(by).close()

    def wait(self, milliseconds: int) -> None:
        raise NotImplementedError("a clock that scenarios can set")

    def purge(self) -> int:
        return self._administration.purge(self.name)

    def change(self, change: KeyChange) -> str:
        values = {key_in(properties): ClientMessage(body, properties) for body, properties in change.put}
        queue = self._administration.queue(self.name)
        try:
            queue.put_many(values, delete=change.delete, if_sequences=change.if_sequences)
        except RefusedError as fault:
            return str(fault)
        return ""

    def delete(self) -> int:
        depth = int(self.figures()["depth"])
        self._stop_sending()
        self._administration.delete(self.name)
        return depth

    def gone(self) -> bool:
        try:
            self.figures()
        except (RefusedError, QueueNotFoundError):
            return True
        return False

    def reconfigure(self, options: dict[str, Any]) -> None:
        raise NotImplementedError("a request that reconfigures a queue")

    def alternate(self) -> list[str]:
        found = []
        for name in self._alternates:
            reader = f"reader of {name}"
            self.attach(reader, "acquire", Asked(), name)
            given = self.read(reader, "acquire", EVERYTHING, Asked())
            for each in given:
                self.settle(reader, each.body, "accepted")
            found += [each.body for each in given]
        return found

    def figures(self) -> dict[str, Any]:
        info = self._administration.queue(self.name).info()
        return {
            "depth": info.depth,
            "depth_bytes": info.depth_bytes,
            "available": info.available,
            "published": info.published,
            "refused": info.refused,
            "removed": dict(info.removed),
        }

    def refusal(self, options: dict[str, Any]) -> str:
        try:
            self._setting.declare(options)
        except RefusedError as fault:
            return str(fault)
        return ""

    def meaning(self, options: dict[str, Any]) -> dict[str, Any]:
        name = self._setting.declare(options)
        return dict(self._administration.queue(name).info().options)


def _has_entries(answered: Data) -> bool:
    answered.rewind()
    return bool(answered.next() == Data.MAP and answered.get_map() > 0)
