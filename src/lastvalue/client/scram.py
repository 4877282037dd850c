"""SCRAM, the client's side [RFC 5802, RFC 7677]: both sides prove a secret, and no password is sent."""

from collections.abc import Callable
from functools import partial

from scramp import ScramClient, ScramException

from lastvalue.protocols.sasl import ClientSaslExchange
from lastvalue.protocols.scram_credential import SCRAM_MECHANISMS


class ScramProof(ClientSaslExchange):
    """One authentication by SCRAM."""

    def __init__(self, mechanism: str, user: str, password: str) -> None:
        self._client = ScramClient([mechanism], user, password)

    def first(self) -> bytes | None:
        """See ClientSaslExchange."""
        return str(self._client.get_client_first()).encode()

    def respond(self, challenge: bytes) -> bytes:
        """See ClientSaslExchange."""
        try:
            self._client.set_server_first(challenge.decode())
            return str(self._client.get_client_final()).encode()
        except ScramException as error:
            raise ValueError(str(error)) from error

    def finish(self, proof: bytes | None) -> None:
        """See ClientSaslExchange."""
        try:
            self._client.set_server_final((proof or b"").decode())
        except ScramException as error:
            raise ValueError(str(error)) from error


def scram(user: str, password: str) -> dict[str, Callable[[], ClientSaslExchange]]:
    """The SCRAM mechanisms for a user and password, the strongest first."""
    return {name: partial(ScramProof, name, user, password) for name in SCRAM_MECHANISMS}
