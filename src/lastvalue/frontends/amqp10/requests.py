"""A node that answers requests on one connection: requests come on links to it, replies leave on others."""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from enum import Enum, unique
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import SENDER_UNSETTLED, Accepted, AmqpError, Rejected
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations, takes_rejected
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink

MAX_WAITING_REPLIES = 1000
"""Unread replies of one connection, beyond which requests are refused."""

_NULL_BODY: Final = b"\x00\x53\x77\x40"


@unique
class Awaited(Enum):
    """What a reply waits for."""

    NOTHING = "nothing"
    COMMAND = "the end of a long command"
    JOURNAL = "the journal, and the end of a long command"


RequestHandler: TypeAlias = Callable[[MessageContent, ReceiverLink, int], tuple[MessageContent, Awaited]]
"""Carries out a request of a link: the reply, and what it waits for."""


@final
class ReplyAddress:
    """A queue or an exchange to which a reply is published, with the rights of who asked."""

    __slots__ = ("address", "requester")

    def __init__(self, address: str, requester: Owner) -> None:
        self.address = address
        self.requester = requester


@mypyc_attr(allow_interpreted_subclasses=True)
class ReplyNodes:
    """The queues and exchanges to which replies are published."""

    __slots__ = ()

    @abstractmethod
    def at(self, address: str, requester: ReceiverLink) -> ReplyAddress | None:
        """The node of this address, or None.

        Raises:
            NotPermittedError: who asks on this link may not publish to it.
        """
        raise NotImplementedError

    @abstractmethod
    def publish(self, reply: ReplyAddress, payload: bytes, now: int) -> None:
        """Publish a reply, unless the node has gone or does not take it."""
        raise NotImplementedError


@final
class RequestNode:
    """Requests and replies of one connection.

    A reply goes to the link whose target address is the request's reply-to; or [Broker-J] to the queue or
    exchange of that name, such as a temporary queue; or to the only link. Where the request changed something
    durable, the reply waits for the journal; replies keep the requests' order.

    Args:
        name: the node's.
        answer: carries requests out.
        confirmations: of the connection.
        nodes: to which replies may be published.
    """

    __slots__ = (
        "_answer", "_confirmations", "_links", "_name", "_nodes", "_replies", "_waiting", "_waiting_durable"
    )  # fmt: skip

    def __init__(
        self, name: str, answer: RequestHandler, confirmations: LinkConfirmations, nodes: ReplyNodes
    ) -> None:
        self._name = name
        self._answer = answer
        self._nodes = nodes
        self._confirmations = confirmations
        self._links: dict[int, tuple[SenderLink, str | None]] = {}
        self._replies: deque[tuple[SenderLink, bytes]] = deque()
        self._waiting: i64 = 0
        self._waiting_durable: i64 = 0

    def add_reply_link(self, link: SenderLink, address: str | None) -> None:
        """Replies to this address leave on this link."""
        self._links[id(link)] = (link, address)

    def remove_reply_link(self, link: SenderLink) -> None:
        """A link has ended; replies that wait for it are dropped."""
        self._links.pop(id(link), None)
        dropped = [payload for to, payload in self._replies if to is link]
        link.link_state.wire.memory.release(sum([len(payload) for payload in dropped]))
        self._replies = deque(reply for reply in self._replies if reply[0] is not link)

    def take(self, delivery: Delivery, now: i64) -> None:
        """Carry out one request."""
        link = delivery.link
        refusal = self._carry_out(delivery, now)
        if refusal is not None and (delivery.settled or not takes_rejected(link)):
            link.detach(refusal)
        elif not delivery.settled:
            state = Accepted() if refusal is None else Rejected(refusal)
            link.settle(delivery.delivery_id, delivery.delivery_id, state)
        self.send_replies()

    def _carry_out(self, delivery: Delivery, now: i64) -> AmqpError | None:
        try:
            check_structure(delivery.payload)
            content = decode_content(_in_order(delivery.payload))
            destination = self._destination(content.reply_to, delivery.link)
        except LastvalueError as fault:
            return AmqpError(fault.condition.amqp10, str(fault))
        if destination is None:
            text = (
                f"attach a link from {self._name} first, and set reply-to to its target address; "
                "or set it to a queue's name"
            )
            return AmqpError(Condition.PRECONDITION_FAILED.amqp10, text)
        if len(self._replies) + self._waiting >= MAX_WAITING_REPLIES:
            return AmqpError(Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, "read the replies that wait first")
        reply, awaited = self._answer(content, delivery.link, now)
        memory = delivery.link.link_state.wire.memory
        if awaited is not Awaited.NOTHING or self._waiting > 0:
            durable = awaited is Awaited.JOURNAL or self._waiting_durable > 0
            self._waiting += 1
            self._waiting_durable += 1 if durable else 0

            def release(later: int) -> None:
                self._waiting_durable -= 1 if durable else 0
                self._release(destination, reply, memory, later)

            self._confirmations.answer(release, durable)
            return None
        return self._reply_encoded(destination, reply, memory, now)

    def _release(
        self, destination: SenderLink | ReplyAddress, reply: MessageContent, memory: MemoryAccount, now: i64
    ) -> None:
        """The request is carried out, and the journal has what the reply confirms."""
        self._waiting -= 1
        fault = self._reply_encoded(destination, reply, memory, now)
        if fault is not None and not isinstance(destination, ReplyAddress) and id(destination) in self._links:
            # The peer has an accepted request, so its reader learns that the answer is missing.
            destination.detach(fault)
            self.remove_reply_link(destination)
        self.send_replies()

    def _reply_encoded(
        self, destination: SenderLink | ReplyAddress, reply: MessageContent, memory: MemoryAccount, now: i64
    ) -> AmqpError | None:
        """Encode a reply, which a long command has completed only now, and count its memory."""
        payload = encode_content(reply)
        try:
            # It is given back when the reply is sent or dropped.
            memory.take(len(payload))
        except MemoryLimitError as fault:
            return AmqpError(fault.condition.amqp10, str(fault))
        self._reply(destination, payload, memory, now)
        return None

    def _reply(
        self, destination: SenderLink | ReplyAddress, payload: bytes, memory: MemoryAccount, now: i64
    ) -> None:
        if not isinstance(destination, ReplyAddress) and id(destination) in self._links:
            self._replies.append((destination, payload))
            return
        memory.release(len(payload))
        if isinstance(destination, ReplyAddress):
            self._nodes.publish(destination, payload, now)

    def _destination(self, address: str | None, requester: ReceiverLink) -> SenderLink | ReplyAddress | None:
        """The link or the node that a reply goes to, or None."""
        if address is not None:
            for link, link_address in self._links.values():
                if link_address == address:
                    return link
            node = self._nodes.at(address, requester)
            if node is not None:
                return node
        return next(iter(self._links.values()))[0] if len(self._links) == 1 else None

    def send_replies(self) -> None:
        """Send the replies for which the links have credit."""
        unsent: deque[tuple[SenderLink, bytes]] = deque()
        while self._replies:
            link, payload = self._replies.popleft()
            if link.attached and link.sendable():
                link.link_state.wire.memory.release(len(payload))
                link.send(payload, link.asked().snd_settle_mode != SENDER_UNSETTLED)
            else:
                unsent.append((link, payload))
        self._replies = unsent
        for link, _ in self._links.values():
            if link.drain and not any(waiting[0] is link for waiting in unsent):
                link.drained()


def _in_order(payload: bytes) -> bytes:
    """[RabbitMQ's client for Python] A null body is sent before the sections that precede a body."""
    if payload.startswith(_NULL_BODY):
        return payload[len(_NULL_BODY) :] + _NULL_BODY
    return payload


def reply_to(
    request: MessageContent, properties: dict[str, object], body: object, subject: str | None = None
) -> MessageContent:
    """The reply to a request."""
    correlation = request.correlation_id if request.correlation_id is not None else request.message_id
    return MessageContent(
        to=request.reply_to,
        subject=subject,
        correlation_id=correlation,
        application_properties=properties,
        body=body,
    )
