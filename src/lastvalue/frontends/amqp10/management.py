"""The nodes `$management` and `/management` on one connection: what comes to them in messages."""

from collections.abc import Callable, Mapping
from typing import Final, final

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import MANAGEMENT_NODE, Request, Response, manage
from lastvalue.broker.owner import Owner
from lastvalue.broker.path_requests import PATH_NODE, manage_path
from lastvalue.codec.amqp10.content import MessageContent
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations
from lastvalue.frontends.amqp10.requests import RequestNode, reply_to
from lastvalue.frontends.amqp10.tokens import CBS, token_node
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.receiver import ReceiverLink

_NODES: Final = (MANAGEMENT_NODE, PATH_NODE, CBS)


def management_node(
    broker: Broker, identify: Callable[[ReceiverLink], Owner], confirmations: LinkConfirmations
) -> RequestNode:
    """The node of a broker; `identify` tells who asks on a link."""

    def answer(content: MessageContent, link: ReceiverLink, now: int) -> tuple[MessageContent, bool]:
        response = manage(broker, _request(content), now, identify(link))
        return _reply(content, response), response.kept or broker.definitions.waiting

    return RequestNode(MANAGEMENT_NODE, answer, confirmations)


def path_node(
    broker: Broker, identify: Callable[[ReceiverLink], Owner], confirmations: LinkConfirmations
) -> RequestNode:
    """The same for RabbitMQ's clients: a request's subject is the method, and it is sent to a path."""

    def answer(content: MessageContent, link: ReceiverLink, now: int) -> tuple[MessageContent, bool]:
        method, path = content.subject or "", content.to or ""
        response = manage_path(broker, method, path, content.body, now, identify(link))
        reply = reply_to(content, {}, response.body, str(response.status))
        return reply, response.kept or broker.definitions.waiting

    return RequestNode(PATH_NODE, answer, confirmations)


@final
class RequestNodes:
    """The nodes of one connection that answer requests, each made when it is first asked for.

    Args:
        engine: the connection's.
        broker: that is managed.
        identify: tells who asks on a link.
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

    def node_at(self, address: str | None) -> RequestNode | None:
        """What answers requests at an address, or None where nothing does."""
        if address is None or address not in _NODES:
            return None
        node = self._nodes.get(address)
        if node is None:
            if address == MANAGEMENT_NODE:
                node = management_node(self._broker, self._identify, self._confirmations)
            elif address == PATH_NODE:
                node = path_node(self._broker, self._identify, self._confirmations)
            elif self._engine.takes_tokens:
                node = token_node(self._engine, self._confirmations)
            else:
                return None
            self._nodes[address] = node
        return node


def _request(content: MessageContent) -> Request:
    properties = content.application_properties
    body = content.body
    return Request(
        operation=str(properties.get("operation", "")),
        type=str(properties.get("type", "")),
        name=str(properties.get("name", "")),
        body={str(key): value for key, value in body.items()} if isinstance(body, Mapping) else {},
    )


def _reply(request: MessageContent, response: Response) -> MessageContent:
    properties: dict[str, object] = {"statusCode": response.status, "statusDescription": response.description}
    if response.condition:
        properties["errorCondition"] = response.condition
    return reply_to(request, properties, response.body)
