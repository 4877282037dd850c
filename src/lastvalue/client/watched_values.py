"""The values of a watcher's keys, and which of them have changed since its reader looked."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

from lastvalue.client.annotated_fields import is_only_a_value
from lastvalue.client.message import Message
from lastvalue.client.message_key import message_key
from lastvalue.client.values import Key
from lastvalue.model.composite_key import is_composite_key
from lastvalue.model.jsonable import compact_json

GONE: Final = "unknown"
"""Why a key has no value any more, where that happened while the watcher was away for too long."""


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to a key.

    Attributes:
        key: the key.
        value: its value now, or None if it has none any more.
        reason: why it has none: the broker's reason, or `unknown` if that was while the watcher was away for
            too long; else None.
    """

    key: Key
    value: Message | None
    reason: str | None = None


@final
class WatchedValues:
    """The newest message of each key, made of what a browser that watches gets.

    Attributes:
        values: by key; who has it must not change it.
        complete: all values are there, or again all that has changed since the last interruption.
    """

    def __init__(self, on_change: Callable[[Change], None] | None) -> None:
        self.values: dict[Key, Message] = {}
        self.complete = False
        self._on_change = on_change
        # The keys that have come since the first values began; None once these are complete.
        self._first: set[Key] | None = set()
        # The keys that have changed, in order of their last changes, and why one has no value.
        self._changed: dict[Key, str | None] = {}

    def tell_all(self) -> None:
        """Let every key that has a value count as changed, and no other."""
        self._changed = dict.fromkeys(self.values)

    def take_changed(self) -> dict[Key, str | None]:
        """The keys that have changed, for `change_of`; they count as unchanged afterwards."""
        changed, self._changed = self._changed, {}
        return changed

    def change_of(self, key: Key, reason: str | None) -> Change:
        """What has happened to a key of `take_changed`, up to now: it is not told again."""
        if self._changed:
            reason = self._changed.pop(key, reason)
        value = self.values.get(key)
        return Change(key, value) if value is not None else Change(key, None, reason)

    def interrupted(self) -> None:
        """The connection is lost."""
        self.complete = False
        self._first = set()

    def take(self, messages: Iterable[Message], key_property: str) -> None:
        """Take what has come from a queue whose option `lvq_key` is `key_property`."""
        values, changed = self.values, self._changed
        one_property = not is_composite_key(key_property)
        for message in messages:
            if one_property:
                key: Any = message.properties.get(key_property)
            else:
                key = message_key(message.properties, key_property)
            value = message
            if not is_only_a_value(message.__dict__):
                if message.snapshot is not None:
                    self._mark(message.snapshot)
                    continue
                if message.removed is not None:
                    self._remove(key, message.removed)
                    continue
                if message.delta is not None:
                    body = _patched(values[key].body, message.body)
                    value = replace(message, body=body, delta=None)
            values[key] = value
            if self._first is not None:
                self._first.add(key)
            changed.pop(key, None)
            changed[key] = None
            if self._on_change is not None:
                self._on_change(Change(key, value))

    def _remove(self, key: Key, reason: str) -> None:
        if self._first is not None:
            self._first.discard(key)
        if self.values.pop(key, None) is None:
            return
        self._changed.pop(key, None)
        self._changed[key] = reason
        if self._on_change is not None:
            self._on_change(Change(key, None, reason))

    def _mark(self, kind: str) -> None:
        if kind == "begun":
            self._first = set()
            return
        first, self._first = self._first, None
        if kind == "fresh" and first is not None:
            for key in self.values.keys() - first:
                self._remove(key, GONE)
        self.complete = True


def _patched(body: object, patch: object) -> object:
    """A body after a merge patch [RFC 7396] in its form: a map, or JSON as text or bytes."""
    if isinstance(body, str | bytes) and isinstance(patch, str | bytes):
        merged = _merged(json.loads(body), json.loads(patch))
        text = compact_json(merged)
        return text.encode() if isinstance(body, bytes) else text
    return _merged(body, patch)


def _merged(before: object, patch: object) -> object:
    if not isinstance(patch, Mapping):
        return patch
    result: dict[str, object] = dict(before) if isinstance(before, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = _merged(result.get(name), value)
    return result
