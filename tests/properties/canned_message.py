"""A message and a subscriber without any protocol."""

from collections.abc import Mapping

from mypy_extensions import i64

from lastvalue.model.message import AT_ONCE, NEVER, FieldValue, Message, OrderValue, PropertyName
from lastvalue.queues.subscription import Subscriber


class UnreadableError(Exception):
    """What a codec raises for a message whose sections are broken."""


class CannedMessage(Message):
    """A message made of a table; a property that is `UnreadableError` raises it."""

    def __init__(
        self,
        properties: Mapping[str, object] | None = None,
        *,
        body: bytes = b"",
        updates: int = 1,
        ttl_ms: int = NEVER,
        expires_ms: int = NEVER,
        priority: int = 4,
        not_before_ms: int = AT_ONCE,
    ) -> None:
        super().__init__(body, False, priority, ttl_ms, expires_ms)
        self.annotated = not_before_ms != AT_ONCE
        self.not_before_ms = not_before_ms
        self.properties = {} if properties is None else properties
        self.count = updates

    def _read(self, name: PropertyName) -> object:
        value = self.properties.get(name.text)
        if value is UnreadableError:
            raise UnreadableError
        return value

    def key(self, name: PropertyName) -> bytes | None:
        value = self._read(name)
        return None if value is None else repr(value).encode()

    def order(self, name: PropertyName) -> OrderValue | None:
        value = self._read(name)
        assert value is None or isinstance(value, int | float | str)
        return value

    def text(self, name: PropertyName) -> str | None:
        value = self._read(name)
        if isinstance(value, bool):
            return "true" if value else "false"
        return None if value is None else str(value)

    def is_empty(self) -> bool:
        return not self.encoded

    def explicit_id(self) -> bytes:
        value = self.properties.get("_AMQ_DUPL_ID", "")
        assert isinstance(value, str)
        return value.encode()

    def field(self, name: str) -> FieldValue:
        if name == "header.priority":
            return int(self.priority)
        if name == "header.durable":
            return self.durable
        if name == "header.ttl":
            return None if self.ttl_ms == NEVER else int(self.ttl_ms)
        value = self._read(PropertyName(name))
        assert value is None or isinstance(value, bool | int | float | str | bytes)
        return value

    def not_before(self, now: i64) -> i64:
        return self.not_before_ms

    def updates(self) -> i64:
        if self.count < 0:
            raise UnreadableError
        return self.count


class Bell(Subscriber):
    """Counts how often it was woken."""

    def __init__(self) -> None:
        self.rung = 0

    def wake(self) -> None:
        self.rung += 1
