"""Facts about the keys of a last-value queue: how old their values are, and how often they are updated."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lastvalue.client.errors import MalformedMessageError
from lastvalue.client.management import Management
from lastvalue.client.values import Key


class KeyOrder(Enum):
    """Which keys come first."""

    AGE = "age"
    """Those whose values are oldest."""
    UPDATES = "updates"
    """Those that are updated most, as far as the queue counts it (`top_talkers`)."""


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """A key of a queue.

    Attributes:
        sequence, updates: of its value; 0 where the order is that of updates.
        since_ms: since when it has that value, milliseconds since the epoch; 0 likewise.
        age_ms: for how long, by the broker's clock.
        messages: how many messages of it came, at most; 0 where the order is that of age.
        error: by how many that may be too many.
    """

    key: Key
    sequence: int = 0
    since_ms: int = 0
    age_ms: int = 0
    updates: int = 0
    messages: int = 0
    error: int = 0


async def list_keys(management: Management, queue: str, by: KeyOrder, limit: int) -> list[KeyFacts]:
    """The first keys of a queue in that order.

    Raises:
        ValueError: there is no such order.
        QueueNotFoundError, RefusedError: it does not exist or has no keys, does not count updates, or the
            user may not browse it.
    """
    answer: Any = await management.ask("KEYS", queue, {"by": KeyOrder(by).value, "limit": limit})
    keys = answer.get("keys") if isinstance(answer, Mapping) else None
    if not isinstance(keys, list) or not all(isinstance(each, Mapping) for each in keys):
        raise MalformedMessageError("the broker's answer has no keys")
    return [KeyFacts(**{str(name): value for name, value in each.items()}) for each in keys]
