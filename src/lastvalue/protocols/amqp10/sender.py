"""Links on which this side sends [1.0 §2.6.7]."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.performatives import (
    ROLE_SENDER,
    SENDER_SETTLED,
    AmqpError,
    Attach,
    Coordinator,
    DeliveryState,
    Flow,
    Source,
    Target,
)
from lastvalue.codec.amqp10.transfers import MAX_TRANSFER_HEAD_SIZE, TransferWriter
from lastvalue.codec.amqp10.values import Described
from lastvalue.protocols.amqp10.terms import Terms
from lastvalue.protocols.amqp10.transitions import State
from lastvalue.protocols.amqp10.windows import HALF_SERIAL, OUTGOING_WINDOW, SERIAL, Parcel, Unsettled
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.engine import UsageError

OPEN: Final = State.OPEN


@final
class SenderLink:
    """A link on which this side sends.

    Attributes:
        credit: messages the peer still takes.
        drain: the peer asks that credit be used or given up now.
        settles: every message must be sent settled.
    """

    __slots__ = ("_writer", "context", "credit", "delivery_count", "drain", "settles", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.credit: i64 = 0
        self.delivery_count: i64 = 0
        self.drain = False
        self.settles = False
        self.context: object = None
        self._writer = TransferWriter(terms.channel, terms.handle)

    @property
    def name(self) -> str:
        """The link's name."""
        return self.terms.name

    @property
    def attached(self) -> bool:
        """Both sides have attached and neither has detached."""
        return self.terms.attached

    @property
    def remote(self) -> Attach | None:
        """The peer's attach."""
        return self.terms.remote

    def sendable(self) -> bool:
        """Whether `send` would put the message on the wire now: credit, and room in the session's window."""
        windows = self.terms.windows
        return self.credit > 0 and windows.remote_incoming_window > 0 and not windows.parcels

    def accept(self, source: Source | None, target: Target | Coordinator | Described | None) -> None:
        """Server side: attach in answer to the peer, with the termini as they are in truth."""
        remote = self.terms.remote
        if remote is None:
            raise UsageError(f"link {self.name!r} was not attached by the peer")
        self.settles = remote.snd_settle_mode == SENDER_SETTLED
        self.terms.answer(
            Attach(
                name=self.name,
                handle=self.terms.handle,
                role=ROLE_SENDER,
                snd_settle_mode=remote.snd_settle_mode,
                rcv_settle_mode=remote.rcv_settle_mode,
                source=source,
                target=target,
                initial_delivery_count=0,
            )
        )

    def refuse(self, error: AmqpError) -> None:
        """Server side: answer with no source, and detach at once [1.0 §2.6.3]."""
        self.accept(None, self.terms.remote.target if self.terms.remote is not None else None)
        self.terms.detach(error, closed=True)

    def detach(self, error: AmqpError | None = None, *, closed: bool = True) -> None:
        """End the link, or leave it to be resumed."""
        self.terms.detach(error, closed)

    def send(self, payload: bytes, settled: bool, context: object = None) -> int:  # noqa: FBT001 - hot
        """Send one message; its delivery-id. `context` comes back with the outcome.

        A message larger than a frame goes out in several, as far as the session's window lets it; the rest
        follows by itself.

        Raises:
            UsageError: there is no credit, or the link is not attached.
        """
        terms = self.terms
        if self.credit <= 0 or terms.state is not OPEN:
            raise self._unable()
        windows = terms.windows
        wire = terms.wire
        delivery_id = windows.next_delivery_id
        windows.next_delivery_id = (delivery_id + 1) & SERIAL
        self.credit -= 1
        self.delivery_count = (self.delivery_count + 1) & SERIAL
        size = len(payload)
        fits = size + MAX_TRANSFER_HEAD_SIZE <= wire.max_frame_size
        if fits and windows.remote_incoming_window > 0 and not windows.parcels:
            wire.put(self._writer.first(delivery_id, size, settled=settled, more=False))
            wire.put(payload)
            windows.next_outgoing_id = (windows.next_outgoing_id + 1) & SERIAL
            windows.remote_incoming_window -= 1
        else:
            windows.parcels.append(Parcel(self._writer, delivery_id, payload, settled))
            windows.send_parcels(wire)
        if not settled:
            windows.unsettled[delivery_id] = Unsettled(terms.handle, context)
        return delivery_id

    def abandon(self) -> None:
        """Forget what is not on the wire yet: the link has ended."""
        self.terms.windows.drop_parcels(self._writer)

    def _unable(self) -> UsageError:
        if not self.attached:
            return UsageError(f"link {self.name!r} is {self.terms.state.value}; only an attached link sends")
        return UsageError(f"link {self.name!r} has no credit; wait for CreditChanged")

    def drained(self) -> None:
        """Give up the credit that nothing is there to use, where the peer asked for it."""
        if not self.drain:
            return
        # [1.0 §2.6.7] The sender advances delivery-count past all unused credit and tells the receiver.
        self.delivery_count = (self.delivery_count + self.credit) & SERIAL
        self.credit = 0
        self.drain = False
        self._tell(drain=True)

    def take_flow(self, flow: Flow) -> None:
        """The peer's credit; told by CreditChanged."""
        if flow.link_credit is not None:
            # [1.0 §2.6.7] link-credit(snd) = delivery-count(rcv) + link-credit(rcv) - delivery-count(snd);
            # a receiver that has not seen our attach counts from our initial delivery count, 0.
            counted = flow.delivery_count if flow.delivery_count is not None else 0
            credit: i64 = (counted + flow.link_credit - self.delivery_count) & SERIAL
            self.credit = credit if credit <= HALF_SERIAL else 0
        self.drain = flow.drain and self.credit > 0
        self.terms.wire.events.append(CreditChanged(self))
        if flow.echo:
            self._tell(drain=flow.drain)

    def _tell(self, *, drain: bool) -> None:
        windows = self.terms.windows
        self.terms.wire.perform(
            Flow(
                next_incoming_id=windows.next_incoming_id,
                incoming_window=windows.incoming_window,
                next_outgoing_id=windows.next_outgoing_id,
                outgoing_window=OUTGOING_WINDOW,
                handle=self.terms.handle,
                delivery_count=self.delivery_count,
                link_credit=self.credit,
                drain=drain,
            ),
            self.terms.channel,
        )


@final
@mypyc_attr(acyclic=True)
class CreditChanged(Event):
    """A receiver told its credit, or asks for a drain: `link.credit`, `link.drain`."""

    __slots__ = ("link",)

    def __init__(self, link: SenderLink) -> None:
        self.link = link


@final
@mypyc_attr(acyclic=True)
class DeliverySettled(Event):
    """The peer told the outcome of a delivery that this side sent; the engine has settled it.

    `state` is None where the peer settled without one: the link's default outcome applies.
    """

    __slots__ = ("context", "delivery_id", "link", "state")

    def __init__(
        self, link: SenderLink, delivery_id: i64, context: object, state: DeliveryState | None
    ) -> None:
        self.link = link
        self.delivery_id: i64 = delivery_id
        self.context = context
        self.state = state
