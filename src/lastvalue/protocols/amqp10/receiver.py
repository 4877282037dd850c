"""Links on which this side receives [1.0 §2.6.7, §2.6.14]."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.dispositions import encode_disposition
from lastvalue.codec.amqp10.performatives import (
    RECEIVER_SECOND,
    ROLE_RECEIVER,
    AmqpError,
    Attach,
    Coordinator,
    DeliveryState,
    Flow,
    Source,
    Target,
)
from lastvalue.codec.amqp10.transfers import ABSENT, TransferHead
from lastvalue.codec.amqp10.values import Described
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.faults import LinkFault
from lastvalue.protocols.amqp10.terms import Terms
from lastvalue.protocols.amqp10.windows import HALF_SERIAL, OUTGOING_WINDOW, SERIAL
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.engine import UsageError


@final
class ReceiverLink:
    """A link on which this side receives.

    Attributes:
        credit: messages the peer may still send.
        credit_window: where over 0, credit is raised to it whenever half of it is used.
        context: the owner's own.
    """

    __slots__ = (
        "_format",
        "_gathered",
        "_gathering",
        "_id",
        "_parts",
        "_settled",
        "_tag",
        "context",
        "credit",
        "credit_window",
        "delivery_count",
        "max_message_size",
        "second",
        "terms",
    )

    def __init__(self, terms: Terms, max_message_size: int) -> None:
        self.terms = terms
        self.max_message_size: i64 = max_message_size
        self.credit: i64 = 0
        self.credit_window: i64 = 0
        self.delivery_count: i64 = 0
        self.second = False
        self.context: object = None
        self._gathering = False
        self._gathered: i64 = 0
        self._parts: list[bytes] = []
        self._id: i64 = 0
        self._tag = b""
        self._format: i64 = 0
        self._settled = False

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

    def accept(self, source: Source | None, target: Target | Coordinator | Described | None) -> None:
        """Server side: attach in answer to the peer, with the termini as they are in truth."""
        remote = self.terms.remote
        if remote is None:
            raise UsageError(f"link {self.name!r} was not attached by the peer")
        self.second = remote.rcv_settle_mode == RECEIVER_SECOND
        self.terms.answer(
            Attach(
                name=self.name,
                handle=self.terms.handle,
                role=ROLE_RECEIVER,
                snd_settle_mode=remote.snd_settle_mode,
                rcv_settle_mode=remote.rcv_settle_mode,
                source=source,
                target=target,
                max_message_size=self.max_message_size or None,
            )
        )

    def refuse(self, error: AmqpError) -> None:
        """Server side: answer with no target, and detach at once [1.0 §2.6.3]."""
        self.accept(self.terms.remote.source if self.terms.remote is not None else None, None)  # type: ignore[arg-type]
        self.terms.detach(error, closed=True)

    def detach(self, error: AmqpError | None = None, *, closed: bool = True) -> None:
        """End the link, or leave it to be resumed."""
        self.terms.detach(error, closed)

    def add_credit(self, messages: int) -> None:
        """Let the peer send so many more."""
        self.credit += messages
        self._tell(drain=False)

    def request_drain(self) -> None:
        """Ask the peer to use its credit now or to give it up; Drained tells that it did."""
        self._tell(drain=True)

    def settle(self, first: int, last: int, state: DeliveryState | None) -> None:
        """Tell the outcome of the deliveries first to last.

        It settles them, unless the link asks that the sender settle first (rcv-settle-mode second).
        """
        terms = self.terms
        terms.wire.put(
            encode_disposition(terms.channel, first, last, state, role=ROLE_RECEIVER, settled=not self.second)
        )

    def take(self, head: TransferHead, payload: bytes) -> None:
        """One transfer frame of the peer's."""
        if not self._gathering:
            if self.credit <= 0:
                raise LinkFault(
                    Condition.TRANSFER_LIMIT_EXCEEDED, f"link {self.name!r} has no credit for this delivery"
                )
            if head.delivery_id == ABSENT:
                raise LinkFault(Condition.INVALID_FIELD, "the first transfer of a delivery has a delivery-id")
            self.credit -= 1
            self.delivery_count = (self.delivery_count + 1) & SERIAL
            if not head.more and not head.aborted:
                tag = head.tag
                if 0 < self.max_message_size < len(payload):
                    raise self._too_large()
                self.terms.wire.events.append(
                    Delivery(self, head.delivery_id, b"" if tag is None else tag, head.settled, payload)
                )
                if self.credit_window > 0 and self.credit * 2 <= self.credit_window:
                    self.add_credit(self.credit_window - self.credit)
                return
            self._begin(head)
        self._gather(head, payload)

    def _begin(self, head: TransferHead) -> None:
        self._gathering = True
        self._id = head.delivery_id
        self._tag = b"" if head.tag is None else head.tag
        self._settled = False

    def _gather(self, head: TransferHead, payload: bytes) -> None:
        if head.delivery_id not in (ABSENT, self._id):
            raise LinkFault(
                Condition.INVALID_FIELD, f"delivery {self._id} is not complete; finish or abort it"
            )
        # [1.0 §2.7.5] A delivery is settled if any of its transfers says so.
        self._settled = self._settled or head.settled
        if payload:
            self._parts.append(payload)
        self._gathered += len(payload)
        if 0 < self.max_message_size < self._gathered:
            raise self._too_large()
        if head.more and not head.aborted:
            return
        whole = b"".join(self._parts)
        self._forget()
        if not head.aborted:
            self.terms.wire.events.append(Delivery(self, self._id, self._tag, self._settled, whole))
        if self.credit_window > 0 and self.credit * 2 <= self.credit_window:
            self.add_credit(self.credit_window - self.credit)

    def _forget(self) -> None:
        self._gathering = False
        self._parts = []
        self._gathered = 0

    def _too_large(self) -> LinkFault:
        self._forget()
        return LinkFault(
            Condition.MESSAGE_SIZE_EXCEEDED, f"a message may have {self.max_message_size} bytes on this link"
        )

    def take_flow(self, flow: Flow) -> None:
        """The sender's account of the link; Drained tells that it gave up its credit."""
        if flow.delivery_count is not None:
            used: i64 = (flow.delivery_count - self.delivery_count) & SERIAL
            if 0 < used <= HALF_SERIAL:
                self.delivery_count = flow.delivery_count
                self.credit = self.credit - used if used < self.credit else 0
        if flow.drain and self.credit == 0:
            self.terms.wire.events.append(Drained(self))
        if flow.echo:
            self._tell(drain=False)

    def _tell(self, *, drain: bool) -> None:
        terms = self.terms
        windows = terms.windows
        terms.wire.perform(
            Flow(
                next_incoming_id=windows.next_incoming_id,
                incoming_window=windows.incoming_window,
                next_outgoing_id=windows.next_outgoing_id,
                outgoing_window=OUTGOING_WINDOW,
                handle=terms.handle,
                delivery_count=self.delivery_count,
                link_credit=self.credit,
                drain=drain,
            ),
            terms.channel,
        )


@final
@mypyc_attr(acyclic=True)
class Delivery(Event):
    """A whole message came.

    Attributes:
        settled: the sender wants no outcome.
        payload: the message's sections, as they came.
    """

    __slots__ = ("delivery_id", "link", "payload", "settled", "tag")

    def __init__(
        self,
        link: ReceiverLink,
        delivery_id: i64,
        tag: bytes,
        settled: bool,  # noqa: FBT001 - built for every message, positionally
        payload: bytes,
    ) -> None:
        self.link = link
        self.delivery_id: i64 = delivery_id
        self.tag = tag
        self.settled = settled
        self.payload = payload


@final
@mypyc_attr(acyclic=True)
class Drained(Event):
    """The sender used or gave up the credit it was asked to."""

    __slots__ = ("link",)

    def __init__(self, link: ReceiverLink) -> None:
        self.link = link
