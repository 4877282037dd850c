"""An owner of an AMQP 1.0 engine that does something sensible with every event, always the same."""

from lastvalue.codec.amqp10.performatives import Accepted, AmqpError, DeliveryState, Released, Source, Target
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import CreditChanged, DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import (
    Link,
    LinkAttached,
    LinkDetached,
    Session,
    SessionBegun,
    WindowChanged,
)
from lastvalue.protocols.amqp10.wire import Event

ACCEPTED = Accepted()
RELEASED = Released()
CREDIT = 7


class EngineOwner:
    """Accepts links, confirms what comes, and sends what is queued for a link's node.

    A link whose name starts with "no" is refused; every third delivery is released.
    """

    def __init__(self, role: Role, options: ConnectionOptions) -> None:
        self.engine = Connection(role, options, 0)
        self.happened: list[tuple[object, ...]] = []
        self.received: dict[str, list[bytes]] = {}
        self.outcomes: dict[str, list[tuple[bytes, DeliveryState | None]]] = {}
        self.waiting: dict[str, list[tuple[bytes, bool]]] = {}
        self.sessions: list[Session] = []
        self.links: dict[str, Link] = {}

    def react(self) -> None:
        """Act on everything that happened."""
        for happened in self.engine.events():
            for event in happened.each() if isinstance(happened, Delivery) else [happened]:
                self.happened.append(_told(event))
                self._react_to(event)

    def send(self, name: str, payload: bytes, *, settled: bool) -> None:
        """Queue a message for a link, now or once it is there."""
        self.waiting.setdefault(name, []).append((payload, settled))
        self._send_waiting(name)

    def _react_to(self, event: Event) -> None:
        match event:
            case SessionBegun():
                self.sessions.append(event.session)
            case LinkAttached():
                self._attached(event.link)
            case Delivery():
                self._delivered(event)
            case DeliverySettled():
                assert isinstance(event.context, bytes)
                self.outcomes.setdefault(event.link.name, []).append((event.context, event.state))
            case CreditChanged():
                self._send_waiting(event.link.name)
                event.link.drained()
            case WindowChanged():
                for link in event.session.links.values():
                    self._send_waiting(link.name)
            case LinkDetached():
                self.links.pop(event.link.name, None)
            case ConnectionClosed():
                self.links.clear()

    def _attached(self, link: Link) -> None:
        self.links[link.name] = link
        if self.engine.role is Role.CLIENT and not link.name.startswith("theirs"):
            return
        if link.name.startswith("no"):
            link.refuse(AmqpError("amqp:not-found", link.name))
            return
        link.accept(Source(address=link.name), Target(address=link.name))
        if isinstance(link, ReceiverLink):
            link.credit_window = CREDIT
            link.add_credit(CREDIT)

    def _delivered(self, delivery: Delivery) -> None:
        got = self.received.setdefault(delivery.link.name, [])
        got.append(delivery.payload)
        if not delivery.settled:
            state = RELEASED if len(got) % 3 == 0 else ACCEPTED
            delivery.link.settle(delivery.delivery_id, delivery.delivery_id, state)

    def _send_waiting(self, name: str) -> None:
        link = self.links.get(name)
        waiting = self.waiting.get(name, [])
        while isinstance(link, SenderLink) and waiting and link.sendable():
            payload, settled = waiting.pop(0)
            link.send(payload, settled, payload)


def _told(event: Event) -> tuple[object, ...]:
    """An event as something that compares by value."""
    link = getattr(event, "link", None)
    names = ("delivery_id", "tag", "settled", "payload", "state", "error", "closed", "context", "remote")
    facts = tuple([getattr(event, name, None) for name in names])
    return (type(event).__name__, *facts, link.name if link is not None else None)
