"""Trace contexts of what a value has replaced, so that its readers can link to them [W3C Trace Context]."""

from typing import Final

from mypy_extensions import i64

from lastvalue.model.message import Message, PropertyName
from lastvalue.model.property_names import TRACE_PARENT
from lastvalue.queues.entry import Entry

SIZE: Final = 55
"""Characters of a trace context of version 00."""

_TRACE_PARENT: Final = PropertyName(TRACE_PARENT)


def replaced_traces(message: Message, previous: Entry, most: i64) -> str:
    """The trace contexts of the entry that a message replaces and of those before it.

    The newest comes first, and spaces are between. A text of another size is none; nor is what the message
    has itself, as where a policy keeps the properties of the earlier one.
    """
    own = previous.message.text(_TRACE_PARENT)
    if own is None or len(own) != SIZE or " " in own or not own.isascii():
        return previous.replaced_traces
    if own == message.text(_TRACE_PARENT):
        return previous.replaced_traces
    earlier = previous.replaced_traces[: (most - 1) * (SIZE + 1)].rstrip()
    return f"{own} {earlier}".rstrip()
