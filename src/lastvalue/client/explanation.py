"""Explanations: what became of a message, or of the value of a key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from lastvalue.client.errors import MalformedMessageError


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of one message of a queue.

    Attributes:
        sequence: the queue's number for it.
        text: one sentence.
        time_ms: when it left, milliseconds since the epoch; None while it is on the queue.
        reason: why it left, as in `QueueInfo.removed`; empty while it is on the queue.
        arrival_ms: when it came.
        updates: how many updates it stood for.
        user: who consumed or removed it, or holds it; empty where nobody did or the broker does not know.
        message_id: the producer's identifier of it; empty where it has none.
        rule: what decided, where the reason does not say all: both order values, or the queue's filter.
        destination: the exchange or queue that the queue names for messages that leave so.
    """

    sequence: int
    text: str
    time_ms: int | None = None
    reason: str = ""
    arrival_ms: int = field(default=0, kw_only=True)
    updates: int = field(default=1, kw_only=True)
    user: str = field(default="", kw_only=True)
    message_id: str = field(default="", kw_only=True)
    rule: str = field(default="", kw_only=True)
    destination: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Explanations:
    """The answer to why.

    Attributes:
        found: newest first: the present value of the key, if it was asked for, and the removals.
        remembers: of how many messages the queue remembers why they left.
        last: the last sequence that the queue gave.
    """

    found: list[Explanation]
    remembers: int
    last: int


def explanations(answer: object) -> Explanations:
    """Decode the answer to WHY.

    Raises:
        MalformedMessageError: it is none.
    """
    if not isinstance(answer, Mapping) or not isinstance(answer.get("removals"), list):
        raise MalformedMessageError("the broker's answer has no removals")
    current = answer.get("current")
    found = [] if current is None else [_present(current)]
    newer = found[0].sequence if found else None
    for removal in answer["removals"]:
        found.append(explain_removal(removal, newer))
        if found[-1].reason not in _NEVER_TAKEN:
            newer = found[-1].sequence
    return Explanations(found, int(answer["remembers"]), int(answer["last"]))


def _present(fields: Mapping[str, object]) -> Explanation:
    text = "it is the value of its key"
    user = str(fields.get("user", ""))
    if fields.get("held"):
        text += f", and a consumer{_of(user)} holds it"
    return Explanation(
        _number(fields, "sequence"),
        text,
        arrival_ms=_number(fields, "arrival_ms"),
        updates=_number(fields, "updates"),
        user=user,
    )


def explain_removal(fields: Mapping[str, object], newer: int | None = None) -> Explanation:
    """The explanation of a removal by its fields in the answer to WHY; `newer` is the key's next sequence."""
    reason, user = str(fields.get("reason", "")), str(fields.get("user", ""))
    rule, destination = str(fields.get("rule", "")), str(fields.get("destination", ""))
    text = _SENTENCES.get(reason, reason.replace("_", " ")).format(by=_by(user), of=_of(user), rule=rule)
    # A broker may know no rule.
    text = text.rstrip(" ,:")
    if reason == "replaced" and newer is not None:
        text += f", {newer}"
    if destination:
        text += f"; such messages go to {destination!r}"
    return Explanation(
        _number(fields, "sequence"),
        text,
        _number(fields, "time_ms"),
        reason,
        arrival_ms=_number(fields, "arrival_ms"),
        updates=_number(fields, "updates"),
        user=user,
        message_id=str(fields.get("message_id", "")),
        rule=rule,
        destination=destination,
    )


_NEVER_TAKEN: Final = ("stale", "filtered", "duplicate")
"""Why a message leaves that never was the value of its key."""

_SENTENCES: Final = {
    "replaced": "replaced by a newer value of its key",
    "stale": "stale: a newer value of its key was there, {rule}",
    "expired": "its time was over",
    "accepted": "a consumer{of} accepted it",
    "rejected": "a consumer{of} rejected it",
    "dead_lettered": "its deliveries failed as often as the queue allows, the last one to a consumer{of}",
    "overflow": "the queue was full, and it was the oldest message",
    "purged": "purged{by}",
    "moved": "moved to another queue{by}",
    "deleted": "the queue was deleted",
    "filtered": "the queue's filter did not select it: {rule}",
    "duplicate": "the queue had taken a message of the same id",
    "key_deleted": "its key was deleted{by}",
    "aged": "it was its key's value for longer than the queue allows",
}


def _by(user: str) -> str:
    return f" by {user}" if user else ""


def _of(user: str) -> str:
    return f" of {user}" if user else ""


def _number(fields: Mapping[str, object], name: str) -> int:
    number = fields.get(name)
    return number if isinstance(number, int) else 0
