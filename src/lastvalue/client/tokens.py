"""OAUTHBEARER, the client's side [RFC 7628]."""

from lastvalue.protocols.sasl import ClientSaslExchange

OAUTHBEARER = "OAUTHBEARER"


class BearerToken(ClientSaslExchange):
    """One authentication by a token."""

    def __init__(self, token: str) -> None:
        self._token = token

    def first(self) -> bytes | None:
        """See ClientSaslExchange."""
        return f"n,,\x01auth=Bearer {self._token}\x01\x01".encode()

    def respond(self, challenge: bytes) -> bytes:
        """See ClientSaslExchange."""
        del challenge
        return b"\x01"

    def finish(self, proof: bytes | None) -> None:
        """The broker has nothing to prove but its certificate."""
