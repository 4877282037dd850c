"""What AMQP 1.0 peers send, to test with: performatives and messages, in every encoding they may choose."""

from typing import Any

from amqp10_material import EXAMPLES, scalars, symbols, values, written
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    Attach,
    Begin,
    Close,
    DeliveryState,
    Detach,
    Disposition,
    End,
    Flow,
    Modified,
    Open,
    Performative,
    Received,
    Rejected,
    Released,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    Source,
    Target,
    Transfer,
)
from lastvalue.codec.amqp10.values import (
    Byte,
    Char,
    Described,
    Float,
    Int,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    Value,
)
from lastvalue.model.message import PropertyName

property_test = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The settings of every property test of the codec."""

KEY = PropertyName("key")

# ---- Performatives

uints = st.integers(0, 300) | st.integers(0, 2**32 - 1)
names = st.text(max_size=8)
symbol_tuples = st.lists(symbols.map(str), max_size=3).map(tuple)
fields_maps = st.dictionaries(symbols, scalars, max_size=3)
errors = st.builds(AmqpError, symbols.map(str), st.none() | names, fields_maps)
states: st.SearchStrategy[DeliveryState] = st.one_of(
    st.just(Accepted()),
    st.just(Released()),
    st.builds(Rejected, st.none() | errors),
    st.builds(Modified, delivery_failed=st.booleans(), message_annotations=fields_maps),
    st.builds(Received, section_number=uints, section_offset=uints),
    st.builds(Described, st.just(Symbol("x:state")), st.just([])),
)
sources = st.builds(
    Source,
    address=st.none() | names,
    durable=st.integers(0, 2),
    distribution_mode=st.sampled_from([None, "copy", "move"]),
    filter=fields_maps,
    default_outcome=st.none() | states,
    outcomes=symbol_tuples,
)
targets = st.builds(Target, address=st.none() | names, dynamic=st.booleans(), capabilities=symbol_tuples)
transfers = st.builds(
    Transfer,
    handle=uints,
    delivery_id=st.none() | uints,
    delivery_tag=st.none() | st.binary(max_size=32),
    message_format=st.none() | st.just(0) | uints,
    settled=st.none() | st.booleans(),
    more=st.booleans(),
    rcv_settle_mode=st.none() | st.integers(0, 1),
    state=st.none() | states,
    resume=st.booleans(),
    aborted=st.booleans(),
    batchable=st.booleans(),
)
dispositions = st.builds(
    Disposition,
    role=st.booleans(),
    first=uints,
    last=st.none() | uints,
    settled=st.booleans(),
    state=st.none() | states,
    batchable=st.booleans(),
)
performatives: st.SearchStrategy[Performative] = st.one_of(
    st.builds(
        Open, container_id=names, hostname=st.none() | names, max_frame_size=uints, properties=fields_maps
    ),
    st.builds(Begin, next_outgoing_id=uints, incoming_window=uints, outgoing_window=uints),
    st.builds(
        Attach,
        name=names,
        handle=uints,
        role=st.booleans(),
        source=st.none() | sources,
        target=st.none() | targets,
        unsettled=st.none() | st.dictionaries(st.binary(max_size=4), st.none() | states, max_size=3),
        max_message_size=st.none() | st.integers(0, 2**64 - 1),
        desired_capabilities=symbol_tuples,
    ),
    st.builds(
        Flow,
        incoming_window=uints,
        next_outgoing_id=uints,
        outgoing_window=uints,
        handle=st.none() | uints,
        link_credit=st.none() | uints,
        drain=st.booleans(),
    ),
    transfers,
    dispositions,
    st.builds(Detach, handle=uints, closed=st.booleans(), error=st.none() | errors),
    st.builds(End, st.none() | errors),
    st.builds(Close, st.none() | errors),
    st.builds(SaslMechanisms, symbol_tuples),
    st.builds(SaslInit, symbols.map(str), st.none() | st.binary(max_size=8)),
    st.builds(SaslOutcome, st.integers(0, 4)),
)

_UINT_FIELDS = ("handle", "delivery_id", "message_format", "first", "last")


def plain(performative: Transfer | Disposition) -> Value:
    """The described list that a transfer or disposition with a plain state is."""
    names_in_order = type(performative).__dataclass_fields__
    items: list[Value] = []
    for name in names_in_order:
        item = getattr(performative, name)
        if name in _UINT_FIELDS and item is not None:
            item = UInt(item)
        elif name == "rcv_settle_mode" and item is not None:
            item = UByte(item)
        elif isinstance(item, Accepted):
            item = Described(ULong(0x24), [])
        elif isinstance(item, Released):
            item = Described(ULong(0x26), [])
        items.append(item)
    return Described(ULong(0x14 if isinstance(performative, Transfer) else 0x15), items)


digits = st.text("123", max_size=2)
plain_states = st.sampled_from([None, Accepted(), Released()])


@st.composite
def as_peers_write(draw: st.DrawFn, kind: st.SearchStrategy[Any]) -> bytes:
    """A transfer or disposition in any of the encodings that a peer may choose, and some payload."""
    described = plain(draw(kind))
    assert isinstance(described, Described)
    items = described.value
    assert isinstance(items, list)
    # A peer may leave out trailing nulls, or not.
    while items and items[-1] is None and draw(st.booleans()):
        items.pop()
    return draw(written(described)) + draw(st.binary(max_size=8))


plain_transfers = st.builds(
    Transfer,
    handle=uints,
    delivery_id=st.none() | uints,
    delivery_tag=st.none() | st.binary(max_size=32),
    message_format=st.sampled_from([None, 0, 5]),
    settled=st.none() | st.booleans(),
    more=st.booleans(),
    rcv_settle_mode=st.sampled_from([None, None, None, 0, 1]),
    state=plain_states,
    resume=st.booleans(),
    aborted=st.booleans(),
    batchable=st.booleans(),
)
plain_dispositions = st.builds(
    Disposition,
    role=st.booleans(),
    first=uints,
    last=st.none() | uints,
    settled=st.booleans(),
    state=plain_states,
    batchable=st.booleans(),
)

# ---- Messages

contents = st.builds(
    MessageContent,
    durable=st.booleans(),
    priority=st.integers(0, 255),
    ttl_ms=st.none() | uints,
    delivery_count=uints,
    message_annotations=st.dictionaries(st.sampled_from(["key", "x-opt-updates", "x"]), scalars, max_size=3),
    message_id=st.none() | st.integers(0, 2**64 - 1) | st.uuids() | st.binary(max_size=8) | names,
    subject=st.none() | names,
    absolute_expiry_time=st.none() | st.integers(0, 2**63 - 1),
    group_id=st.none() | names,
    application_properties=st.dictionaries(
        st.sampled_from(["key", "subject", "", "other"]), scalars, max_size=4
    ),
    body=st.binary(max_size=300),
    body_kind=st.just(BodyKind.DATA),
) | st.builds(MessageContent, body=values)
payloads = contents.map(encode_content)


@st.composite
def payloads_as_peers_write(draw: st.DrawFn) -> tuple[bytes, dict[str, Value]]:
    """A message whose application properties are in any encoding, and those properties."""
    properties: dict[str, Value] = draw(
        st.dictionaries(st.sampled_from(["key", "other", "x" * 300]), scalars, max_size=3)
    )
    sections = [Described(ULong(0x74), properties), Described(Symbol("amqp:data:binary"), b"x")]
    return b"".join([draw(written(section)) for section in sections]), properties


def with_key(value: Value) -> bytes:
    return encode_content(MessageContent(application_properties={"key": value}))


# Each family's values are one key when they are equal; values of two families never are.
families: st.SearchStrategy[tuple[str, Value]] = st.one_of(
    st.tuples(
        st.just("integer"),
        st.builds(
            lambda kind, number: kind(number),
            st.sampled_from([UByte, UInt, ULong, Byte, Short, Int, int]),
            st.integers(0, 3),
        ),
    ),
    st.tuples(
        st.just("text"), st.builds(lambda kind, text: kind(text), st.sampled_from([str, Symbol]), digits)
    ),
    st.tuples(st.just("boolean"), st.booleans()),
    st.tuples(st.just("number"), st.sampled_from([0.0, -0.0, 1.0, Float(1.0)])),
    st.tuples(st.just("timestamp"), st.integers(0, 3).map(Timestamp)),
    st.tuples(st.just("binary"), st.binary(max_size=1)),
    st.tuples(st.just("char"), digits.filter(lambda text: len(text) == 1).map(Char)),
)
