"""The packets of CORE: one table with the number and the fields of each, which reads and writes them.

A packet is its length in four octets, its type, the number of its channel in eight octets, and its fields.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.writer import CoreWriter

HEADER_BYTES: Final = 13
"""The length, the type and the channel of a packet."""

OLDEST_VERSION: Final = 130
NEWEST_VERSION: Final = 136
"""The versions of the protocol that are spoken: those of Artemis 2.7 and of 2.37 to 2.56."""

Xid: TypeAlias = tuple[int, bytes, bytes]
"""Format, global id, branch id."""

_MOST_ID_BYTES: Final = 64
"""[XA] MAXGTRIDSIZE and MAXBQUALSIZE."""


@final
class Field:
    """One field of a packet.

    Attributes:
        kind: how it is written; with a question mark before it, it may be missing.
        since: the version of the protocol that added it.
        trailing: older clients end the packet before it.
    """

    __slots__ = ("kind", "name", "since", "trailing")

    def __init__(self, text: str, trailing: bool) -> None:
        self.name, _, kind = text.partition(":")
        self.kind, _, since = kind.partition("@")
        self.since: i64 = int(since or 0)
        self.trailing = trailing


@final
class PacketType:
    """One row of the table."""

    __slots__ = ("code", "fields", "name")

    def __init__(self, code: i64, name: str, fields: str = "") -> None:
        self.code: i64 = code
        self.name = name
        always, _, trailing = fields.partition("|")
        self.fields = [Field(each, False) for each in always.split()]
        self.fields += [Field(each, True) for each in trailing.split()]


_QUEUE_OPTIONS: Final = (
    "exclusive:?bool last_value:?bool last_value_key:?simple non_destructive:?bool "
    "consumers_before_dispatch:?int delay_before_dispatch:?long group_rebalance:?bool group_buckets:?int "
    "auto_delete:?bool auto_delete_delay:?long auto_delete_message_count:?long group_first_key:?simple "
    "ring_size:?long enabled:?bool group_rebalance_pause_dispatch:?bool"
)
_QUERIED_OPTIONS: Final = _QUEUE_OPTIONS.replace(
    "last_value_key", "default_consumer_window_size:?int last_value_key"
)
_SESSION: Final = (
    "name:string session_channel:long version:int username:?string password:?string "
    "min_large_message_size:int xa:bool auto_commit_sends:bool auto_commit_acks:bool window:int "
    "pre_acknowledge:bool default_address:?string"
)
_BINDINGS: Final = (
    "exists:bool queues:simples auto_create_queues:bool auto_create_addresses:bool "
    "default_purge_on_no_consumers:bool default_max_consumers:int default_exclusive:?bool "
    "default_last_value:?bool default_last_value_key:?simple default_non_destructive:?bool "
    "default_consumers_before_dispatch:?int default_delay_before_dispatch:?long"
)
_TOPOLOGY: Final = "exit:bool node:string event:long live:bool backup:bool last:bool backup_group:?string"

PING: Final = PacketType(10, "PING", "ttl_ms:long")
DISCONNECT: Final = PacketType(11, "DISCONNECT", "node:?simple")
DISCONNECT_CONSUMER: Final = PacketType(12, "DISCONNECT_CONSUMER", "consumer:long")
EXCEPTION: Final = PacketType(20, "EXCEPTION", "code:int text:?string correlation:long@130")
NULL_RESPONSE: Final = PacketType(21, "NULL_RESPONSE", "correlation:long@130")
PACKETS_CONFIRMED: Final = PacketType(22, "PACKETS_CONFIRMED", "command:int")
CREATE_SESSION: Final = PacketType(30, "CREATE_SESSION", _SESSION)
CREATE_SESSION_V2: Final = PacketType(-18, "CREATE_SESSION_V2", f"{_SESSION} client_id:?string")
SESSION_CREATED: Final = PacketType(31, "CREATE_SESSION_RESPONSE", "version:int")
REATTACH: Final = PacketType(32, "REATTACH_SESSION", "name:string last_command:int")
REATTACHED: Final = PacketType(33, "REATTACH_SESSION_RESPONSE", "last_command:int reattached:bool")
CREATE_ADDRESS: Final = PacketType(
    -11, "CREATE_ADDRESS", "address:simple routing_types:bytes wants_response:bool auto_created:bool"
)
_QUEUE: Final = "address:simple queue:simple filter:?simple durable:bool"
CREATE_QUEUE: Final = PacketType(34, "CREATE_QUEUE", f"{_QUEUE} temporary:bool wants_response:bool")
CREATE_QUEUE_V2: Final = PacketType(
    -12,
    "CREATE_QUEUE_V2",
    f"{_QUEUE} temporary:bool wants_response:bool auto_created:bool routing_type:byte max_consumers:int "
    f"purge_on_no_consumers:bool | {_QUEUE_OPTIONS}",
)
CREATE_SHARED_QUEUE: Final = PacketType(36, "CREATE_SHARED_QUEUE", f"{_QUEUE} wants_response:bool")
CREATE_SHARED_QUEUE_V2: Final = PacketType(
    -13,
    "CREATE_SHARED_QUEUE_V2",
    f"{_QUEUE} routing_type:byte wants_response:bool | max_consumers:?int purge_on_no_consumers:?bool "
    f"{_QUEUE_OPTIONS}",
)
DELETE_QUEUE: Final = PacketType(35, "DELETE_QUEUE", "queue:simple")
CREATE_CONSUMER: Final = PacketType(
    40,
    "CREATE_CONSUMER",
    "consumer:long queue:simple filter:?simple browse:bool wants_response:bool priority:int@130",
)
ACKNOWLEDGE: Final = PacketType(41, "ACKNOWLEDGE", "consumer:long message:long wants_response:bool")
EXPIRED: Final = PacketType(42, "EXPIRED", "consumer:long message:long")
COMMIT: Final = PacketType(43, "COMMIT", "| correlation:long@132")
ROLLBACK: Final = PacketType(44, "ROLLBACK", "last_delivered:bool")
QUEUE_QUERY: Final = PacketType(45, "QUEUE_QUERY", "queue:simple")
QUEUE_QUERIED: Final = PacketType(
    -14,
    "QUEUE_QUERY_RESPONSE_V3",
    "exists:bool durable:bool temporary:bool consumers:int messages:long filter:?simple address:?simple "
    "name:?simple auto_create_queues:bool auto_created:bool purge_on_no_consumers:bool routing_type:byte "
    f"max_consumers:int {_QUERIED_OPTIONS} configuration_managed:?bool",
)
BINDING_QUERY: Final = PacketType(49, "BINDING_QUERY", "address:simple")
BINDING_QUERIED_V4: Final = PacketType(-15, "BINDING_QUERY_RESPONSE_V4", _BINDINGS)
BINDING_QUERIED: Final = PacketType(
    -22, "BINDING_QUERY_RESPONSE_V5", f"{_BINDINGS} supports_multicast:bool supports_anycast:bool"
)
XA_FAILED: Final = PacketType(39, "XA_FAILED", "xid:xid")
XA_START: Final = PacketType(51, "XA_START", "xid:xid")
XA_END: Final = PacketType(52, "XA_END", "xid:xid failed:bool")
XA_COMMIT: Final = PacketType(53, "XA_COMMIT", "xid:xid one_phase:bool")
XA_PREPARE: Final = PacketType(54, "XA_PREPARE", "xid:xid")
XA_RESPONSE: Final = PacketType(55, "XA_RESPONSE", "error:bool code:int text:?string correlation:long@130")
XA_ROLLBACK: Final = PacketType(56, "XA_ROLLBACK", "xid:xid")
XA_JOIN: Final = PacketType(57, "XA_JOIN", "xid:xid")
XA_SUSPEND: Final = PacketType(58, "XA_SUSPEND")
XA_RESUME: Final = PacketType(59, "XA_RESUME", "xid:xid")
XA_FORGET: Final = PacketType(60, "XA_FORGET", "xid:xid")
XA_IN_DOUBT: Final = PacketType(61, "XA_IN_DOUBT")
XA_IN_DOUBT_XIDS: Final = PacketType(62, "XA_IN_DOUBT_RESPONSE", "xids:xids")
XA_SET_TIMEOUT: Final = PacketType(63, "XA_SET_TIMEOUT", "timeout_s:int")
XA_TIMEOUT_SET: Final = PacketType(64, "XA_SET_TIMEOUT_RESPONSE", "ok:bool")
XA_GET_TIMEOUT: Final = PacketType(65, "XA_GET_TIMEOUT")
XA_TIMEOUT: Final = PacketType(66, "XA_GET_TIMEOUT_RESPONSE", "timeout_s:int")
START: Final = PacketType(67, "START")
STOP: Final = PacketType(68, "STOP")
CLOSE: Final = PacketType(69, "CLOSE")
CREDIT: Final = PacketType(70, "CONSUMER_CREDIT", "consumer:long credits:int")
SEND: Final = PacketType(
    71, "SEND", "message:message wants_response:bool correlation:long@130 sender:int@134"
)
SEND_LARGE: Final = PacketType(72, "SEND_LARGE", "head:rest")
SEND_CONTINUATION: Final = PacketType(
    73,
    "SEND_CONTINUATION",
    "body:binary continues:bool size:bodysize wants_response:bool correlation:long@130 sender:int@134",
)
CLOSE_CONSUMER: Final = PacketType(74, "CLOSE_CONSUMER", "consumer:long")
RECEIVE: Final = PacketType(75, "RECEIVE", "message:message consumer:long deliveries:int")
RECEIVE_LARGE: Final = PacketType(76, "RECEIVE_LARGE", "consumer:long deliveries:int size:long head:rest")
RECEIVE_CONTINUATION: Final = PacketType(
    77, "RECEIVE_CONTINUATION", "body:binary continues:bool consumer:long"
)
FORCE_DELIVERY: Final = PacketType(78, "FORCE_DELIVERY", "consumer:long sequence:long")
REQUEST_CREDIT: Final = PacketType(79, "REQUEST_PRODUCER_CREDIT", "credits:int address:simple")
PRODUCER_CREDIT: Final = PacketType(80, "PRODUCER_CREDIT", "credits:int address:simple")
ACKNOWLEDGE_ONE: Final = PacketType(81, "ACKNOWLEDGE_ONE", "consumer:long message:long wants_response:bool")
PRODUCER_CREDIT_FAILED: Final = PacketType(82, "PRODUCER_CREDIT_FAILED", "credits:int address:simple")
ADD_METADATA: Final = PacketType(104, "ADD_METADATA", "key:string value:string")
ADD_METADATA_V2: Final = PacketType(105, "ADD_METADATA_V2", "key:string value:string wants_response:bool")
ADD_UNIQUE_METADATA: Final = PacketType(
    106, "ADD_UNIQUE_METADATA", "key:string value:string wants_response:bool"
)
CREATE_PRODUCER: Final = PacketType(-20, "CREATE_PRODUCER", "producer:int address:?simple")
REMOVE_PRODUCER: Final = PacketType(-21, "REMOVE_PRODUCER", "producer:int")
SUBSCRIBE_TOPOLOGY: Final = PacketType(112, "SUBSCRIBE_TOPOLOGY", "cluster:bool")
SUBSCRIBE_TOPOLOGY_V2: Final = PacketType(113, "SUBSCRIBE_TOPOLOGY_V2", "cluster:bool version:int")
TOPOLOGY_V3: Final = PacketType(122, "TOPOLOGY_V3", f"{_TOPOLOGY} scale_down_group:?string")
TOPOLOGY: Final = PacketType(-17, "TOPOLOGY_V4", f"{_TOPOLOGY} scale_down_group:?string server_version:int")
CHECK_FAILOVER: Final = PacketType(-4, "CHECK_FAILOVER", "node:?string")
FAILOVER_CHECKED: Final = PacketType(-5, "CHECK_FAILOVER_RESPONSE", "ok:bool")
DISCONNECT_V2: Final = PacketType(124, "DISCONNECT_V2", "node:?simple scale_down_node:?simple")
DISCONNECT_V3: Final = PacketType(
    -19, "DISCONNECT_V3", "node:?simple reason:byte target:?simple connector:bool"
)

PACKETS: Final[tuple[PacketType, ...]] = (
    PING, DISCONNECT, DISCONNECT_CONSUMER, EXCEPTION, NULL_RESPONSE, PACKETS_CONFIRMED,
    CREATE_SESSION, CREATE_SESSION_V2, SESSION_CREATED, REATTACH, REATTACHED,
    CREATE_ADDRESS, CREATE_QUEUE, CREATE_QUEUE_V2, CREATE_SHARED_QUEUE, CREATE_SHARED_QUEUE_V2, DELETE_QUEUE,
    CREATE_CONSUMER, ACKNOWLEDGE, EXPIRED, COMMIT, ROLLBACK,
    QUEUE_QUERY, QUEUE_QUERIED, BINDING_QUERY, BINDING_QUERIED_V4, BINDING_QUERIED,
    XA_FAILED, XA_START, XA_END, XA_COMMIT, XA_PREPARE, XA_RESPONSE, XA_ROLLBACK, XA_JOIN, XA_SUSPEND,
    XA_RESUME, XA_FORGET, XA_IN_DOUBT, XA_IN_DOUBT_XIDS, XA_SET_TIMEOUT, XA_TIMEOUT_SET, XA_GET_TIMEOUT,
    XA_TIMEOUT, START, STOP, CLOSE, CREDIT, SEND, SEND_LARGE, SEND_CONTINUATION, CLOSE_CONSUMER,
    RECEIVE, RECEIVE_LARGE, RECEIVE_CONTINUATION, FORCE_DELIVERY, REQUEST_CREDIT, PRODUCER_CREDIT,
    ACKNOWLEDGE_ONE, PRODUCER_CREDIT_FAILED, ADD_METADATA, ADD_METADATA_V2, ADD_UNIQUE_METADATA,
    CREATE_PRODUCER, REMOVE_PRODUCER, SUBSCRIBE_TOPOLOGY, SUBSCRIBE_TOPOLOGY_V2, TOPOLOGY_V3, TOPOLOGY,
    CHECK_FAILOVER, FAILOVER_CHECKED, DISCONNECT_V2, DISCONNECT_V3,
)  # fmt: skip
BY_CODE: Final[dict[int, PacketType]] = {int(each.code): each for each in PACKETS}

NO_CORRELATION: Final = -1
"""The correlation of an answer to a packet that has none."""


@final
class Packet:
    """A packet that was read.

    Attributes:
        values: by field; those that the packet does not have are None.
    """

    __slots__ = ("type", "values")

    def __init__(self, packet_type: PacketType, values: dict[str, Any]) -> None:
        self.type = packet_type
        self.values = values

    def text(self, name: str) -> str:
        """A text; "" where it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def optional_text(self, name: str) -> str | None:
        """A text, or None."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str, default: i64 = 0) -> i64:
        """A number; the default where it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, int) else default

    def flag(self, name: str) -> bool:
        """A boolean; false where it is missing."""
        return self.values.get(name) is True

    def octets(self, name: str) -> bytes:
        """Bytes; none if they are missing."""
        value = self.values.get(name)
        return value if isinstance(value, bytes) else b""

    def xid(self) -> Xid:
        """The packet's xid."""
        value: Xid = self.values["xid"]
        return value


def read_packet(packet_type: PacketType, reader: CoreReader, version: i64) -> Packet:
    """Read a packet's fields; what a newer client writes after them is ignored.

    Raises:
        DecodeError: they are malformed.
    """
    values: dict[str, Any] = {}
    for field in packet_type.fields:
        if version < field.since or (field.trailing and reader.left() == 0):
            continue
        values[field.name] = _read(field.kind, reader, values)
    return Packet(packet_type, values)


def write_packet(packet_type: PacketType, channel: i64, version: i64, values: dict[str, Any]) -> bytes:
    """A whole packet; fields that are left out are missing, false, 0 or empty."""
    writer = CoreWriter()
    for field in packet_type.fields:
        if version >= field.since:
            _write(field.kind, writer, values.get(field.name), values)
    return framed(packet_type.code, channel, writer.data())


def framed(code: i64, channel: i64, fields: bytes) -> bytes:
    """A packet of encoded fields."""
    writer = CoreWriter()
    writer.int32(len(fields) + HEADER_BYTES - 4)
    writer.int8(code)
    writer.int64(channel)
    writer.octets(fields)
    return writer.data()


# ---------------------------------------------------------------------- fields


def _read(kind: str, reader: CoreReader, values: dict[str, Any]) -> Any:
    if kind[0] == "?":
        return _read(kind[1:], reader, values) if reader.boolean() else None
    if kind == "bodysize":
        # [Artemis] The last part of a large message says how large the body is.
        return None if values["continues"] else int(reader.int64())
    return _READERS[kind](reader)


def _read_xid(reader: CoreReader) -> Xid:
    number = int(reader.int32())
    branch_id, global_id = reader.binary(), reader.binary()
    if max(len(branch_id), len(global_id)) > _MOST_ID_BYTES:
        raise DecodeError(f"the ids of a transaction and of its branch have at most {_MOST_ID_BYTES} bytes")
    return number, global_id, branch_id


def _count(reader: CoreReader, least_bytes: i64) -> int:
    """The number of a list's items, which the rest of the packet has room for."""
    count = reader.int32()
    if not 0 <= count <= reader.left() // least_bytes:
        raise DecodeError(f"a list of {count} items cannot be in {reader.left()} bytes")
    return int(count)


def _write(kind: str, writer: CoreWriter, value: Any, values: dict[str, Any]) -> None:
    if kind[0] == "?":
        writer.boolean(value is not None)
        if value is not None:
            _write(kind[1:], writer, value, values)
    elif kind in _LISTS:
        writer.int32(len(value))
        for each in value:
            _write(_LISTS[kind], writer, each, values)
    elif kind != "bodysize" or values.get("continues") is not True:
        _WRITERS[kind](writer, value)


def _write_xid(writer: CoreWriter, xid: Xid) -> None:
    number, global_id, branch_id = xid
    writer.int32(number)
    writer.binary(branch_id)
    writer.binary(global_id)


_READERS: Final[dict[str, Callable[[CoreReader], Any]]] = {
    "bool": lambda reader: reader.boolean(),
    "byte": lambda reader: int(reader.int8()),
    "int": lambda reader: int(reader.int32()),
    "long": lambda reader: int(reader.int64()),
    "simple": lambda reader: reader.simple_string(),
    "string": lambda reader: reader.string(),
    "binary": lambda reader: reader.binary(),
    "rest": lambda reader: reader.rest(),
    # The engine reads messages itself; in a packet of the other direction no field can follow.
    "message": lambda reader: reader.rest(),
    "xid": _read_xid,
    "bytes": lambda reader: [int(reader.int8()) for _ in range(_count(reader, 1))],
    "simples": lambda reader: [reader.simple_string() for _ in range(_count(reader, 4))],
    "xids": lambda reader: [_read_xid(reader) for _ in range(_count(reader, 12))],
}
_WRITERS: Final[dict[str, Callable[[CoreWriter, Any], None]]] = {
    "bool": lambda writer, value: writer.boolean(value is True),
    "byte": lambda writer, value: writer.int8(value or 0),
    "int": lambda writer, value: writer.int32(value or 0),
    "long": lambda writer, value: writer.int64(value or 0),
    "bodysize": lambda writer, value: writer.int64(value or 0),
    "simple": lambda writer, value: writer.simple_string(value or ""),
    "string": lambda writer, value: writer.string(value or ""),
    "binary": lambda writer, value: writer.binary(value or b""),
    "rest": lambda writer, value: writer.octets(value or b""),
    "message": lambda writer, value: writer.octets(value or b""),
    "xid": _write_xid,
}
_LISTS: Final = {"bytes": "byte", "simples": "simple", "xids": "xid"}
"""The fields that are lists, with the type of their items."""
