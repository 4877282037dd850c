"""AMQP 1.0 as the driver of a socket sees it."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.guests import Visit
from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.frontends.amqp10.containers import UserGate
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.frontends.amqp10.visiting import visit_of
from lastvalue.frontends.conversation import Contact, Conversation
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role


@final
class Amqp10Conversation(Conversation):
    """See Conversation.

    Args:
        contact: whom with.
        options: of the engine.
        refuse_unknown_filters: a link that asks for a filter which is not known is refused.
        wire_now: when the connection was made.
    """

    __slots__ = ("_broker", "_engine", "_frontend")

    def __init__(
        self,
        contact: Contact,
        options: ConnectionOptions,
        refuse_unknown_filters: bool,  # noqa: FBT001 - compiled, positional
        wire_now: i64,
    ) -> None:
        self.deaf = False
        self.finished = False
        self._broker = contact.broker
        self._engine = Connection(Role.SERVER, options, wire_now)
        self._engine.authenticate_by(contact.authenticator)
        self._frontend = Frontend(self._engine, contact.broker, contact.on_touched, refuse_unknown_filters)
        self._engine.gate = UserGate(self._engine, self._engine.gate, contact.enter)
        self._broker.guests.join(self)

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self._engine.receive(data, wire_now)
        self._frontend.handle(now)

    def advance(self, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self._engine.advance(wire_now)
        self._frontend.handle(now)

    def next_deadline(self) -> i64:
        """See Conversation."""
        return self._engine.next_deadline()

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

    def visit(self) -> Visit | None:
        """See Guest."""
        return visit_of(self._engine, self._frontend.number)

    def shut_down(self, reason: str) -> None:
        """See Conversation."""
        self._engine.close(AmqpError(Condition.CONNECTION_FORCED.amqp10, reason))
        self._frontend.output.schedule_write()

    def lost(self, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self._engine.receive_eof(wire_now)
        self._frontend.handle(now)
        self._frontend.close(now)
        self._broker.guests.leave(self)


def opener(
    options: ConnectionOptions,
    *,
    refuse_unknown_filters: bool,
) -> Callable[[Contact, int], Conversation]:
    """What begins a conversation in AMQP 1.0, told the contact and when the connection was made."""
    return lambda contact, wire_now: Amqp10Conversation(contact, options, refuse_unknown_filters, wire_now)
