"""AMQP 0-10 as the driver of a socket sees it."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.frontend import Frontend
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.frontends.conversation import Contact, Conversation
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp010.connection import Connection, Options


@final
class Amqp010Conversation(Conversation):
    """See Conversation."""

    __slots__ = ("_domain", "_engine", "_frontend")

    def __init__(self, contact: Contact, options: Options, domain: Domain, wire_now: i64) -> None:
        self.deaf = False
        self.finished = False
        self._domain = domain
        self._engine = Connection(options, contact.authenticator, contact.enter, wire_now)
        self._frontend = Frontend(self._engine, domain, contact.on_touched)

    def states(self) -> list[SessionState]:
        """The sessions that are attached."""
        return self._frontend.states()

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self._domain.heard(wire_now)
        self._engine.receive(data, wire_now)
        self._frontend.handle(now)
        while self._engine.go_on(wire_now):
            self._frontend.handle(now)
        self._frontend.handle(now)

    def advance(self, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        if self._domain.advance(wire_now, now):
            self._frontend.output.schedule_write()
        self._engine.advance(wire_now)
        self._frontend.handle(now)

    def next_deadline(self) -> i64:
        """See Conversation."""
        return min(self._engine.next_deadline(), self._domain.next_deadline())

    def seal(self, position: int) -> None:
        """See Conversation."""
        self._frontend.output.write_scheduled = False
        self._frontend.seal(position)

    def confirm(self, flushed: int) -> bool:
        """See Conversation."""
        return self._frontend.confirm(flushed)

    def data_to_send(self) -> bytes:
        """See Conversation."""
        data = self._engine.data_to_send()
        self.finished = self._engine.finished
        return data

    def set_writable(self, writable: bool) -> None:  # noqa: FBT001 - it is the state
        """See Conversation."""
        self._frontend.set_writable(writable)

    def resume(self) -> None:
        """See Conversation."""
        self._frontend.resume()

    def shut_down(self, reason: str) -> None:
        """See Conversation."""
        self._engine.close(Condition.CONNECTION_FORCED.amqp010, reason)
        self._frontend.output.schedule_write()

    def lost(self, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self._engine.receive_eof(wire_now)
        self._frontend.handle(now)
        self._frontend.close(now)


def opener(options: Options, domain: Domain) -> Callable[[Contact, int], Conversation]:
    """What begins a conversation in AMQP 0-10, told the contact and the time."""
    return lambda contact, wire_now: Amqp010Conversation(contact, options, domain, wire_now)
