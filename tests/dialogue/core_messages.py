"""What messages of CORE may have."""

from hypothesis import strategies as st

from lastvalue.codec.core import typed_properties as types
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
