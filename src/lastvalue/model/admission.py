"""What a peer may cost before and after it has logged in: a row for each limit, which the doors read.

A door is a way into the broker: a protocol over TCP, WebSocket, or the HTTP gateway.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Door(Enum):
    """A way into the broker."""

    AMQP_1_0 = "AMQP 1.0"
    AMQP_0_10 = "AMQP 0-10"
    AMQP_0_9_1 = "AMQP 0-8 to 0-9-1"
    CORE = "CORE"
    MQTT = "MQTT"
    WEBSOCKET = "WebSocket"
    HTTP = "HTTP"


TCP: Final = (Door.AMQP_1_0, Door.AMQP_0_10, Door.AMQP_0_9_1, Door.CORE, Door.MQTT)
BROKER: Final = (*TCP, Door.WEBSOCKET)
EVERY: Final = (*BROKER, Door.HTTP)

ANY_NUMBER: Final = 0
"""A limit that holds only where its setting says so."""


class Stage(Enum):
    """When a limit holds."""

    BEFORE = "before the login"
    AFTER = "after the login"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class AdmissionLimit:
    """One limit.

    Attributes:
        what: is limited, as a noun with its unit.
        per: what is counted together.
        stage: when it holds.
        most: the number, or ANY_NUMBER; where it is a setting, the setting's default.
        doors: where it holds.
        answer: what the peer gets beyond it.
        setting: of the server that changes it; empty where it is fixed.
    """

    what: str
    per: str
    stage: Stage
    most: int
    doors: tuple[Door, ...]
    answer: str
    setting: str = ""


FIRST_BYTES: Final = AdmissionLimit(
    "bytes of a frame, a packet, a WebSocket message or an HTTP head, and bytes that wait",
    "connection",
    Stage.BEFORE,
    16 * 1024,
    (Door.AMQP_1_0, Door.AMQP_0_10, Door.AMQP_0_9_1, Door.MQTT, Door.WEBSOCKET, Door.HTTP),
    "over AMQP 1.0 the SASL outcome 3 with a text, over 0-9-1 and 0-10 501, over MQTT 0x95 or 0x97, "
    "over WebSocket 1009, over HTTP 431",
)
"""Tokens of identity providers have some kilobytes, so it is more than the specifications ask for."""

FIRST_CORE_BYTES: Final = AdmissionLimit(
    "bytes of a packet, and bytes that wait", "connection", Stage.BEFORE, 20 * 1024, (Door.CORE,), "104"
)
"""CORE writes a long text with two bytes for each character, so a token takes twice its size."""

FIRST_BODY_BYTES: Final = AdmissionLimit(
    "bytes of a request's body",
    "request",
    Stage.BEFORE,
    64 * 1024,
    (Door.HTTP,),
    "413, and nothing more is read",
)
BODY_BYTES: Final = AdmissionLimit(
    "bytes of a request's body",
    "request",
    Stage.AFTER,
    16 * 1024 * 1024,
    (Door.HTTP,),
    "413, and nothing more is read",
)
PAGE_BYTES: Final = AdmissionLimit(
    "bytes of the messages of an answer, beyond the first",
    "request",
    Stage.AFTER,
    16 * 1024 * 1024,
    (Door.HTTP,),
    "a shorter page, and `next` where the route has pages",
)
OPENING_MS: Final = AdmissionLimit(
    "milliseconds until a connection is open, or a request's head and first body have come",
    "connection",
    Stage.BEFORE,
    10_000,
    EVERY,
    "closed; a body over HTTP 408",
    "open_timeout_ms",
)
IDLE_MS: Final = AdmissionLimit(
    "milliseconds between two requests", "connection", Stage.ALWAYS, 60_000, (Door.HTTP,), "closed"
)
CONNECTIONS: Final = AdmissionLimit(
    "connections", "broker", Stage.ALWAYS, 10_000, BROKER, "dropped", "max_connections"
)
CONNECTIONS_OF_USER: Final = AdmissionLimit(
    "connections",
    "user",
    Stage.AFTER,
    ANY_NUMBER,
    BROKER,
    "closed with a text that says so",
    "max_connections_per_user",
)
CONNECTION_RATE: Final = AdmissionLimit(
    "new connections in a second", "address", Stage.BEFORE, ANY_NUMBER, BROKER, "dropped", "connection_rate"
)
UNKNOWN_OF_ADDRESS: Final = AdmissionLimit(
    "connections that have not logged in",
    "address",
    Stage.BEFORE,
    200,
    BROKER,
    "the oldest of them is dropped",
    "max_unknown_per_address",
)
"""Clients that come all at once, from behind one address, log in within milliseconds.

Each takes up to 30 KiB, so the oldest is dropped: of a flood nearly always one that will never log in.
"""

TLS_HANDSHAKES: Final = AdmissionLimit(
    "TLS handshakes at a time",
    "broker",
    Stage.BEFORE,
    200,
    BROKER,
    "wait for a place; addresses take turns",
    "tls_handshakes",
)
TLS_HANDSHAKE_MS: Final = AdmissionLimit(
    "milliseconds until the TLS handshake is over",
    "connection",
    Stage.BEFORE,
    5_000,
    BROKER,
    "dropped",
    "tls_handshake_timeout_ms",
)
TLS_GIVES_WAY_MS: Final = AdmissionLimit(
    "milliseconds until the TLS handshake is over, while others wait for a place",
    "connection",
    Stage.BEFORE,
    1_000,
    BROKER,
    "dropped",
)
GATEWAY_CONNECTIONS: Final = AdmissionLimit(
    "connections", "gateway", Stage.ALWAYS, 10_000, (Door.HTTP,), "503"
)
CONNECTIONS_OF_ADDRESS: Final = AdmissionLimit(
    "connections, without followers by WebSocket and not behind a proxy",
    "address",
    Stage.ALWAYS,
    1000,
    (Door.HTTP,),
    "dropped",
)

WRONG_PASSWORDS_OF_ADDRESS: Final = AdmissionLimit(
    "wrong passwords in a minute",
    "address",
    Stage.BEFORE,
    100,
    BROKER,
    "refused unchecked, with a text that says so",
    "wrong_passwords_per_address",
)
WRONG_PASSWORDS_OF_USER: Final = AdmissionLimit(
    "wrong passwords in a minute",
    "user, apart at addresses that have shown the right one",
    Stage.BEFORE,
    10,
    BROKER,
    "refused unchecked, with a text that says so",
    "wrong_passwords_per_user",
)
GATEWAY_PASSWORDS_OF_ADDRESS: Final = AdmissionLimit(
    "wrong passwords in a minute", "address", Stage.BEFORE, 20, (Door.HTTP,), "429"
)
GATEWAY_PASSWORDS_OF_USER: Final = AdmissionLimit(
    "wrong passwords in a minute", "user and address", Stage.BEFORE, 5, (Door.HTTP,), "429"
)
"""Below the broker's, which hold for all callers of the gateway together: one who guesses does not lock out
the others nor, by guesses, a user.
"""

GATEWAY_LOGINS_AT_ONCE: Final = AdmissionLimit(
    "credentials that are being checked", "address", Stage.BEFORE, 5, (Door.HTTP,), "429"
)
"""What is not over is not counted yet."""

SESSIONS_OF_USER: Final = AdmissionLimit(
    "sessions of browsers", "user", Stage.AFTER, 20, (Door.HTTP,), "the one that was idle longest ends"
)
CALLERS_OF_USER: Final = AdmissionLimit(
    "credentials in use",
    "user and broker",
    Stage.AFTER,
    20,
    (Door.HTTP,),
    "the connection that was idle longest is closed, else 429",
)
"""Each has a connection to the broker: a user has one password, but may have any number of tokens."""

LIMITS: Final = (
    FIRST_BYTES,
    FIRST_CORE_BYTES,
    FIRST_BODY_BYTES,
    BODY_BYTES,
    PAGE_BYTES,
    OPENING_MS,
    IDLE_MS,
    CONNECTIONS,
    CONNECTIONS_OF_USER,
    CONNECTION_RATE,
    UNKNOWN_OF_ADDRESS,
    TLS_HANDSHAKES,
    TLS_HANDSHAKE_MS,
    TLS_GIVES_WAY_MS,
    GATEWAY_CONNECTIONS,
    CONNECTIONS_OF_ADDRESS,
    WRONG_PASSWORDS_OF_ADDRESS,
    WRONG_PASSWORDS_OF_USER,
    GATEWAY_PASSWORDS_OF_ADDRESS,
    GATEWAY_PASSWORDS_OF_USER,
    GATEWAY_LOGINS_AT_ONCE,
    SESSIONS_OF_USER,
    CALLERS_OF_USER,
)
