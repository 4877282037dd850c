"""How a CONNECT proves who its client is: by a user name and password, a token, or an exchange of AUTH."""

from typing import Final

from lastvalue.codec.mqtt.errors import MqttError, protocol_error
from lastvalue.codec.mqtt.packets import Connect
from lastvalue.codec.mqtt.properties import PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.protocols.sasl import (
    ANONYMOUS,
    EXTERNAL,
    PLAIN,
    Authenticator,
    SaslExchange,
    SaslStep,
)

BEARER: Final = "OAUTHBEARER"
"""The mechanism by which a token is shown; in a CONNECT one may also stand as the password alone."""


def begin_login(authenticator: Authenticator, connect: Connect) -> tuple[str, SaslExchange, bytes | None]:
    """The mechanism that a client chose, its exchange, and the first response.

    Raises:
        MqttError: the mechanism is not offered, or its data come without it.
    """
    properties = connect.properties
    method = properties.text(PropertyId.AUTHENTICATION_METHOD)
    response = properties.octets(PropertyId.AUTHENTICATION_DATA)
    if method is None and response is not None:
        raise protocol_error("[MQTT 5.0 §3.1.2.11.10] authentication data need an authentication method")
    if method is None:
        method, response = _unnamed_method(authenticator, connect)
    exchange = _begin(authenticator, method, response)
    if exchange is None:
        offered = ", ".join(authenticator.mechanisms)
        raise MqttError(
            ReasonCode.BAD_AUTHENTICATION_METHOD
            if PropertyId.AUTHENTICATION_METHOD in properties.values
            else ReasonCode.NOT_AUTHORIZED,
            f"[MQTT-4.12.0-1] {method} is not offered here; {offered or 'nothing'} is",
        )
    return method, exchange, response


def _unnamed_method(authenticator: Authenticator, connect: Connect) -> tuple[str, bytes | None]:
    """The mechanism that stands for a CONNECT without one, and its response."""
    user, password = connect.user_name, connect.password
    if user is None and password is None:
        return (EXTERNAL if EXTERNAL in authenticator.others else ANONYMOUS), b""
    if user is None or (not user and authenticator.token is not None):
        return BEARER, password or b""
    return PLAIN, b"\0" + user.encode() + b"\0" + (password or b"")


def _begin(authenticator: Authenticator, method: str, response: bytes | None) -> SaslExchange | None:
    if method == BEARER and authenticator.token is not None and response and not response.startswith(b"n,"):
        return _Token(authenticator)
    if method == PLAIN and authenticator.open_to_all:
        # Clients show a name and a password even where they need none.
        return authenticator.begin(ANONYMOUS)
    return authenticator.begin(method)


class _Token(SaslExchange):
    """A token alone."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    def step(self, response: bytes | None) -> SaslStep:
        """See SaslExchange."""
        check = self._authenticator.token
        token = (response or b"").decode("ascii", "replace")
        return SaslStep(identity=None if check is None else check(token))
