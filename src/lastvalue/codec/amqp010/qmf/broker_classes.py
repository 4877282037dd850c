"""The classes and events of the schema of Qpid's brokers; which counts they have is the broker's to say."""

from typing import Final

from lastvalue.codec.amqp010.qmf.schema_class import EVENT, SchemaClass


def _pairs(names: str) -> str:
    """Counts of messages and of bytes of each name."""
    return " ".join(f"msg{name}:u64 byte{name}:u64" for name in names.split())


SYSTEM: Final = SchemaClass(
    "system", "systemId:uuid osName:text nodeName:text release:text version:text machine:text"
)
VHOST: Final = SchemaClass("vhost", "brokerRef:ref name:text federationTag:text")
AGENT: Final = SchemaClass(
    "agent",
    "connectionRef:ref label:text registeredTo:ref systemId:uuid brokerBank:u32 agentBank:u32",
)
MEMORY: Final = SchemaClass("memory", "name:text", "malloc_arena:u64? held_bytes:u64")
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


def broker_class(counts: str) -> SchemaClass:
    """The class of brokers, with the statistics of all queues together."""
    return SchemaClass(
        "broker",
        "name:text systemRef:ref port:u16 workerThreads:u16 maxConns:u16 connBacklog:u16 "
        "stagingThreshold:u32 mgmtPublish:bool mgmtPubInterval:u16 version:text dataDir:text?",
        f"uptime:duration queueCount:u64 {counts} abandoned:u64 abandonedViaAlt:u64 discardsNoRoute:u64",
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


def queue_class(counts: str) -> SchemaClass:
    """The class of queues, with these statistics besides those of consumers and bindings."""
    return SchemaClass(
        "queue",
        "vhostRef:ref name:text durable:bool autoDelete:bool exclusive:bool arguments:map altExchange:ref?",
        f"{counts} "
        "consumerCount:u32 consumerCountHigh:u32 consumerCountLow:u32 "
        "bindingCount:u32 bindingCountHigh:u32 bindingCountLow:u32 unackedMessages:u32 "
        "unackedMessagesHigh:u32 unackedMessagesLow:u32 "
        "messageLatencySamples:u64 flowStopped:bool flowStoppedCount:u32 "
        "redirectPeer:text redirectSource:bool creator:text",
        (
            "purge(request:u32 filter:map)",
            "reroute(request:u32 useAltExchange:bool exchange:text filter:map)",
        ),
    )
