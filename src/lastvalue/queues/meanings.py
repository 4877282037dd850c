"""Arguments of other brokers that imply several options, or a value other than their own."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from lastvalue.model.composite_key import is_composite_key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.filters import filters_from_json
from lastvalue.queues.option import Alias, Implied, Value
from lastvalue.queues.passing_entries import SHORTEST_MS
from lastvalue.queues.spec import DEFAULT_EXCHANGE, LEGACY_KEY, WhenFull

Meaning: TypeAlias = Callable[[object], Implied | None]

ARTEMIS_KEY: Final = "_AMQ_LVQ_NAME"
FAIRSHARE: Final = re.compile(r"(?:x-)?qpid[.-]fairshare-([0-9]{1,4})")
"""An argument that sets the fairshare of one level."""

_LVQ: Final = ("lvq",)
_TRUE: Final = (True, 1, "1", "true", "True", "TRUE")


def _legacy(placement: str) -> Meaning:
    # [Qpid C++] The presence of the argument makes a last-value queue, whatever its value.
    return lambda _: {"lvq_key": LEGACY_KEY, "lvq_placement": placement}


def _nothing(_: object) -> Implied:
    return {}


def _when_true(**implied: Value) -> Meaning:
    return lambda raw: dict(implied) if raw in _TRUE else {}


def _number(raw: object, least: int | None = None, expected: str = "a number") -> int:
    try:
        number = int(str(raw))
    except ValueError:
        raise InvalidSpecError("expected a number") from None
    if least is not None and number < least:
        raise InvalidSpecError(f"expected {expected}")
    return number


def _exclusive(raw: object) -> Implied | None:
    """A flag is Artemis's `exclusive` (one consumer gets all messages), a text is Broker-J's policy."""
    if isinstance(raw, bool) or str(raw).lower() in ("true", "false"):
        return {"live_consumers": 1} if str(raw).lower() == "true" else {}
    return None


def _ring_size(raw: object) -> Implied:
    size = _number(raw)
    return {"max_messages": size, "when_full": WhenFull.DROP_OLDEST.value} if size >= 0 else {}


def _artemis_buckets(raw: object) -> Implied:
    buckets = _number(raw)
    if buckets == 0:
        return {"group_mode": "none"}
    return {"group_mode": "default", "group_buckets": max(0, buckets)}


def _distinct_groups(raw: object) -> Implied:
    return {"group_buckets": 1 << (_number(raw, 1, "1 or more") - 1).bit_length()}


def _group_header(raw: object) -> Implied | None:
    # Broker-J reads this text as the protocol's group id.
    return {"groups_by_id": True} if raw == "JMSXGroupId" else None


def _shared_group(raw: object) -> Implied:
    # [Broker-J] Present with another value, it switches grouping off, even with a group key.
    return {"group_mode": "shared" if raw in _TRUE else "none"}


def _resume_below(option: str) -> Meaning:
    # [Qpid C++] Producers resume when the depth is below the number.
    return lambda raw: {option: max(0, _number(raw) - 1)}


def _resume_capacity(raw: object) -> Implied:
    # [Broker-J] With this argument the capacity is where producers stop, not where the queue refuses.
    # 1 means an empty queue, because every message is larger than a byte.
    return {
        "flow_resume_bytes": max(1, _number(raw, 0, "bytes, 0 or more")),
        "when_full": WhenFull.BLOCK.value,
    }


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
        raise InvalidSpecError("expected DELETE or ROUTE_TO_ALTERNATE")
    return {"expires_to_alternate": True} if policy == "ROUTE_TO_ALTERNATE" else {"expiry_alternate": None}


def _max_priority(raw: object) -> Implied:
    # [RabbitMQ] Every priority up to the number is a level; here levels lie around the default of 4.
    most = _number(raw, 1, "1 to 255")
    if most > 255:
        raise InvalidSpecError("expected 1 to 255")
    return {"priorities": 10 if most <= 9 else 2 * (most - 4)}


def _message_ttl(raw: object) -> Implied:
    # [RabbitMQ] With 0 a message is for who takes it at once, as here with the shortest time to live.
    return {"maximum_ttl_ms": max(SHORTEST_MS, _number(raw, 0, "milliseconds, 0 or more"))}


def _delivery_limit(raw: object) -> Implied:
    # [RabbitMQ] It is how often a message may come back; a negative number is no limit.
    return {"max_delivery_attempts": max(-1, _number(raw)) + 1}


def _expires(raw: object) -> Implied:
    unused_ms = _number(raw, 1, "milliseconds, 1 or more")
    return {"lifetime": "delete-on-no-outbound-links", "auto_delete_delay_ms": unused_ms}


def _delete_timeout(raw: object) -> Implied:
    return {"lifetime": "delete-on-no-outbound-links", "auto_delete_delay_ms": 1000 * _number(raw)}


_DROPS: Final = WhenFull.DROP_OLDEST.value


def _drops_beyond(option: str) -> Meaning:
    def meaning(raw: object) -> Implied:
        most = _number(raw, 0, "0 or more")
        # [RabbitMQ] 0 is no room, and here no limit.
        limit: Implied = {option: most} if most > 0 else {"keep_nothing": True}
        return limit | {"when_full": _DROPS}

    return meaning


def _text(option: str) -> Meaning:
    def meaning(raw: object) -> Implied:
        if not isinstance(raw, str):
            raise InvalidSpecError("expected text")
        return {option: raw}

    return meaning


def _queue_type(raw: object) -> Implied:
    if raw not in ("classic", "quorum"):
        raise InvalidSpecError("expected classic or quorum (both mean the same here)")
    return {}


_KEYED: Final = ("lvq_key", "lvq_placement")
ALIASES: Final = (
    Alias("qpid.last_value_queue", ("lvq_placement",), _legacy("in-place"), _LVQ, yields=_KEYED),
    Alias(
        "qpid.last_value_queue_no_browse",
        ("lvq_placement",),
        _legacy("in-place-no-browse"),
        _LVQ,
        yields=_KEYED,
    ),
    # [Artemis] A queue with a key is a last-value queue, whatever the flag says.
    Alias("last-value", (), _when_true(lvq_key=ARTEMIS_KEY), _LVQ, yields=_KEYED),
    Alias("qpid.shared_msg_group", ("group_mode",), _shared_group),
    Alias("qpid.group_header_key", ("group_mode", "group_key"), _group_header),
    Alias("maximumDistinctGroups", ("group_buckets",), _distinct_groups),
    Alias("group-buckets", ("group_mode", "group_buckets"), _artemis_buckets),
    Alias("x-single-active-consumer", ("live_consumers",), _when_true(live_consumers=1)),
    Alias("exclusive", ("live_consumers",), _exclusive),
    # Without a ring the argument does not say what a full queue does.
    Alias("ring-size", ("max_messages", "when_full"), _ring_size, decides_empty=("max_messages",)),
    Alias("qpid.policy_type", ("when_full",), _policy),
    Alias("overflowPolicy", ("when_full",), _policy),
    Alias("qpid.flow_resume_count", ("flow_resume_messages",), _resume_below("flow_resume_messages")),
    Alias("qpid.flow_resume_size", ("flow_resume_bytes",), _resume_below("flow_resume_bytes")),
    Alias("x-qpid-flow-resume-capacity", ("flow_resume_bytes", "when_full"), _resume_capacity),
    Alias("alternateBinding", ("alternate",), _alternate),
    Alias("defaultFilters", ("default_filters",), _default_filters),
    Alias("qpid.default_filters", ("default_filters",), _default_filters),
    Alias("expiryPolicy", ("expiry_alternate",), _expiry_policy),
    Alias("x-qpid-dlq-enabled", ("alternate",), _when_true(dead_letter_queue=True)),
    Alias("x-max-priority", ("priorities",), _max_priority),
    Alias("x-message-ttl", ("maximum_ttl_ms",), _message_ttl),
    Alias("x-delivery-limit", ("max_delivery_attempts",), _delivery_limit),
    Alias("x-expires", ("lifetime", "auto_delete_delay_ms"), _expires, yields=("lifetime",)),
    Alias(
        "x-max-length",
        ("max_messages", "keep_nothing", "when_full"),
        _drops_beyond("max_messages"),
        yields=("when_full",),
    ),
    Alias(
        "x-max-length-bytes",
        ("max_bytes", "keep_nothing", "when_full"),
        _drops_beyond("max_bytes"),
        yields=("when_full",),
    ),
    Alias(
        "x-dead-letter-exchange",
        ("alternate", "expiry_alternate", "alternate_is_queue"),
        _text("dead_letter_exchange"),
    ),
    Alias("x-dead-letter-routing-key", ("alternate_key",), _text("dead_letter_key")),
    Alias("x-queue-type", (), _queue_type),
    Alias("x-queue-mode", (), _nothing),
    Alias("enabled", ("paused",), lambda raw: {"paused": raw not in _TRUE}),
    Alias("auto-delete", ("lifetime",), _when_true(lifetime="delete-on-no-links-or-messages")),
    Alias(
        "qpid.auto_delete_timeout",
        ("lifetime", "auto_delete_delay_ms"),
        _delete_timeout,
        yields=("lifetime",),
    ),
)
"""One line per argument: the spelling, the options that it sets, what it implies, and the queue types."""

BESIDE: Final[Mapping[str, Implied]] = {"last-value-key": {"lvq_fallback_key": ARTEMIS_KEY}}
"""What an argument implies besides the option that it names."""

COMPARED: Final[Mapping[str, str]] = {
    "dead_letter_exchange": "alternate",
    "dead_letter_key": "alternate_key",
}
"""Names that aliases imply and that are no options, each with the option that must not have another value."""

# Values of Artemis that queues here do not have, and which mean something else in our own spelling.
_NOT_OFFERED: Final[Mapping[str, str]] = {
    "max-consumers": "lastvalue does not have queues without consumers; max-consumers -1 is no limit",
    "ring-size": "lastvalue does not have a ring of size 0; ring-size -1 is no ring",
}

BY_ALIAS: Final = {alias.spelling: alias for alias in ALIASES}


def refuse_not_offered(spelling: str, raw: object) -> None:
    """Refuse an argument whose value means something else in Artemis than it would here.

    Raises:
        InvalidSpecError: it has such a value.
    """
    reason = _NOT_OFFERED.get(spelling) if str(raw) == "0" else None
    if reason is not None:
        raise InvalidSpecError(reason)


def combined(name: str, implied: Mapping[str, Value], explicit: Mapping[str, Value]) -> dict[str, Value]:
    """The options of a queue: the explicit ones, and else those that aliases imply.

    Aliases imply six names that are not options, because what they mean depends on other arguments:
    `unlimited`, `expires_to_alternate`, `dead_letter_queue`, `dead_letter_exchange`, `dead_letter_key` and
    `groups_by_id`.

    Raises:
        InvalidSpecError: a dead-letter key without an exchange.
    """
    options = dict(implied)
    if "lvq_key" in explicit and "lvq_placement" not in explicit:
        # An explicit key makes a modern last-value queue, even with a legacy argument.
        options.pop("lvq_placement", None)
    if options.pop("groups_by_id", False):
        options.setdefault("group_mode", "default")
    if options.pop("dead_letter_queue", False):
        options.setdefault("alternate", f"{name}_DLQ")
    exchange, key = options.pop("dead_letter_exchange", None), options.pop("dead_letter_key", None)
    if exchange is None and key is not None and explicit.get("alternate"):
        options["alternate_key"] = key
    else:
        options |= _dead_letter(exchange, key)
    to_alternate, unlimited = options.pop("expires_to_alternate", False), options.pop("unlimited", False)
    if options.get("keep_nothing") and explicit.get("when_full", _DROPS) != _DROPS:
        raise InvalidSpecError(
            f"a queue with room for nothing drops what comes; when_full {explicit['when_full']!r} cannot be"
        )
    options |= explicit
    key = options.get("lvq_key")
    if options.get("lvq_fallback_key") == key or (
        is_composite_key(key) and "lvq_fallback_key" not in explicit
    ):
        options.pop("lvq_fallback_key", None)
    if to_alternate and options.get("expiry_alternate") is None:
        options["expiry_alternate"] = options.get("alternate")
    if unlimited:
        options["max_messages"] = options["max_bytes"] = 0
    return options


def _dead_letter(exchange: Value, key: Value) -> Implied:
    """[RabbitMQ] Rejected, dropped and expired messages go to an exchange, perhaps with another key."""
    if exchange is None:
        if key is not None:
            raise InvalidSpecError("'x-dead-letter-routing-key' needs 'x-dead-letter-exchange'")
        return {}
    if exchange == "":
        # On the default exchange the key is a queue's name.
        to = key or DEFAULT_EXCHANGE
        return {"alternate": to, "expiry_alternate": to, "alternate_is_queue": bool(key)}
    implied: Implied = {"alternate": exchange, "expiry_alternate": exchange}
    return implied if key is None else implied | {"alternate_key": key}
