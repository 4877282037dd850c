"""What messages of CORE may have."""

from core_peer import head
from hypothesis import strategies as st

from lastvalue.codec.core import typed_properties as types
from lastvalue.codec.core.typed_properties import TypedProperties
from lastvalue.codec.core.writer import CoreWriter

NAMES = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300) | st.sampled_from(
    ["_AMQ_GROUP_ID", "_AMQ_ROUTING_TYPE", "JMSCorrelationID", "JMSReplyTo", "_AMQ_DUPL_ID", "k"]
)
VALUES = st.one_of(
    st.tuples(st.just(types.NULL), st.none()),
    st.tuples(st.just(types.BOOLEAN), st.booleans()),
    st.tuples(st.just(types.BYTE), st.integers(-(2**7), 2**7 - 1)),
    st.tuples(st.just(types.INT), st.integers(-(2**31), 2**31 - 1)),
    st.tuples(st.just(types.LONG), st.integers(-(2**63), 2**63 - 1)),
    st.tuples(st.just(types.DOUBLE), st.floats(allow_nan=False)),
    st.tuples(st.just(types.STRING), NAMES),
)


def text_body(text: str | None) -> bytes:
    writer = CoreWriter()
    writer.nullable_simple_string(text)
    return writer.data()


BODIES = st.tuples(st.sampled_from([0, 4]), st.binary(max_size=400)) | st.tuples(
    st.just(3), (st.none() | NAMES).map(text_body)
)


@st.composite
def jms_heads(draw: st.DrawFn, routing: TypedProperties | None = None) -> bytes:
    """Headers and properties as clients of JMS write them: with and without an id, of several connections."""
    connection = draw(st.sampled_from(["", "c", "d"]))
    properties: TypedProperties = {"t": (types.STRING, connection), **(routing or {})}
    if connection:
        properties = {"__AMQ_CID": (types.STRING, connection), **properties}
    return head(
        draw(st.sampled_from("ab")),
        properties,
        kind=4,
        durable=draw(st.booleans()),
        priority=draw(st.sampled_from([0, 4])),
        user_id=draw(st.sampled_from([None, bytes(16), bytes(range(16))])),
        timestamp=draw(st.sampled_from([0, 7])),
        expiration=draw(st.sampled_from([0, 9])),
    )


@st.composite
def damaged(draw: st.DrawFn, octets: bytes) -> bytes:
    """These octets, whole or with some of them left out, replaced or repeated."""
    start = draw(st.just(len(octets)) | st.integers(0, len(octets)))
    end = draw(st.integers(start, len(octets)))
    return octets[:start] + draw(st.binary(max_size=3) | st.just(octets[start:end])) + octets[end:]
