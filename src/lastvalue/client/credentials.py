"""As whom a client connects: a password that it proves to know, a certificate, or nobody."""

from lastvalue.client.scram import scram
from lastvalue.client.tokens import OAUTHBEARER, BearerToken
from lastvalue.client.url import BrokerUrl
from lastvalue.protocols.sasl import ClientSaslExchange, Credentials


class _Certificate(ClientSaslExchange):
    """EXTERNAL [RFC 4422 appendix A]: whom the certificate names."""

    def first(self) -> bytes | None:
        return b""

    def respond(self, challenge: bytes) -> bytes:  # noqa: ARG002 - the interface has it
        return b""

    def finish(self, proof: bytes | None) -> None:
        """The broker has nothing to prove: TLS did."""


def credentials(broker: BrokerUrl, *, token: str | None = None, certified: bool = False) -> Credentials:
    """The mechanisms that a URL's user can use.

    Args:
        token: by which the broker can know the client; it goes before all else.
        broker: with the user, if there is one.
        certified: the client may have a certificate, by which the broker can know it where no user is named.
    """
    if token is not None:
        return Credentials(others={OAUTHBEARER: lambda: BearerToken(token)}, user="")
    if broker.user is not None:
        return Credentials(broker.user, broker.password, scram(broker.user, broker.password))
    return Credentials(others={"EXTERNAL": _Certificate} if certified else {})
