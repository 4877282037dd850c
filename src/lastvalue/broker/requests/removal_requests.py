"""Management requests about messages that left a queue.

WHY     one of `key`, `sequence` and `message_id`. The answer has `removals`, the last of these messages that
        left, newest first; `current`, the value of the key, or null; `last`, the queue's last sequence; and
        `remembers`, of how many messages the queue remembers why they left: its `removal_log`. Where that is
        0 it remembers a few, and of what was replaced the sequences and times alone.
"""

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.broker.administration.request import Request, Response, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.canonical_keys import canonical_key
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.value_requests import browsed, last_value_queue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics.removal_log import Removal, reader_name
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import AT_ONCE, NEVER
from lastvalue.queues.entry import ACQUIRED, Entry

MOST_REMOVALS: Final = 100
"""Of one answer."""

_CRITERIA: Final = ("key", "sequence", "message_id")


def why(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer WHY. The caller needs the right to browse."""
    del now
    hosted = browsed(broker, request.name, owner)
    given = {name: request.body[name] for name in _CRITERIA if request.body.get(name) is not None}
    if len(given) != 1:
        raise InvalidSpecError(f"WHY takes one of {', '.join(_CRITERIA)}; the request has {len(given)}")
    name, value = given.popitem()
    current: Entry | None = None
    recent: list[dict[str, Any]] = []
    remembers = hosted.queue.spec.removal_log
    if name == "key":
        key = canonical_key(last_value_queue(hosted).queue, value)
        current = hosted.queue.contents.current.get(key)
        found = _found(broker, hosted, lambda it: it.key == key)
        if remembers == 0:
            recent = _replaced_before(hosted, current, found)
    elif name == "sequence":
        sequence = whole_number_in(request.body, "sequence", 0, 1)
        found = _found(broker, hosted, lambda it: it.sequence == sequence)
        newer = hosted.queue.contents.recent.newer_than(sequence)
        if remembers == 0 and newer > 0:
            recent = [_replaced(hosted, sequence, newer)]
    else:
        found = _found(broker, hosted, lambda it: it.message_id == str(value))
    removals = [_described(removal) for removal in found]
    if recent:
        removals = sorted(removals + recent, key=_departure, reverse=True)[:MOST_REMOVALS]
    body = {
        "removals": removals,
        "current": None if current is None else _present(hosted, current),
        "last": int(hosted.queue.sequence),
        "remembers": remembers,
    }
    return Response(200, "OK", body)


def _found(broker: Broker, hosted: HostedQueue, asked: Callable[[Removal], bool]) -> list[Removal]:
    return [each for each in broker.removal_logs.removals(hosted) if asked(each)][:MOST_REMOVALS]


def _replaced_before(
    hosted: HostedQueue, current: Entry | None, removals: list[Removal]
) -> list[dict[str, Any]]:
    """What a key's value, and those of its values that left otherwise, have replaced, as far as known."""
    found: dict[int, dict[str, Any]] = {}
    last = [int(removal.sequence) for removal in removals]
    for each in last if current is None else [*last, int(current.sequence)]:
        newer = each
        sequence = int(hosted.queue.contents.recent.replaced_by(newer))
        while sequence > 0 and sequence not in found and len(found) < MOST_REMOVALS:
            found[sequence] = _replaced(hosted, sequence, newer)
            newer = sequence
            sequence = int(hosted.queue.contents.recent.replaced_by(newer))
    return list(found.values())


def _replaced(hosted: HostedQueue, sequence: int, newer: i64) -> dict[str, Any]:
    """A replaced value, of which the queue knows the times alone, and 0 for an older one."""
    recent = hosted.queue.contents.recent
    times = {"time_ms": int(recent.time_of(newer)), "arrival_ms": int(recent.time_of(sequence))}
    return {"sequence": sequence, "reason": "replaced", "newer": int(newer), **times}


def _departure(removal: dict[str, Any]) -> tuple[int, int]:
    return removal["time_ms"], removal["sequence"]


def _described(removal: Removal) -> dict[str, Any]:
    return {
        "sequence": int(removal.sequence),
        "message_id": removal.message_id,
        "reason": removal.reason.name.lower(),
        "time_ms": int(removal.time_ms),
        "arrival_ms": int(removal.arrival_ms),
        "updates": int(removal.updates),
        "newer": int(removal.newer),
        "user": removal.user,
        "rule": removal.rule,
        "destination": removal.destination,
    }


def _present(hosted: HostedQueue, entry: Entry) -> dict[str, Any]:
    return {
        "sequence": int(entry.sequence),
        "arrival_ms": int(entry.arrival_ms),
        "updates": int(entry.updates),
        "held": entry.state == ACQUIRED,
        "user": reader_name(hosted, i64(entry.holder)) if entry.state == ACQUIRED else "",
        "expires_ms": None if entry.expires_ms == NEVER else int(entry.expires_ms),
        "not_before_ms": None if entry.not_before_ms == AT_ONCE else int(entry.not_before_ms),
    }
