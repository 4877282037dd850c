"""The credentials of a client: a password, a certificate, a token, or none."""

from lastvalue.client.tokens import OAUTHBEARER, BearerToken
from lastvalue.client.url import BrokerUrl
from lastvalue.protocols.sasl import ClientSaslExchange, Credentials


class _Certificate(ClientSaslExchange):
    """EXTERNAL [RFC 4422 appendix A]: the certificate names the user."""

    def first(self) -> bytes | None:
        return b""

    def respond(self, challenge: bytes) -> bytes:
        del challenge
        return b""

    def finish(self, proof: bytes | None) -> None:
        """TLS has proved the broker's identity already."""


def credentials(broker: BrokerUrl, *, token: str | None = None, certified: bool = False) -> Credentials:
    """The SASL mechanisms that the client can use.

    Args:
        token: a JSON Web Token; it precedes the other credentials.
        broker: the URL, with user and password if there are any.
        certified: the client may have a certificate, which is used if the URL has no user.
    """
    if token is not None:
        return Credentials(others={OAUTHBEARER: lambda: BearerToken(token)}, user="")
    if broker.user is not None:
        from lastvalue.client.scram import scram  # noqa: PLC0415 - only who has a password needs the library

        return Credentials(broker.user, broker.password, scram(broker.user, broker.password))
    return Credentials(others={"EXTERNAL": _Certificate} if certified else {})
