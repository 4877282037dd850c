"""Messages of QMF v2 between an agent and its consoles, as maps; those of v1 are bytes (`v1_messages`)."""

from collections.abc import Mapping
from typing import Any, Final, final

from lastvalue.codec.amqp010.decoder import decode_list, decode_map
from lastvalue.codec.amqp010.properties import Properties
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE, SchemaClass
from lastvalue.codec.amqp010.qmf.v1_messages import MAGIC
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.values import Symbol, Value
from lastvalue.model.property_names import QPID_APP_ID

DIRECT: Final = "qmf.default.direct"
TOPIC: Final = "qmf.default.topic"
BROKER_KEY: Final = "broker"
"""A routing key of requests that go to the broker's own agent, whatever its name."""
HEARTBEAT_S: Final = 10

_NS_PER_MS: Final = 1_000_000
_SEVERITY_CODES: Final = {"warn": 4, "notice": 5, "inform": 6}


@final
class ConsoleRequest:
    """A request of a console, and where its answer goes.

    Attributes:
        opcode: what is asked in v2.
        body: as it came.
        is_v1: the request is one of v1.
        reply_exchange, reply_key: where the answer goes; None if none is wanted.
    """

    def __init__(self, properties: Properties, body: bytes) -> None:
        message = properties.message
        reply = message.record("reply_to")
        self.opcode: Value = message.map("application_headers").get("qmf.opcode")
        self.body = body
        self.is_v1 = body.startswith(MAGIC)
        self.reply_exchange: str | None = None if reply is None else reply.text("exchange")
        self.reply_key = "" if reply is None else reply.text("routing_key")
        self._is_list = message.text("content_type") == "amqp/list"
        self._correlation = message.binary("correlation_id")
        self._key = properties.delivery.text("routing_key")

    def content(self) -> Mapping[str, Any]:
        """The map that is the body; a list has the name `list`.

        Raises:
            DecodeError: the body is neither.
        """
        return {"list": decode_list(self.body)} if self._is_list else decode_map(self.body)

    def answer(self, agent: str, body: Value, headers: Mapping[str, Value]) -> bytes:
        """The message that answers the request; an answer of v1 has no headers, and bytes for its body."""
        correlation = self._correlation
        name = BROKER_KEY if self._key == BROKER_KEY else agent
        v2_headers = {"method": "response", "qmf.agent": name, QPID_APP_ID: "qmf2", **headers}
        content = MessageContent(
            to=self.reply_exchange or None,
            subject=self.reply_key,
            correlation_id=None if correlation is None else correlation.decode(errors="replace"),
            content_type=Symbol("x-application/qmf") if self.is_v1 else None,
            application_properties=v2_headers if headers else {},
            body=body,
            body_kind=BodyKind.DATA if self.is_v1 else BodyKind.VALUE,
        )
        return encode_content(content)


@final
class AgentMessages:
    """The messages of one agent.

    Args:
        name: of the agent: vendor, product and instance with colons between them.
        started_ms: when its broker started.

    Attributes:
        name: of the agent.
    """

    def __init__(self, name: str, started_ms: int) -> None:
        self.name = name
        self._started_ms = started_ms
        self._parts = name.split(":", 2)

    def key(self, kind: str, *words: str) -> str:
        """The routing key of an indication: its kind, what it is about, and the agent."""
        vendor, product, instance = self._parts
        return ".".join(["agent.ind", kind, *words, vendor.replace(".", "_"), product, instance])

    def package_key(self, kind: str, *words: str) -> str:
        """The routing key of an indication about a class of the broker's schema."""
        return self.key(kind, PACKAGE.replace(".", "_"), *words)

    def presence(self, now: int) -> dict[str, Value]:
        """What the agent says of itself."""
        vendor, product, instance = self._parts
        alive = {"_timestamp": _NS_PER_MS * now, "_heartbeat_interval": HEARTBEAT_S, "_epoch": 1}
        named = {"_vendor": vendor, "_product": product, "_instance": instance, "_name": self.name}
        return {"_values": {**named, **alive}, **alive}

    def object(self, kind: SchemaClass, object_name: str, values: Value, now: int) -> dict[str, Value]:
        """An object with its values."""
        return {
            "_values": values,
            "_object_id": {"_object_name": object_name, "_agent_name": self.name, "_agent_epoch": 1},
            "_schema_id": kind.identity(),
            "_create_ts": _NS_PER_MS * self._started_ms,
            "_update_ts": _NS_PER_MS * now,
            "_delete_ts": 0,
        }

    def event(
        self, kind: SchemaClass, values: Mapping[str, Value], severity: str, now: int
    ) -> dict[str, Value]:
        """Something that happened; the peer and the user are empty texts where they are not known."""
        blank = {each.name: "" for each in kind.properties if each.name in ("rhost", "user")}
        return {
            "_schema_id": kind.identity(),
            "_values": {**blank, **values},
            "_timestamp": _NS_PER_MS * now,
            "_severity": _SEVERITY_CODES[severity],
        }

    def indication(self, key: str, headers: Mapping[str, Value], body: Value) -> bytes:
        """A message to everybody who listens for this key."""
        content = MessageContent(
            to=TOPIC,
            subject=key,
            application_properties={
                "method": "indication", "qmf.agent": self.name, QPID_APP_ID: "qmf2", **headers
            },
            body=body,
            body_kind=BodyKind.VALUE,
        )  # fmt: skip
        return encode_content(content)
