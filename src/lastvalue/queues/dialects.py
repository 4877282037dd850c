"""Arguments of other brokers that mean more than one value, or another one than they carry."""

import json
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.filters import filters_from_json
from lastvalue.queues.option import Value
from lastvalue.queues.spec import LEGACY_KEY

Implied: TypeAlias = dict[str, Value]
"""Options and their values.

No options are `unlimited`, `expires_to_alternate`, `dead_letter_queue`, `dead_letter_exchange` and
`dead_letter_key`: `queues.declaration` knows what they come to.
"""

Meaning: TypeAlias = Callable[[object], Implied | None]

ARTEMIS_KEY: Final = "_AMQ_LVQ_NAME"
_TRUE: Final = (True, 1, "1", "true", "True", "TRUE")


def _legacy(placement: str) -> Meaning:
    # [Qpid C++] The value is not looked at: the argument's presence makes the queue a last-value queue.
    return lambda _: {"lvq_key": LEGACY_KEY, "lvq_placement": placement}


def _when_true(**implied: Value) -> Meaning:
    return lambda raw: dict(implied) if raw in _TRUE else {}


def _number(raw: object, what: str) -> int:
    try:
        return int(str(raw))
    except ValueError:
        raise InvalidSpecError(f"{what!r} is {raw!r}; expected a number") from None


def _exclusive(raw: object) -> Implied | None:
    """Artemis has a flag where Broker-J has a policy: all messages go to one consumer."""
    if isinstance(raw, bool) or str(raw).lower() in ("true", "false"):
        return {"live_consumers": 1} if str(raw).lower() == "true" else {}
    return None


def _ring_size(raw: object) -> Implied:
    size = _number(raw, "ring-size")
    return {"max_messages": size, "when_full": "drop-oldest"} if size >= 0 else {}


def _artemis_buckets(raw: object) -> Implied:
    buckets = _number(raw, "group-buckets")
    if buckets == 0:
        return {"group_mode": "none"}
    return {"group_mode": "default", "group_buckets": max(0, buckets)}


def _distinct_groups(raw: object) -> Implied:
    groups = _number(raw, "maximumDistinctGroups")
    if groups < 1:
        raise InvalidSpecError(f"'maximumDistinctGroups' is {raw!r}; expected 1 or more")
    return {"group_buckets": 1 << (groups - 1).bit_length()}


def _group_header(raw: object) -> Implied | None:
    # Broker-J reads this text as the protocol's own group id.
    return {"group_mode": "default"} if raw == "JMSXGroupId" else None


def _resume_below(option: str) -> Meaning:
    # [Qpid C++] Producers go on when the depth is below the number.
    return lambda raw: {option: max(0, _number(raw, option) - 1)}


def _resume_capacity(raw: object) -> Implied:
    # [Broker-J] The capacity beside it is where producers stop then, not what the queue refuses beyond.
    size_bytes = _number(raw, "x-qpid-flow-resume-capacity")
    if size_bytes < 0:
        raise InvalidSpecError(f"'x-qpid-flow-resume-capacity' is {raw!r}; expected bytes, 0 or more")
    # No message is as small as a byte: at that size the queue is empty.
    return {"flow_resume_bytes": max(1, size_bytes), "when_full": "block"}


def _policy(raw: object) -> Implied | None:
    return {"unlimited": True} if str(raw).lower() == "none" else None


def _alternate(raw: object) -> Implied | None:
    if isinstance(raw, Mapping):
        return {"alternate": str(raw.get("destination", ""))}
    return None


def _default_filters(raw: object) -> Implied | None:
    if isinstance(raw, Mapping):
        text = json.dumps(raw)
        filters_from_json(text)
        return {"default_filters": text}
    return None


def _expiry_policy(raw: object) -> Implied:
    policy = str(raw).upper().replace("-", "_")
    if policy not in ("DELETE", "ROUTE_TO_ALTERNATE"):
        raise InvalidSpecError(f"'expiryPolicy' is {raw!r}; expected DELETE or ROUTE_TO_ALTERNATE")
    return {"expires_to_alternate": True} if policy == "ROUTE_TO_ALTERNATE" else {}


def _max_priority(raw: object) -> Implied:
    # [RabbitMQ] Every priority up to the number is a level; the levels here fold onto the default of 4.
    most = _number(raw, "x-max-priority")
    if not 1 <= most <= 255:
        raise InvalidSpecError(f"'x-max-priority' is {raw!r}; expected 1 to 255")
    return {"priorities": 10 if most <= 9 else 2 * (most - 4)}


def _message_ttl(raw: object) -> Implied:
    ttl_ms = _number(raw, "x-message-ttl")
    if ttl_ms < 0:
        raise InvalidSpecError(f"'x-message-ttl' is {raw!r}; expected milliseconds, 0 or more")
    # No time at all is as little as there is.
    return {"maximum_ttl_ms": max(1, ttl_ms)}


def _expires(raw: object) -> Implied:
    unused_ms = _number(raw, "x-expires")
    if unused_ms < 1:
        raise InvalidSpecError(f"'x-expires' is {raw!r}; expected milliseconds, 1 or more")
    return {"lifetime": "delete-on-no-outbound-links", "auto_delete_delay_ms": unused_ms}


def _drops_beyond(option: str, spelling: str) -> Meaning:
    def meaning(raw: object) -> Implied:
        most = _number(raw, spelling)
        if most < 0:
            raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected 0 or more")
        return {option: most, "when_full": "drop-oldest"}

    return meaning


def _text(option: str, spelling: str) -> Meaning:
    def meaning(raw: object) -> Implied:
        if not isinstance(raw, str):
            raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected text")
        return {option: raw}

    return meaning


def _queue_type(raw: object) -> Implied:
    if raw not in ("classic", "quorum"):
        raise InvalidSpecError(
            f"'x-queue-type' is {raw!r}; expected classic or quorum, which are the same here"
        )
    return {}


IMPLIED: Final[dict[str, Meaning]] = {
    "qpid.last_value_queue": _legacy("in-place"),
    "qpid.last_value_queue_no_browse": _legacy("in-place-no-browse"),
    "last-value": _when_true(lvq_key=ARTEMIS_KEY),
    "qpid.shared_msg_group": _when_true(group_mode="shared"),
    "qpid.group_header_key": _group_header,
    "maximumDistinctGroups": _distinct_groups,
    "group-buckets": _artemis_buckets,
    "x-single-active-consumer": _when_true(live_consumers=1),
    "exclusive": _exclusive,
    "ring-size": _ring_size,
    "qpid.policy_type": _policy,
    "overflowPolicy": _policy,
    "qpid.flow_resume_count": _resume_below("flow_resume_messages"),
    "qpid.flow_resume_size": _resume_below("flow_resume_bytes"),
    "x-qpid-flow-resume-capacity": _resume_capacity,
    "alternateBinding": _alternate,
    "defaultFilters": _default_filters,
    "qpid.default_filters": _default_filters,
    "expiryPolicy": _expiry_policy,
    "x-qpid-dlq-enabled": _when_true(dead_letter_queue=True),
    "x-max-priority": _max_priority,
    "x-message-ttl": _message_ttl,
    "x-expires": _expires,
    "x-max-length": _drops_beyond("max_messages", "x-max-length"),
    "x-max-length-bytes": _drops_beyond("max_bytes", "x-max-length-bytes"),
    "x-dead-letter-exchange": _text("dead_letter_exchange", "x-dead-letter-exchange"),
    "x-dead-letter-routing-key": _text("dead_letter_key", "x-dead-letter-routing-key"),
    "x-queue-type": _queue_type,
    "x-queue-mode": lambda _: {},
    "enabled": lambda raw: {} if raw in _TRUE else {"paused": True},
    "auto-delete": _when_true(lifetime="delete-on-no-links-or-messages"),
    "qpid.auto_delete_timeout": lambda raw: {
        "lifetime": "delete-on-no-outbound-links",
        "auto_delete_delay_ms": 1000 * _number(raw, "qpid.auto_delete_timeout"),
    },
}
"""By spelling, what the argument implies; None where it is read as the option of that spelling."""
