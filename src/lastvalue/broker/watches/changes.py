"""What a reader's last value of each key was, so that it is sent only what is new in the next one."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Final

from lastvalue.codec.amqp10.conflated_body import as_map
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.sections import MOST_STRUCTURE_BYTES, check_structure
from lastvalue.model.jsonable import compact_json
from lastvalue.model.memory_budget import COMPARED_VALUE_BYTES, MemoryAccount
from lastvalue.queues.watch_terms import UNCHANGED_BODY, WatchTerms

FIELD_FACTOR: Final = 8
"""How much larger, about, a body with fields is than its encoding."""


@dataclass(frozen=True, slots=True)
class Body:
    """A body that a reader has.

    Attributes:
        raw: as `decode_content` gives it.
        fields: it as a map, or None if it is no map.
        size_bytes: the memory that it takes, about.
    """

    raw: Any
    fields: dict[str, Any] | None
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Written:
    """What a reader is sent.

    Attributes:
        payload: the message.
        delta: whether its body is a merge patch.
    """

    payload: bytes
    delta: bool = False


class Changes:
    """Compares values with the reader's last ones, of at most `max_keys` keys, those sent last.

    If there is no memory for that many, it is of fewer: the next value of another key is sent whole.
    A message whose body is a map, or JSON of one as a text or as bytes, has fields.
    """

    def __init__(self, terms: WatchTerms, memory: MemoryAccount) -> None:
        self._terms = terms
        self._memory = memory
        self._fields = terms.unchanged[1:]
        self._whole = terms.unchanged == (UNCHANGED_BODY,)
        self._bands = dict(terms.dead_band)
        self._last: OrderedDict[bytes, Body] = OrderedDict()

    def forget(self, key: bytes) -> None:
        """The reader has no value of the key any more."""
        last = self._last.pop(key, None)
        if last is not None:
            self._memory.release(last.size_bytes)

    def forget_all(self) -> None:
        """The reader asks for full values; each key's next one is sent whole."""
        for last in self._last.values():
            self._memory.release(last.size_bytes)
        self._last.clear()

    def write(self, key: bytes, payload: bytes) -> Written | None:
        """What the reader is sent for a new value; None if that is nothing. A large one is not compared."""
        if len(payload) > MOST_STRUCTURE_BYTES:
            self.forget(key)
            return Written(payload)
        try:
            check_structure(payload)
            content = decode_content(payload)
        except DecodeError:
            self.forget(key)
            return Written(payload)
        fields = as_map(content.body)
        factor = 1 if fields is None else FIELD_FACTOR
        body = Body(content.body, fields, COMPARED_VALUE_BYTES + factor * len(payload))
        last = self._last.get(key)
        if last is not None and self._is_unchanged(last, body):
            return None
        self._keep(key, body)
        if not self._terms.delta or last is None or last.fields is None or body.fields is None:
            return Written(payload)
        return self._delta(payload, content, last.fields, body)

    def _keep(self, key: bytes, body: Body) -> None:
        """Remember what the reader has of a key, and forget those sent first for which there is no room."""
        self.forget(key)
        while len(self._last) >= self._terms.max_keys or not self._memory.has_room(body.size_bytes):
            if not self._last:
                return
            self.forget(next(iter(self._last)))
        self._memory.add(body.size_bytes)
        self._last[key] = body

    def _delta(self, payload: bytes, content: MessageContent, last: dict[str, Any], body: Body) -> Written:
        patch = merge_patch(last, body.fields or {})
        if patch is None:
            return Written(payload)
        if isinstance(body.raw, bytes):
            changed = replace(content, body=compact_json(patch).encode(), body_kind=BodyKind.DATA)
        elif isinstance(body.raw, str):
            changed = replace(content, body=compact_json(patch), body_kind=BodyKind.VALUE)
        else:
            changed = replace(content, body=patch, body_kind=BodyKind.VALUE)
        try:
            encoded = encode_content(changed)
        except EncodeError:
            return Written(payload)
        return Written(encoded, delta=True) if len(encoded) < len(payload) else Written(payload)

    def _is_unchanged(self, last: Body, body: Body) -> bool:
        if last.fields is None or body.fields is None:
            return self._whole and last.raw == body.raw
        if not self._terms.unchanged and not self._bands:
            return False
        names = self._fields or tuple({**last.fields, **body.fields})
        return all(self._alike(name, last.fields.get(name), body.fields.get(name)) for name in names)

    def _alike(self, name: str, before: Any, after: Any) -> bool:
        band = self._bands.get(name)
        if band is not None and _is_number(before) and _is_number(after):
            return _is_within(before, after, band)
        return type(before) is type(after) and bool(before == after)


def _is_within(before: Any, after: Any, band: float) -> bool:
    """Whether two numbers are at most so far apart."""
    try:
        return bool(abs(after - before) <= band)
    except OverflowError:
        # JSON has integers that no double can have, and no double is near them.
        return False


def merge_patch(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
    """[RFC 7396] The patch that makes one map of another; None if a null in it has no patch."""
    patch: dict[str, Any] = {name: None for name in before if name not in after}
    for name, value in after.items():
        if value is None:
            if name in before and before[name] is None:
                continue
            return None
        known = before.get(name)
        if isinstance(value, dict) and isinstance(known, dict):
            inner = merge_patch(known, value)
            if inner is None:
                return None
            if inner:
                patch[name] = inner
        elif isinstance(value, dict) and _has_null(value):
            return None
        elif name not in before or type(known) is not type(value) or known != value:
            patch[name] = value
    return patch


def _has_null(value: dict[str, Any]) -> bool:
    return any(each is None or (isinstance(each, dict) and _has_null(each)) for each in value.values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
