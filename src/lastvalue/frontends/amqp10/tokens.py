"""The `$cbs` node on one connection, where Azure's clients show tokens once they are let in.

Whoever was let in as nobody in particular is the user that its token names, from then on.
"""

from typing import Final

from lastvalue.codec.amqp10.content import MessageContent
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations
from lastvalue.frontends.amqp10.requests import RequestNode, reply_to
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.sasl import ANONYMOUS_IDENTITY

CBS: Final = "$cbs"
_PUT: Final = "put-token"
_TYPES: Final = ("jwt", "amqp:jwt")


def token_node(engine: Connection, confirmations: LinkConfirmations) -> RequestNode:
    """The node of a connection."""

    def answer(content: MessageContent, link: ReceiverLink, now: int) -> tuple[MessageContent, bool]:
        del link, now
        code, text = _carry_out(engine, content)
        properties: dict[str, object] = {"status-code": code, "status-description": text}
        return reply_to(content, properties, None), False

    return RequestNode(CBS, answer, confirmations)


def _carry_out(engine: Connection, content: MessageContent) -> tuple[int, str]:
    properties = content.application_properties
    operation, kind = properties.get("operation"), properties.get("type")
    if operation != _PUT:
        return 501, f"there is no operation {operation!r}; there is {_PUT}"
    if kind not in _TYPES:
        return 400, f"a token of type {kind!r} is not taken; expected {_TYPES[0]}"
    token = content.body.decode(errors="replace") if isinstance(content.body, bytes) else str(content.body)
    user = engine.user_of(token)
    if user is None:
        return 401, "the token proves nothing here"
    if engine.identity not in (ANONYMOUS_IDENTITY, user):
        return 401, f"the connection is of {engine.identity!r} already"
    engine.identify(user)
    return 202, "accepted"
