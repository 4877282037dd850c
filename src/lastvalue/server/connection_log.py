"""What the log has of one connection: that it opened or was refused, and why it ended."""

from collections.abc import Callable
from typing import Final, NamedTuple

from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.codec.mqtt.frames import begins_mqtt
from lastvalue.delivery.protocol_connection import ProtocolConnection
from lastvalue.model.peer_host import network_of
from lastvalue.protocols.engine import GONE
from lastvalue.server.log_events import (
    AUDIT_LOGIN,
    AUDIT_LOGIN_FAILED,
    CONNECTION_CLOSED,
    CONNECTION_OPENED,
    CONNECTION_REFUSED,
    CONNECTION_SILENT,
    LogEvent,
)
from lastvalue.server.login import Login
from lastvalue.server.versions import HEADER_SIZE

TLS_ON_PLAIN_PORT: Final = "TLS on a port without TLS"
HTTP_ON_AMQP_PORT: Final = "HTTP on a port for AMQP"
NOT_AMQP: Final = "bytes that are not AMQP"
ORDERLY: Final = "closed by the peer"

_AMQP: Final = b"AMQP"
_TLS_HANDSHAKE: Final = b"\x16\x03"
_HTTP: Final = (b"GET ", b"PUT ", b"POST", b"HEAD", b"DELE", b"OPTI", b"CONN", b"PATC", b"TRAC", b"PRI ")


class PeerAddress(NamedTuple):
    """Where a peer is: its address, which is empty where it has none, and its port."""

    host: str
    port: int

    @property
    def network(self) -> str:
        """By what limits count the peer."""
        return network_of(self.host)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class ConnectionLog:
    """Logs one connection, at its opening and at its end.

    Attributes:
        peer: what is known of it; the protocol says more when it opens.
        cause: why this side ends the connection; empty where the protocol knows, or the peer ended it.
    """

    __slots__ = ("_claimed", "_made_ms", "_user", "cause", "peer")

    def __init__(self, address: PeerAddress, made_ms: int) -> None:
        self.peer = PeerIdentity(str(address))
        self.cause = ""
        self._made_ms = made_ms
        self._user: str | None = None
        self._claimed = ""

    def entered(self, user: str, refusal: str | None, later: Callable[[Callable[[], None]], object]) -> None:
        """The connection opens for a user, or becomes another's, or is refused one more.

        `later` more is known of it.
        """
        self._claimed = user
        if refusal is None:
            later(self._opened if self._user is None else self._signed_in)
            self._user = user

    def _opened(self) -> None:
        self._tell(CONNECTION_OPENED, AUDIT_LOGIN)

    def _signed_in(self) -> None:
        self._tell(AUDIT_LOGIN)

    def _tell(self, *events: LogEvent) -> None:
        peer = self.peer
        for event in events:
            event.log(
                connection=peer.connection,
                peer=peer.address,
                user=self._user,
                protocol=peer.protocol,
                client=peer.client,
                mechanism=peer.mechanism or None,
            )

    def ended(
        self,
        protocol: ProtocolConnection | None,
        login: Login | None,
        first: bytes | None,
        fault: Exception | None,
        now_ms: int,
    ) -> bool:
        """Log the end, by what is known of it; whether the peer was refused for its credentials.

        Args:
            protocol: of the connection; None if it has not come to one.
            login: of the peer.
            first: its first bytes, where the port is for AMQP itself.
            fault: by which the socket was lost.
            now_ms: the time of connections.
        """
        peer = self.peer
        said = "" if protocol is None else protocol.end_cause
        if fault is not None and said in ("", GONE):
            said = f"the connection was lost: {getattr(fault, 'strerror', None) or fault}"
        if self._user is not None and protocol is not None:
            CONNECTION_CLOSED.log(
                connection=peer.connection,
                peer=peer.address,
                user=self._user,
                protocol=peer.protocol,
                client=peer.client,
                cause=self.cause or said or ORDERLY,
                seconds=round((now_ms - self._made_ms) / 1000, 3),
                bytes_in=int(protocol.bytes_in),
                bytes_out=int(protocol.bytes_out),
            )
            return False
        failure = "" if login is None else login.failure
        cause = self.cause or failure or foreign_bytes(first) or said
        claimed = self._claimed or ("" if login is None else login.claimed)
        if not cause or (cause == GONE and not claimed):
            # Nobody refused it: probes come and go like this.
            CONNECTION_SILENT.log(peer=peer.address)
            return False
        CONNECTION_REFUSED.log(peer=peer.address, user=claimed or None, cause=cause)
        if claimed or failure:
            AUDIT_LOGIN_FAILED.log(peer=peer.address, user=claimed or None, cause=cause)
        return bool(failure)


def foreign_bytes(first: bytes | None) -> str:
    """What a peer's first bytes are if they are not AMQP or MQTT; empty where they are, or there are none."""
    if not first or _AMQP.startswith(first[:4]) or (len(first) >= HEADER_SIZE and begins_mqtt(first)):
        return ""
    if first.startswith(_TLS_HANDSHAKE):
        return TLS_ON_PLAIN_PORT
    return HTTP_ON_AMQP_PORT if first.startswith(_HTTP) else NOT_AMQP
