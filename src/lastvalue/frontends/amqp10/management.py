"""The `$management` node on one connection: what comes to it in messages."""

from collections.abc import Callable, Mapping

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import MANAGEMENT_NODE, Request, Response, manage
from lastvalue.broker.owner import Owner
from lastvalue.codec.amqp10.content import MessageContent
from lastvalue.frontends.amqp10.confirmations import Confirmations
from lastvalue.frontends.amqp10.requests import RequestNode, reply_to
from lastvalue.protocols.amqp10.receiver import ReceiverLink


def management_node(
    broker: Broker, identify: Callable[[ReceiverLink], Owner], confirmations: Confirmations
) -> RequestNode:
    """The node of a broker; `identify` tells who asks on a link."""

    def answer(content: MessageContent, link: ReceiverLink, now: int) -> tuple[MessageContent, bool]:
        response = manage(broker, _request(content), now, identify(link))
        return _reply(content, response), response.kept or broker.definitions.waiting

    return RequestNode(MANAGEMENT_NODE, answer, confirmations)


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
