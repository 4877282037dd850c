"""Properties of messages of AMQP 0-9-1, as pamqp encodes them, drawn by Hypothesis."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st
from pamqp import commands, header

SHORT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60)
ASCII = st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=1, max_size=60)
# pamqp cuts names of more than 128 bytes.
NAME = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=32)
NAMES = NAME.filter(lambda name: not name.startswith(("x-opt-", "JMSX", "x-delivery")))
# pamqp takes later ones for milliseconds.
MOMENTS = st.integers(86_400, 2**32 - 1).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
SIMPLE = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.text(max_size=300),
    st.none(),
    MOMENTS,
    st.binary(max_size=300).map(bytearray),
    st.decimals(-(10**6), 10**6, places=3),
)
FIELDS = st.recursive(
    SIMPLE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAME, inner, max_size=4),
    max_leaves=12,
)
PROPERTIES = st.fixed_dictionaries(
    {},
    optional={
        "content_type": ASCII,
        "content_encoding": ASCII,
        "headers": st.dictionaries(NAMES, FIELDS, min_size=1, max_size=5),
        "delivery_mode": st.sampled_from([1, 2]),
        "priority": st.integers(0, 255),
        "correlation_id": SHORT,
        "reply_to": SHORT,
        "expiration": st.integers(1, 2**32 - 1).map(str),
        "message_id": SHORT,
        "timestamp": MOMENTS,
        "message_type": SHORT,
        "user_id": SHORT,
        "app_id": SHORT,
    },
)


def payload(**properties: Any) -> bytes:
    """A content header's payload, by pamqp."""
    return header.ContentHeader(body_size=0, properties=commands.Basic.Properties(**properties)).marshal()
