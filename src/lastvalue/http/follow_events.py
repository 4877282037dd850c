"""The events that followers of a queue get, and how messages become events."""

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from lastvalue.client.message_codec import decode_message
from lastvalue.client.message_key import message_key
from lastvalue.http.value_documents import value_document

MOST_CACHED_BYTES: Final = 4096
_OVERHEAD_BYTES: Final = 600


class FollowEvent:
    """An event.

    Attributes:
        kind: `value`, `removed`, `snapshot-begin`, `snapshot-end`, `partition-lost` or `error`.
        data: its JSON.
        token: where a follower that comes back continues, or None.
        key: the key that it is about, with its type, or None.
        sequence: of the message, or None.
    """

    def __init__(
        self, kind: str, data: str, token: str | None, key: object = None, sequence: int | None = None
    ) -> None:
        self.kind = kind
        self.data = data
        self.token = token
        # 1 and True are one key of a dictionary, and two of a queue.
        self.key = (type(key), key)
        self.sequence = sequence

    @cached_property
    def encoded(self) -> bytes:
        """The server-sent event."""
        # An event without an id leaves the follower's last one; an empty id ends it.
        return f"id: {self.token or ''}\r\nevent: {self.kind}\r\ndata: {self.data}\r\n\r\n".encode()

    @property
    def text(self) -> str:
        """The event for a WebSocket."""
        return f'{{"event":"{self.kind}","id":{json.dumps(self.token)},"data":{self.data}}}'

    @property
    def size_bytes(self) -> int:
        """What it takes in memory, about."""
        return 2 * len(self.data) + _OVERHEAD_BYTES

    def without_token(self) -> "FollowEvent":
        """The same for a follower that must not continue from here."""
        return FollowEvent(self.kind, self.data, None, self.key[1], self.sequence)

    def with_data(self, members: str, token: str) -> "FollowEvent":
        """The same with these members of its JSON, which are more than none, and another token."""
        rest = f",{self.data[1:]}" if self.data != "{}" else "}"
        return FollowEvent(self.kind, f"{{{members}{rest}", token, self.key[1], self.sequence)


class FollowBatch:
    """Events that are sent together; many followers may share a batch."""

    def __init__(self, events: Sequence[FollowEvent]) -> None:
        self.events = events

    @cached_property
    def encoded(self) -> bytes:
        """The server-sent events."""
        return b"".join([event.encoded for event in self.events])

    @property
    def token(self) -> str | None:
        """Where a follower continues that has had the batch."""
        return self.events[-1].token if self.events else None


def follow_event(kind: str, data: dict[str, Any], token: str | None = None) -> FollowEvent:
    """An event with this data."""
    return FollowEvent(kind, _json(data), token, data.get("key"), data.get("sequence"))


def event_of(payload: bytes, key_property: str) -> FollowEvent:
    """The event of a message of a watch; what several watches of a queue get is decoded once."""
    return (_cached if len(payload) <= MOST_CACHED_BYTES else _decoded)(payload, key_property)


def _decoded(payload: bytes, key_property: str) -> FollowEvent:
    message = decode_message(payload)
    if message.snapshot == "begun":
        return follow_event("snapshot-begin", {}, message.token)
    if message.snapshot is not None:
        return snapshot_end(message.sequence, message.token, resumed=message.snapshot == "resumed")
    document = value_document(message, key_property)
    document.pop("token", None)
    key = message_key(message.properties, key_property)
    if message.removed is not None:
        fields = {"key": document["key"], "reason": message.removed, "sequence": message.sequence}
        return FollowEvent("removed", _json(fields), message.token, key, message.sequence)
    return FollowEvent("value", _json(document), message.token, key, message.sequence)


_cached = lru_cache(maxsize=2048)(_decoded)


def snapshot_end(sequence: int | None, token: str | None, *, resumed: bool) -> FollowEvent:
    """The marker after the present values, or after what has changed since a follower was there last."""
    return follow_event("snapshot-end", {"sequence": sequence, "resumed": resumed}, token)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))
