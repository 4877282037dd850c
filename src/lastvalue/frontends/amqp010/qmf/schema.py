"""The classes and events of the broker's schema, and how consoles of QMF v1 are told of them.

Consoles ask for every class when they connect, so that they know which property is what.
"""

import hashlib
from typing import Final
from uuid import UUID

from lastvalue.broker.statistics import QMF_QUEUE
from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp10.values import UByte, Value

PACKAGE: Final = "org.apache.qpid.broker"
TABLE: Final = 1
EVENT: Final = 2

_TYPES: Final = {
    "u8": 1, "u16": 2, "u32": 3, "u64": 4, "text": 6, "long": 7, "time": 8, "duration": 9, "ref": 10,
    "bool": 11, "float": 12, "double": 13, "uuid": 14, "map": 15, "s32": 18, "s64": 19, "list": 21,
}  # fmt: skip
"""By our name for it, the code of a type."""


class Property:
    """A field of a class: its name, its type, whether it may be left out."""

    def __init__(self, text: str) -> None:
        self.name, _, kind = text.partition(":")
        self.optional = kind.endswith("?")
        self.kind = kind.rstrip("?")
        self.code = _TYPES[self.kind]


class Method:
    """A method of a class, and its arguments: those that begin with `<` are told back, `<>` both."""

    def __init__(self, text: str) -> None:
        self.name, _, arguments = text.partition("(")
        self.arguments: list[tuple[str, Property]] = []
        for each in arguments.rstrip(")").split():
            direction = "IO" if each.startswith("<>") else "O" if each.startswith("<") else "I"
            self.arguments.append((direction, Property(each.lstrip("<>"))))


class SchemaClass:
    """A class of objects, or of events."""

    def __init__(
        self,
        name: str,
        properties: str,
        statistics: str = "",
        methods: tuple[str, ...] = (),
        kind: int = TABLE,
    ) -> None:
        self.name = name
        self.kind = kind
        self.properties = [Property(text) for text in properties.split()]
        self.statistics = [Property(text) for text in statistics.split()]
        self.methods = [Method(text) for text in methods]
        # It names this form of the class: another form, another number.
        text = f"{name} {kind} {properties} {statistics} {methods}"
        self.hash = UUID(bytes=hashlib.md5(text.encode(), usedforsecurity=False).digest())

    def identity(self) -> dict[str, Value]:
        """The map that names the class."""
        return {
            "_package_name": PACKAGE,
            "_class_name": self.name,
            "_type": "_data" if self.kind == TABLE else "_event",
            "_hash": self.hash,
        }

    def key(self) -> bytes:
        """The same in v1's encoding."""
        return short(PACKAGE) + short(self.name) + self.hash.bytes

    def encoded(self) -> bytes:
        """What the class consists of, in v1's encoding."""
        head = bytes((self.kind,)) + self.key()
        if self.kind == EVENT:
            arguments = b"".join([encode_map(_argument(each)) for each in self.properties])
            return head + len(self.properties).to_bytes(2, "big") + arguments
        counts = (len(self.properties), len(self.statistics), len(self.methods))
        parts = [head, *[count.to_bytes(2, "big") for count in counts]]
        for each in self.properties:
            entries: dict[str, Value] = {**_argument(each), "access": UByte(1)}
            entries["index"] = UByte(each.name == "name")
            entries["optional"] = UByte(each.optional)
            parts.append(encode_map(entries))
        parts += [encode_map(_argument(each)) for each in self.statistics]
        for method in self.methods:
            parts.append(encode_map({"name": method.name, "argCount": UByte(len(method.arguments))}))
            for direction, argument in method.arguments:
                parts.append(encode_map({**_argument(argument), "dir": direction}))
        return b"".join(parts)


def _argument(each: Property) -> dict[str, Value]:
    return {"name": each.name, "type": UByte(each.code)}


def short(text: str) -> bytes:
    """A text of at most 255 bytes behind its size."""
    content = text.encode()[:255]
    return bytes((len(content),)) + content


def _pairs(names: str) -> str:
    """Counts of messages and of bytes of each name."""
    return " ".join(f"msg{name}:u64 byte{name}:u64" for name in names.split())


UNUSED: Final[dict[str, Value]] = dict.fromkeys(
    [f"{unit}{name}" for name in ("FtdEnqueues", "FtdDequeues", "FtdDepth") for unit in ("msg", "byte")], 0
)
"""Counts that brokers of Qpid have and that are always 0 here: nothing flows to the disk."""
_COUNTS: Final = " ".join(f"{name}:u64" for name in (*QMF_QUEUE, *UNUSED))

BROKER: Final = SchemaClass(
    "broker",
    "name:text systemRef:ref port:u16 workerThreads:u16 maxConns:u16 connBacklog:u16 stagingThreshold:u32 "
    "mgmtPublish:bool mgmtPubInterval:u16 version:text dataDir:text?",
    f"uptime:duration queueCount:u64 {_COUNTS} abandoned:u64 abandonedViaAlt:u64 discardsNoRoute:u64",
    (
        "echo(<>sequence:u32 <>body:long)",
        "connect(host:text port:u32 durable:bool authMechanism:text transport:text)",
        "queueMoveMessages(srcQueue:text destQueue:text qty:u32 filter:map)",
        "queueRedirect(sourceQueue:text targetQueue:text)",
        "setLogLevel(level:text)",
        "getLogLevel(<level:text)",
        "getTimestampConfig(<receive:bool)",
        "setTimestampConfig(receive:bool)",
        "setLogHiresTimestamp(logHires:bool)",
        "getLogHiresTimestamp(<logHires:bool)",
        "create(type:text name:text properties:map strict:bool)",
        "delete(type:text name:text options:map)",
        "query(type:text name:text <results:map)",
        "shutdown()",
    ),
)
SYSTEM: Final = SchemaClass(
    "system", "systemId:uuid osName:text nodeName:text release:text version:text machine:text"
)
VHOST: Final = SchemaClass("vhost", "brokerRef:ref name:text federationTag:text")
AGENT: Final = SchemaClass(
    "agent",
    "connectionRef:ref label:text registeredTo:ref systemId:uuid brokerBank:u32 agentBank:u32",
)
MEMORY: Final = SchemaClass("memory", "name:text", "malloc_arena:u64? held_bytes:u64")
QUEUE: Final = SchemaClass(
    "queue",
    "vhostRef:ref name:text durable:bool autoDelete:bool exclusive:bool arguments:map altExchange:ref?",
    f"{_COUNTS} "
    "consumerCount:u32 consumerCountHigh:u32 consumerCountLow:u32 "
    "bindingCount:u32 bindingCountHigh:u32 bindingCountLow:u32 unackedMessages:u32 unackedMessagesHigh:u32 "
    "unackedMessagesLow:u32 messageLatencySamples:u64 flowStopped:bool flowStoppedCount:u32 "
    "redirectPeer:text redirectSource:bool creator:text",
    (
        "purge(request:u32 filter:map)",
        "reroute(request:u32 useAltExchange:bool exchange:text filter:map)",
    ),
)
EXCHANGE: Final = SchemaClass(
    "exchange",
    "vhostRef:ref name:text type:text durable:bool autoDelete:bool altExchange:ref? arguments:map",
    "producerCount:u32 producerCountHigh:u32 producerCountLow:u32 bindingCount:u32 bindingCountHigh:u32 "
    f"bindingCountLow:u32 {_pairs('Receives Drops Routes')} creator:text",
)
BINDING: Final = SchemaClass(
    "binding", "exchangeRef:ref queueRef:ref bindingKey:long arguments:map origin:text?", "msgMatched:u64"
)
SUBSCRIPTION: Final = SchemaClass(
    "subscription",
    "sessionRef:ref queueRef:ref name:text browsing:bool acknowledged:bool exclusive:bool creditMode:text "
    "arguments:map",
    "delivered:u64",
)
CONNECTION: Final = SchemaClass(
    "connection",
    "vhostRef:ref address:text incoming:bool SystemConnection:bool userProxyAuth:bool federationLink:bool "
    "authIdentity:text remoteProcessName:long? remotePid:u32? remoteParentPid:u32? shadow:bool "
    "saslMechanism:text saslSsf:u16 remoteProperties:map? protocol:text",
    "closing:bool framesFromClient:u64 framesToClient:u64 bytesFromClient:u64 bytesToClient:u64 "
    "msgsFromClient:u64 msgsToClient:u64",
    ("close()",),
)
SESSION: Final = SchemaClass(
    "session",
    "vhostRef:ref name:text fullName:text channelId:u16 connectionRef:ref detachedLifespan:u32 attached:bool "
    "expireTime:time? maxClientRate:u32?",
    "unackedMessages:u64 TxnStarts:u64 TxnCommits:u64 TxnRejects:u64 TxnCount:u32 clientCredit:u32",
    ("solicitAck()", "detach()", "resetLifespan()", "close()"),
)

CLASSES: Final = (
    BROKER, SYSTEM, VHOST, AGENT, MEMORY, QUEUE, EXCHANGE, BINDING, SUBSCRIPTION, CONNECTION, SESSION,
)  # fmt: skip

_EVENT_FIELDS: Final = {
    "clientConnect": "rhost:text user:text properties:map",
    "clientConnectFail": "rhost:text user:text reason:long properties:map",
    "clientDisconnect": "rhost:text user:text properties:map",
    "brokerLinkUp": "rhost:text",
    "brokerLinkDown": "rhost:text reason:long",
    "queueDeclare": "rhost:text user:text qName:text durable:bool excl:bool autoDel:bool altEx:text "
    "args:map disp:text",
    "queueDelete": "rhost:text user:text qName:text",
    "exchangeDeclare": "rhost:text user:text exName:text exType:text altEx:text durable:bool autoDel:bool "
    "args:map disp:text",
    "exchangeDelete": "rhost:text user:text exName:text",
    "bind": "rhost:text user:text exName:text qName:text key:long args:map",
    "unbind": "rhost:text user:text exName:text qName:text key:long",
    "subscribe": "rhost:text user:text qName:text dest:text excl:bool args:map",
    "unsubscribe": "rhost:text user:text dest:text",
    "queueThresholdCrossedUpward": "qName:text msgDepth:u64 byteDepth:u64",
    "queueThresholdCrossedDownward": "qName:text msgDepth:u64 byteDepth:u64",
    "queueThresholdExceeded": "qName:text msgDepth:u64 byteDepth:u64",
    "queueRedirect": "qName:text qTarget:text",
    "queueRedirectCancelled": "qName:text qTarget:text",
}
EVENTS: Final = {name: SchemaClass(name, fields, kind=EVENT) for name, fields in _EVENT_FIELDS.items()}
SEVERITIES: Final = {
    "clientConnectFail": "warn",
    "brokerLinkDown": "warn",
    "queueThresholdExceeded": "warn",
    "queueThresholdCrossedUpward": "notice",
    "queueThresholdCrossedDownward": "notice",
}
"""Of the events that are no mere information."""
SEVERITY_CODES: Final = {"warn": 4, "notice": 5, "inform": 6}

BY_NAME: Final = {each.name: each for each in (*CLASSES, *EVENTS.values())}
