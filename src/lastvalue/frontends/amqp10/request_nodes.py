"""The nodes of one connection that answer requests: `$management`, `/management` and `$cbs`."""

from collections.abc import Callable, Mapping
from typing import Final, final

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import MANAGEMENT_NODE, Request, Response, manage
from lastvalue.broker.requests.path_requests import PATH_NODE, manage_path
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.codec.amqp10.content import MessageContent
from lastvalue.codec.amqp10.message import read_message
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations
from lastvalue.frontends.amqp10.requests import (
    Awaited,
    ReplyAddress,
    ReplyNodes,
    RequestHandler,
    RequestNode,
    reply_to,
)
from lastvalue.frontends.amqp10.tokens import CBS, put_token
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.receiver import ReceiverLink

REQUEST_ADDRESSES: Final = (MANAGEMENT_NODE, PATH_NODE, CBS)
"""Where requests may be answered: tokens are only where they are taken."""

ON_BEHALF_OF: Final = "on-behalf-of"
"""The application property in which a gateway says for whom it asks."""


@final
class RequestNodes(ReplyNodes):
    """The nodes of one connection that answer requests; each is made at its first use.

    Args:
        engine: the connection's.
        broker: that clients manage.
        identify: the owner that sends on a link.
        confirmations: of the connection.
    """

    __slots__ = ("_broker", "_confirmations", "_engine", "_identify", "_nodes")

    def __init__(
        self,
        engine: Connection,
        broker: Broker,
        identify: Callable[[ReceiverLink], Owner],
        confirmations: LinkConfirmations,
    ) -> None:
        self._engine = engine
        self._broker = broker
        self._identify = identify
        self._confirmations = confirmations
        self._nodes: dict[str, RequestNode] = {}

    def close(self) -> None:
        """The connection is gone; it is freed at once, not by the garbage collector."""
        self._identify = _nobody
        self._nodes = {}

    def node_at(self, address: str | None) -> RequestNode | None:
        """The node that answers requests at an address, or None."""
        if address is None:
            return None
        node = self._nodes.get(address)
        if node is None:
            answer = self._answer_at(address)
            if answer is None:
                return None
            node = RequestNode(address, answer, self._confirmations, self)
            self._nodes[address] = node
        return node

    def at(self, address: str, requester: ReceiverLink) -> ReplyAddress | None:
        """See ReplyNodes."""
        node = self._broker.resolve(address)
        owner = self._identify(requester)
        self._broker.authorization.check_address(owner, Verb.PUBLISH, address, node)
        if node is None:
            return None
        self._broker.authorize(owner, Verb.PUBLISH, node.name)
        return ReplyAddress(address, owner)

    def publish(self, reply: ReplyAddress, payload: bytes, now: int) -> None:
        """See ReplyNodes."""
        broker = self._broker
        node = broker.resolve(reply.address)
        if node is None:
            return
        try:
            target = broker.target(node, reply.requester)
            broker.route(target, node.subject or "", read_message(payload), now)
            broker.release(target)
        except LastvalueError:
            # The right was taken away, or the queue does not take such a message.
            return

    def _answer_at(self, address: str) -> RequestHandler | None:
        if address == MANAGEMENT_NODE:
            return self._manage
        if address == PATH_NODE:
            return self._manage_path
        return self._take_token if address == CBS and self._engine.takes_tokens else None

    def _manage(
        self, content: MessageContent, link: ReceiverLink, now: int
    ) -> tuple[MessageContent, Awaited]:
        owner = self._identify(link)
        asker = content.application_properties.get(ON_BEHALF_OF)
        if asker is not None and owner is not NOBODY:
            owner.on_behalf_of = str(asker)
        response = manage(self._broker, _request(content), now, owner)
        properties: dict[str, object] = {
            "statusCode": response.status,
            "statusDescription": response.description,
        }
        if response.condition:
            properties["errorCondition"] = response.condition
        return reply_to(content, properties, response.body), self._awaited(response, link)

    def _manage_path(
        self, content: MessageContent, link: ReceiverLink, now: int
    ) -> tuple[MessageContent, Awaited]:
        """[RabbitMQ] The subject is the method, and the message is sent to a path."""
        method, path = content.subject or "", content.to or ""
        response = manage_path(self._broker, method, path, content.body, now, self._identify(link))
        return reply_to(content, {}, response.body, str(response.status)), self._awaited(response, link)

    def _awaited(self, response: Response, link: ReceiverLink) -> Awaited:
        """Whether the reply waits until the request is carried out and the journal has what it changed."""
        broker = self._broker
        connection = self._identify(link).connection
        commands = broker.long_commands
        if response.awaits_flush or broker.definitions.waiting or commands.changes_for(connection):
            return Awaited.JOURNAL
        return Awaited.COMMAND if commands.runs_for(connection) else Awaited.NOTHING

    def _take_token(
        self, content: MessageContent, link: ReceiverLink, now: int
    ) -> tuple[MessageContent, Awaited]:
        del link, now
        code, text = put_token(self._engine, content)
        return reply_to(content, {"status-code": code, "status-description": text}, None), Awaited.NOTHING


def _nobody(link: ReceiverLink) -> Owner:
    del link
    return NOBODY


def _request(content: MessageContent) -> Request:
    properties = content.application_properties
    body = content.body
    return Request(
        operation=str(properties.get("operation", "")),
        type=str(properties.get("type", "")),
        name=str(properties.get("name", "")),
        body={str(key): value for key, value in body.items()} if isinstance(body, Mapping) else {},
    )
