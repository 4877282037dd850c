"""The requests of the node `$cbs`, by which Azure's clients present tokens on an open connection.

A token makes an anonymous connection one of the user that it names.
"""

from typing import Final

from lastvalue.codec.amqp10.content import MessageContent
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.sasl import ANONYMOUS_IDENTITY

CBS: Final = "$cbs"
_MOST_CHARACTERS: Final = 64 * 1024
"""The longest token whose signature is checked."""
_PUT: Final = "put-token"
_TYPES: Final = ("jwt", "amqp:jwt")


def put_token(engine: Connection, content: MessageContent) -> tuple[int, str]:
    """Take the token of a request: the status of the reply, in HTTP's numbers, and its description."""
    properties = content.application_properties
    operation, kind = properties.get("operation"), properties.get("type")
    if operation != _PUT:
        return 501, f"there is no operation {operation!r}; expected {_PUT}"
    if kind not in _TYPES:
        return 400, f"tokens of type {kind!r} are not supported; expected {_TYPES[0]}"
    token = content.body.decode(errors="replace") if isinstance(content.body, bytes) else str(content.body)
    user = engine.user_of(token) if len(token) <= _MOST_CHARACTERS else None
    if user is None:
        return 401, "the token is not valid here"
    if engine.identity not in (ANONYMOUS_IDENTITY, user):
        return 401, f"the connection is authenticated as {engine.identity!r} already"
    refusal = None if engine.open_policy is None else engine.open_policy.admit(user)
    if refusal is not None:
        return 429, refusal
    engine.identify(user)
    return 202, "accepted"
