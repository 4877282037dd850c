"""A client of a broker without a socket, whatever its protocol: what it says, and the turns of the broker."""

from abc import ABC, abstractmethod
from typing import Self

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.delivery.authentication import Authentication
from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.protocols.sasl import Authenticator


class TurningPeer(ABC):
    """One connection; a turn of the broker is over when `turn` has returned.

    Attributes:
        position: how far the journal is; `flushed` is how far of that it is safe.
        refusal: why its user may not have the connection, or None.
    """

    conversation: ProtocolConnection

    def __init__(
        self,
        broker: Broker,
        authenticator: Authenticator | None = None,
        address: str = "10.0.0.9:1",
        authentication: Authentication | None = None,
    ) -> None:
        self.broker = broker
        self.now = 1_000_000
        self.position = self.flushed = 0
        self.write_scheduled = False
        self.refusal: str | None = None
        self.reads = True
        self.context = ConnectionContext(
            broker,
            authenticator or Authenticator(),
            self._write_scheduler,
            lambda user: self.refusal,
            PeerIdentity(address),
            authentication,
        )

    def _write_scheduler(self) -> None:
        self.write_scheduled = True

    def raw(self, data: bytes) -> Self:
        """Say bytes, and have a turn."""
        self.conversation.receive(data, self.now, self.now)
        return self.turn()

    def turn(self, *, flush: bool = True) -> Self:
        """Do what a server does at the end of a round."""
        conversation = self.conversation
        for _ in range(50):
            self.write_scheduled = False
            if conversation.input_waiting and not conversation.busy:
                conversation.receive(b"", self.now, self.now)
            self.broker.pump(self.now)
            if self.broker.drain(self.now) or self.broker.definitions.drain():
                self.position += 1
            conversation.seal(self.position, self.now)
            if flush and self.reads:
                self.flushed = self.position
            conversation.confirm(self.flushed, self.now)
            self._hear(conversation.data_to_send())
            conversation.resume()
            if not (self.write_scheduled or self.broker.busy or conversation.input_waiting):
                break
        return self

    def flush(self) -> Self:
        """The journal has written everything."""
        self.reads = True
        return self.turn()

    def hold_flushes(self) -> Self:
        """The journal writes nothing until `flush`."""
        self.reads = False
        return self

    @abstractmethod
    def _hear(self, data: bytes) -> None:
        """Bytes have come from the broker."""
