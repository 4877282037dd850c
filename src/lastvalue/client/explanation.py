"""Explanations: what became of a message, or of the value of a key."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
        newer: the sequence of the message because of which it left: the newer value of its key, the message
            that deleted its key, the one for which a full queue dropped it, or the one that had its id.
        user: who consumed or removed it, holds it, or sent `newer`; empty where nobody did or the broker does
            not know.
        message_id: the producer's identifier of it; empty where it has none.
        rule: what decided, where the reason does not say all: both order values, the queue's filter, or the
            priority with which it was put in again.
        destination: where a command moved it, or the exchange or queue that the queue names for messages that
            leave so.
    """

    sequence: int
    text: str
    time_ms: int | None = None
    reason: str = ""
    arrival_ms: int = field(default=0, kw_only=True)
    updates: int = field(default=1, kw_only=True)
    newer: int | None = field(default=None, kw_only=True)
    user: str = field(default="", kw_only=True)
    message_id: str = field(default="", kw_only=True)
    rule: str = field(default="", kw_only=True)
    destination: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Explanations:
    """The answer to why.

    Attributes:
        found: newest first: the present value of the key, if it was asked for, and the removals.
        remembers: the queue's `removal_log`; at 0 it remembers a few messages, and only the newest.
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
    found += [explain_removal(removal) for removal in answer["removals"]]
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


def explain_removal(fields: Mapping[str, object]) -> Explanation:
    """The explanation of a removal by its fields in the answer to WHY; the reason alone is in each."""
    reason, user = str(fields.get("reason", "")), str(fields.get("user", ""))
    removal = Explanation(
        _number(fields, "sequence"),
        "",
        _number(fields, "time_ms"),
        reason,
        arrival_ms=_number(fields, "arrival_ms"),
        updates=_number(fields, "updates") or 1,
        newer=_number(fields, "newer") or None,
        user=user,
        message_id=str(fields.get("message_id", "")),
        rule=str(fields.get("rule", "")),
        destination=str(fields.get("destination", "")),
    )
    return replace(removal, text=_sentence(removal))


def _sentence(removal: Explanation) -> str:
    reason, newer, rule, user, destination = (
        removal.reason,
        removal.newer,
        removal.rule,
        removal.user,
        removal.destination,
    )
    by, of = ("" if newer else _by(user)), _of(user)
    if reason == "moved":
        # Only a command moves messages, and it says where to.
        where = f"put in again with {rule}" if rule else "moved to another queue"
        return f"moved to {destination!r}{by}" if destination else where + by
    if newer == removal.sequence and reason in _OWN:
        return _OWN[reason] + (f"; such messages go to {destination!r}" if destination else "")
    text = _SENTENCES.get(reason, reason.replace("_", " ")).format(by=by, of=of)
    if newer and reason in _CAUSED:
        text += _CAUSED[reason].format(newer=newer)
    if rule:
        text += f": {rule}"
    if destination:
        text += f"; such messages go to {destination!r}"
    return text


_SENTENCES: Final = {
    "replaced": "replaced by a newer value of its key",
    "stale": "stale, a newer value of its key was there",
    "expired": "its time was over",
    "accepted": "a consumer{of} accepted it",
    "rejected": "a consumer{of} rejected it",
    "dead_lettered": "its deliveries failed as often as the queue allows, the last one to a consumer{of}",
    "overflow": "the queue was full",
    "purged": "purged{by}",
    "deleted": "the queue was deleted",
    "filtered": "the queue's filter did not select it",
    "duplicate": "the queue had taken a message of the same id",
    "key_deleted": "its key was deleted{by}",
    "aged": "it was its key's value for longer than the queue allows",
}
_CAUSED: Final = {
    "replaced": ", {newer}",
    "stale": ", {newer}",
    "overflow": " when {newer} came, and it was the first to leave",
    "duplicate": ", {newer}",
    "key_deleted": " by message {newer}",
}
"""How a sentence continues if it is known which message was the cause."""
_OWN: Final = {
    "overflow": "the queue was full when it came",
    "key_deleted": "it deleted the value of its key",
}
"""Where that is the message itself."""


def _by(user: str) -> str:
    return f" by {user}" if user else ""


def _of(user: str) -> str:
    return f" of {user}" if user else ""


def _number(fields: Mapping[str, object], name: str) -> int:
    number = fields.get(name)
    return number if isinstance(number, int) else 0
