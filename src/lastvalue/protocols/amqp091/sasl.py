"""Authentication in AMQP 0-9-1: the broker's mechanisms, and the old AMQPLAIN."""

from collections.abc import Callable
from typing import Final

from pamqp import decode

from lastvalue.protocols.sasl import (
    ANONYMOUS,
    ANONYMOUS_IDENTITY,
    PLAIN,
    Authenticator,
    SaslExchange,
    SaslStep,
)

AMQPLAIN: Final = "AMQPLAIN"


def offered_mechanisms(authenticator: Authenticator) -> tuple[str, ...]:
    """The mechanisms, the preferred ones first.

    Clients of AMQP 0-9-1 send a name and a password even where they need none, so PLAIN is offered.
    """
    if PLAIN in authenticator.mechanisms:
        return (*authenticator.mechanisms, AMQPLAIN)
    return (
        (PLAIN, AMQPLAIN, *authenticator.mechanisms)
        if authenticator.open_to_all
        else (authenticator.mechanisms)
    )


def begin_sasl(authenticator: Authenticator, mechanism: str) -> SaslExchange | None:
    """An exchange by this mechanism, or None if it is not offered."""
    if mechanism in (PLAIN, AMQPLAIN) and authenticator.open_to_all:
        return authenticator.begin(ANONYMOUS)
    if mechanism != AMQPLAIN:
        return authenticator.begin(mechanism)
    plain = authenticator.begin(PLAIN)
    return None if plain is None else _Amqplain(plain.step)


class _Amqplain(SaslExchange):
    """AMQPLAIN: a table without its size, with LOGIN and PASSWORD; else as PLAIN."""

    def __init__(self, plain: Callable[[bytes | None], SaslStep]) -> None:
        self._plain = plain

    def step(self, response: bytes | None) -> SaslStep:
        """See SaslExchange."""
        if response is None:
            return self._plain(None)
        octets = response
        try:
            said = decode.field_table(len(octets).to_bytes(4, "big") + octets)[1]
        except (ValueError, IndexError, TypeError, RecursionError, KeyError):
            said = {}
        name, password = said.get("LOGIN"), said.get("PASSWORD")
        return self._plain(b"\0".join((b"", str(name).encode(), str(password).encode())))


__all__ = ["AMQPLAIN", "ANONYMOUS_IDENTITY", "begin_sasl", "offered_mechanisms"]
