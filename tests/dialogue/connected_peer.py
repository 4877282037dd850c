"""A raw client of a broker in AMQP 1.0, frame by frame, behind all that a server has but the socket."""

from typing import Self

from scripted_peer import ScriptedPeer

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.codec.amqp10.frames import AMQP_HEADER, SASL_HEADER
from lastvalue.codec.amqp10.performatives import Open, Performative, SaslInit
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.sasl import Authenticator

EVERYONE = Authenticator(check=lambda user, password: True)
"""Whoever logs in by a password is that user."""


class ConnectedPeer(ScriptedPeer):
    """A raw client; a turn of the broker is over when `turn` has returned.

    Attributes:
        flushes: the journal writes in each turn; what is published is at its position 1.
    """

    def __init__(self, broker: Broker) -> None:
        # What the peer hears comes from the connection's own engine.
        super().__init__(Connection(Role.SERVER, ConnectionOptions("broker"), 0))
        self.broker = broker
        self.flushes = True
        self._joined: bytes | None = None
        identity = PeerIdentity("10.0.0.1:1")
        context = ConnectionContext(broker, EVERYONE, lambda: None, lambda _: None, identity)
        self.conversation = Amqp10Connection(context, ConnectionOptions("broker"), False, 0)

    def log_in(self, user: str) -> Self:
        """Be this user."""
        self.send(SASL_HEADER).sasl(SaslInit("PLAIN", f"\0{user}\0secret".encode()))
        self.frames_from_start()
        return self

    def connect(self, container: str = "peer") -> Self:
        """Open the connection, and begin a session."""
        self.send(AMQP_HEADER).say(Open(container_id=container)).begin()
        self.frames_from_start()
        return self

    def together(self) -> Self:
        """Send what is said from now on in one piece, with `write`."""
        self._joined = b""
        return self

    def write(self) -> Self:
        """Send what was said since `together`."""
        joined, self._joined = self._joined, None
        return self.send(joined or b"")

    def send(self, data: bytes) -> Self:
        """See ScriptedPeer."""
        if self._joined is not None:
            self._joined += data
            return self
        self.conversation.receive(data, self.now, self.now)
        return self.turn()

    def turn(self) -> Self:
        """Have turns until nothing waits for another one."""
        conversation = self.conversation
        for _ in range(20):
            if conversation.input_waiting and not conversation.busy:
                conversation.receive(b"", self.now, self.now)
            self.broker.pump(self.now)
            self.broker.drain(self.now)
            self.broker.definitions.drain()
            conversation.seal(1, self.now)
            conversation.confirm(1 if self.flushes else 0, self.now)
            self.overhear(conversation.data_to_send())
            conversation.resume()
            if not self.broker.busy and (conversation.busy or not conversation.input_waiting):
                break
        return self

    def said(self) -> list[type[Performative] | None]:
        """The kinds of all frames that came."""
        return [None if each.performative is None else type(each.performative) for each in self.frames()]
