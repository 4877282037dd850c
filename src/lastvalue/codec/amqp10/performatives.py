"""Performatives, SASL frames, delivery states and termini, declared as the specification prints them.

Sources: AMQP 1.0 §2.7 (performatives), §2.8 (definitions), §3.4 (delivery states), §3.5 (termini),
§4.5 (transactions), §5.3 (SASL).
A field without a default is mandatory.
Capabilities and locales are tuples, empty where the peer sent none.
Maps with symbols as keys are mappings with str keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar, cast

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.composites import composed, composite, decomposed, family_of, wire
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Described, Value

UINT_MAX: Final = 2**32 - 1
USHORT_MAX: Final = 2**16 - 1

# [1.0 §2.8.1] role
ROLE_SENDER: Final = False
ROLE_RECEIVER: Final = True

# [1.0 §2.8.2, §2.8.3] sender and receiver settle modes
SENDER_UNSETTLED: Final = 0
SENDER_SETTLED: Final = 1
SENDER_MIXED: Final = 2
RECEIVER_FIRST: Final = 0
RECEIVER_SECOND: Final = 1

# [1.0 §5.3.3.6] sasl-code
SASL_OK: Final = 0
SASL_AUTH: Final = 1
SASL_SYS: Final = 2
SASL_SYS_PERM: Final = 3
SASL_SYS_TEMP: Final = 4

_PERFORMATIVE: Final = "performative"
_STATE: Final = "delivery-state"
_LIFETIME: Final = "lifetime-policy"
_SENDER_MODES: Final = (SENDER_UNSETTLED, SENDER_SETTLED, SENDER_MIXED)
_RECEIVER_MODES: Final = (RECEIVER_FIRST, RECEIVER_SECOND)
_DURABILITIES: Final = (0, 1, 2)
_EXPIRIES: Final = ("link-detach", "session-end", "connection-close", "never")

# Most maps are left out, and many connections keep what their peers have sent.
_NOTHING: Final[dict[str, Value]] = {}


def _nothing() -> dict[str, Value]:
    return _NOTHING


# ---- Definitions


@mypyc_attr(native_class=False)
@composite(0x1D, "error")
@dataclass(frozen=True, slots=True)
class AmqpError:
    """Why a peer ended a link, session or connection, or rejected a delivery [1.0 §2.8.14]."""

    condition: str = field(metadata=wire("symbol"))
    description: str | None = field(default=None, metadata=wire("string"))
    info: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))


# ---- Delivery states


@mypyc_attr(native_class=False)
@composite(0x23, "received", _STATE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """How much of a delivery has come [1.0 §3.4.1]."""

    section_number: int = field(metadata=wire("uint"))
    section_offset: int = field(metadata=wire("ulong"))


@mypyc_attr(native_class=False)
@composite(0x24, "accepted", _STATE)
@dataclass(frozen=True, slots=True)
class Accepted:
    """The delivery was processed [1.0 §3.4.2]."""


@mypyc_attr(native_class=False)
@composite(0x25, "rejected", _STATE)
@dataclass(frozen=True, slots=True)
class Rejected:
    """The delivery is invalid [1.0 §3.4.3]."""

    error: AmqpError | None = field(default=None, metadata=wire("error"))


@mypyc_attr(native_class=False)
@composite(0x26, "released", _STATE)
@dataclass(frozen=True, slots=True)
class Released:
    """The delivery was not processed and may go to any receiver [1.0 §3.4.4]."""


@mypyc_attr(native_class=False)
@composite(0x27, "modified", _STATE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Modified:
    """The delivery was not processed, and the node keeps a change to the message [1.0 §3.4.5]."""

    delivery_failed: bool = field(default=False, metadata=wire("boolean"))
    undeliverable_here: bool = field(default=False, metadata=wire("boolean"))
    message_annotations: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("map"))


@mypyc_attr(native_class=False)
@composite(0x33, "declared", _STATE)
@dataclass(frozen=True, slots=True)
class Declared:
    """A transaction has begun [1.0 §4.5.5]."""

    txn_id: bytes = field(metadata=wire("binary"))


@mypyc_attr(native_class=False)
@composite(0x34, "transactional-state", _STATE)
@dataclass(frozen=True, slots=True)
class TransactionalState:
    """A delivery's state within a transaction [1.0 §4.5.8]."""

    txn_id: bytes = field(metadata=wire("binary"))
    outcome: "DeliveryState | None" = field(default=None, metadata=wire(_STATE))


DeliveryState: TypeAlias = (
    Received | Accepted | Rejected | Released | Modified | Declared | TransactionalState | Described
)


# ---- Transactions


@mypyc_attr(native_class=False)
@composite(0x31, "declare", "transaction")
@dataclass(frozen=True, slots=True)
class Declare:
    """The body of a message that begins a transaction [1.0 §4.5.2]."""

    global_id: Value = field(default=None, metadata=wire("*"))


@mypyc_attr(native_class=False)
@composite(0x32, "discharge", "transaction")
@dataclass(frozen=True, slots=True)
class Discharge:
    """The body of a message that ends a transaction [1.0 §4.5.3]."""

    txn_id: bytes = field(metadata=wire("binary"))
    fail: bool = field(default=False, metadata=wire("boolean"))


# ---- Termini


@mypyc_attr(native_class=False)
@composite(0x2B, "delete-on-close", _LIFETIME)
@dataclass(frozen=True, slots=True)
class DeleteOnClose:
    """A dynamic node lives as long as the link that made it [1.0 §3.5.10]."""


@mypyc_attr(native_class=False)
@composite(0x2C, "delete-on-no-links", _LIFETIME)
@dataclass(frozen=True, slots=True)
class DeleteOnNoLinks:
    """A dynamic node lives until no link is attached to it [1.0 §3.5.11]."""


@mypyc_attr(native_class=False)
@composite(0x2D, "delete-on-no-messages", _LIFETIME)
@dataclass(frozen=True, slots=True)
class DeleteOnNoMessages:
    """A dynamic node lives until it has no messages and its link is closed [1.0 §3.5.12]."""


@mypyc_attr(native_class=False)
@composite(0x2E, "delete-on-no-links-or-messages", _LIFETIME)
@dataclass(frozen=True, slots=True)
class DeleteOnNoLinksOrMessages:
    """A dynamic node lives until it has no messages and no links [1.0 §3.5.13]."""


@mypyc_attr(native_class=False)
@composite(0x28, "source")
@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a link's messages come from [1.0 §3.5.3]; unknown filters stay Described."""

    address: str | None = field(default=None, metadata=wire("string"))
    durable: int = field(default=0, metadata=wire("uint", choices=_DURABILITIES))
    expiry_policy: str = field(default="session-end", metadata=wire("symbol", choices=_EXPIRIES))
    timeout: int = field(default=0, metadata=wire("uint"))
    dynamic: bool = field(default=False, metadata=wire("boolean"))
    dynamic_node_properties: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))
    distribution_mode: str | None = field(default=None, metadata=wire("symbol"))
    filter: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))
    default_outcome: DeliveryState | None = field(default=None, metadata=wire(_STATE))
    outcomes: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))


@mypyc_attr(native_class=False)
@composite(0x29, "target")
@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a link's messages go [1.0 §3.5.4]."""

    address: str | None = field(default=None, metadata=wire("string"))
    durable: int = field(default=0, metadata=wire("uint", choices=_DURABILITIES))
    expiry_policy: str = field(default="session-end", metadata=wire("symbol", choices=_EXPIRIES))
    timeout: int = field(default=0, metadata=wire("uint"))
    dynamic: bool = field(default=False, metadata=wire("boolean"))
    dynamic_node_properties: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))
    capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))


@mypyc_attr(native_class=False)
@composite(0x30, "coordinator", "target")
@dataclass(frozen=True, slots=True)
class Coordinator:
    """The target of a link that controls transactions [1.0 §4.5.1]."""

    capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))


# ---- Performatives


@mypyc_attr(native_class=False)
@composite(0x10, "open", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Negotiate connection parameters [1.0 §2.7.1]; idle_time_out is in milliseconds."""

    container_id: str = field(metadata=wire("string"))
    hostname: str | None = field(default=None, metadata=wire("string"))
    max_frame_size: int = field(default=UINT_MAX, metadata=wire("uint"))
    channel_max: int = field(default=USHORT_MAX, metadata=wire("ushort"))
    idle_time_out: int | None = field(default=None, metadata=wire("uint"))
    outgoing_locales: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    incoming_locales: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    offered_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    desired_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    properties: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))


@mypyc_attr(native_class=False)
@composite(0x11, "begin", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Begin a session on a channel [1.0 §2.7.2]."""

    remote_channel: int | None = field(default=None, metadata=wire("ushort"))
    next_outgoing_id: int = field(metadata=wire("uint"))
    incoming_window: int = field(metadata=wire("uint"))
    outgoing_window: int = field(metadata=wire("uint"))
    handle_max: int = field(default=UINT_MAX, metadata=wire("uint"))
    offered_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    desired_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    properties: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))


@mypyc_attr(native_class=False)
@composite(0x12, "attach", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Attach:
    """Attach a link to a session [1.0 §2.7.3]; unsettled maps delivery tags to delivery states."""

    name: str = field(metadata=wire("string"))
    handle: int = field(metadata=wire("uint"))
    role: bool = field(metadata=wire("boolean"))
    snd_settle_mode: int = field(default=SENDER_MIXED, metadata=wire("ubyte", choices=_SENDER_MODES))
    rcv_settle_mode: int = field(default=RECEIVER_FIRST, metadata=wire("ubyte", choices=_RECEIVER_MODES))
    source: Source | Described | None = field(default=None, metadata=wire("source"))
    target: Target | Coordinator | Described | None = field(default=None, metadata=wire("target"))
    unsettled: Mapping[Value, Value] | None = field(default=None, metadata=wire("map"))
    incomplete_unsettled: bool = field(default=False, metadata=wire("boolean"))
    initial_delivery_count: int | None = field(default=None, metadata=wire("uint"))
    max_message_size: int | None = field(default=None, metadata=wire("ulong"))
    offered_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    desired_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
    properties: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))


@mypyc_attr(native_class=False)
@composite(0x13, "flow", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Update a session's windows, and with a handle a link's credit [1.0 §2.7.4]."""

    next_incoming_id: int | None = field(default=None, metadata=wire("uint"))
    incoming_window: int = field(metadata=wire("uint"))
    next_outgoing_id: int = field(metadata=wire("uint"))
    outgoing_window: int = field(metadata=wire("uint"))
    handle: int | None = field(default=None, metadata=wire("uint"))
    delivery_count: int | None = field(default=None, metadata=wire("uint"))
    link_credit: int | None = field(default=None, metadata=wire("uint"))
    available: int | None = field(default=None, metadata=wire("uint"))
    drain: bool = field(default=False, metadata=wire("boolean"))
    echo: bool = field(default=False, metadata=wire("boolean"))
    properties: Mapping[str, Value] = field(default_factory=_nothing, metadata=wire("fields"))


@mypyc_attr(native_class=False)
@composite(0x14, "transfer", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Carry (a part of) a message [1.0 §2.7.5]; on the hot path `transfers` reads and writes it."""

    handle: int = field(metadata=wire("uint"))
    delivery_id: int | None = field(default=None, metadata=wire("uint"))
    delivery_tag: bytes | None = field(default=None, metadata=wire("binary"))
    message_format: int | None = field(default=None, metadata=wire("uint"))
    settled: bool | None = field(default=None, metadata=wire("boolean"))
    more: bool = field(default=False, metadata=wire("boolean"))
    rcv_settle_mode: int | None = field(default=None, metadata=wire("ubyte", choices=_RECEIVER_MODES))
    state: DeliveryState | None = field(default=None, metadata=wire(_STATE))
    resume: bool = field(default=False, metadata=wire("boolean"))
    aborted: bool = field(default=False, metadata=wire("boolean"))
    batchable: bool = field(default=False, metadata=wire("boolean"))


@mypyc_attr(native_class=False)
@composite(0x15, "disposition", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Disposition:
    """Send the state of the deliveries first to last [1.0 §2.7.6]; a last of None means first alone."""

    role: bool = field(metadata=wire("boolean"))
    first: int = field(metadata=wire("uint"))
    last: int | None = field(default=None, metadata=wire("uint"))
    settled: bool = field(default=False, metadata=wire("boolean"))
    state: DeliveryState | None = field(default=None, metadata=wire(_STATE))
    batchable: bool = field(default=False, metadata=wire("boolean"))


@mypyc_attr(native_class=False)
@composite(0x16, "detach", _PERFORMATIVE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Detach:
    """Detach a link, or close it [1.0 §2.7.7]."""

    handle: int = field(metadata=wire("uint"))
    closed: bool = field(default=False, metadata=wire("boolean"))
    error: AmqpError | None = field(default=None, metadata=wire("error"))


@mypyc_attr(native_class=False)
@composite(0x17, "end", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class End:
    """End a session [1.0 §2.7.8]."""

    error: AmqpError | None = field(default=None, metadata=wire("error"))


@mypyc_attr(native_class=False)
@composite(0x18, "close", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class Close:
    """Close a connection [1.0 §2.7.9]."""

    error: AmqpError | None = field(default=None, metadata=wire("error"))


# ---- SASL


@mypyc_attr(native_class=False)
@composite(0x40, "sasl-mechanisms", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class SaslMechanisms:
    """The mechanisms that the server accepts [1.0 §5.3.3.1]."""

    sasl_server_mechanisms: tuple[str, ...] = field(metadata=wire("symbol", multiple=True))


@mypyc_attr(native_class=False)
@composite(0x41, "sasl-init", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class SaslInit:
    """The mechanism that the client chose [1.0 §5.3.3.2]."""

    mechanism: str = field(metadata=wire("symbol"))
    initial_response: bytes | None = field(default=None, metadata=wire("binary"))
    hostname: str | None = field(default=None, metadata=wire("string"))


@mypyc_attr(native_class=False)
@composite(0x42, "sasl-challenge", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class SaslChallenge:
    """The server's challenge [1.0 §5.3.3.3]."""

    challenge: bytes = field(metadata=wire("binary"))


@mypyc_attr(native_class=False)
@composite(0x43, "sasl-response", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class SaslResponse:
    """The client's response [1.0 §5.3.3.4]."""

    response: bytes = field(metadata=wire("binary"))


@mypyc_attr(native_class=False)
@composite(0x44, "sasl-outcome", _PERFORMATIVE)
@dataclass(frozen=True, slots=True)
class SaslOutcome:
    """The result of the exchange [1.0 §5.3.3.5]; code is SASL_OK or the reason for a failure."""

    code: int = field(
        metadata=wire("ubyte", choices=(SASL_OK, SASL_AUTH, SASL_SYS, SASL_SYS_PERM, SASL_SYS_TEMP))
    )
    additional_data: bytes | None = field(default=None, metadata=wire("binary"))


Performative: TypeAlias = (
    Open
    | Begin
    | Attach
    | Flow
    | Transfer
    | Disposition
    | Detach
    | End
    | Close
    | SaslMechanisms
    | SaslInit
    | SaslChallenge
    | SaslResponse
    | SaslOutcome
)

_T = TypeVar("_T")


def decode_performative(data: bytes, start: i64, end: i64) -> tuple[Performative, int]:
    """The performative at start, and the position after it, where a transfer's payload starts.

    Raises:
        FieldError: a field is missing, of the wrong type or out of range.
        DecodeError: the bytes are not a performative.
    """
    decoder = Decoder(data, start, end)
    value = composed(decoder.read())
    if family_of(value) != _PERFORMATIVE:
        raise DecodeError(f"a frame must start with a performative, not with {value!r:.80}")
    return cast("Performative", value), decoder.pos


def encode_performative(performative: Performative) -> bytes:
    """The performative's bytes, a frame's body.

    Raises:
        EncodeError: a field's value is of the wrong type or out of range.
    """
    return encode_value(decomposed(performative))


def decode_composite(data: bytes, expected: type[_T]) -> _T:
    """Decode a composite, such as the body of a message to a coordinator.

    Raises:
        DecodeError: data is something else.
    """
    decoder = Decoder(data, 0, len(data))
    value = composed(decoder.read())
    if not isinstance(value, expected) or decoder.pos != len(data):
        raise DecodeError(f"expected {expected.__name__}, not {value!r:.80}")
    return value
