"""The fields of address settings: all options of queues, and Artemis's names for them."""

import difflib
from collections.abc import Mapping
from typing import Any, Final

from lastvalue.config.arguments import SPELLINGS, Arguments, read_argument
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.meanings import refuse_not_offered
from lastvalue.queues.overflow_policies import POLICIES
from lastvalue.queues.spec_arguments import knows_argument

RENAMED: Final = {
    "last-value-queue": "last-value",
    "default-last-value-queue": "last-value",
    "default-last-value-key": "last-value-key",
    "default-non-destructive": "non-destructive",
    "default-exclusive-queue": "exclusive",
    "default-group-rebalance": "group-rebalance",
    "default-group-rebalance-pause-dispatch": "group-rebalance-pause-dispatch",
    "default-group-buckets": "group-buckets",
    "default-group-first-key": "group-first-key",
    "default-ring-size": "ring-size",
    "default-consumers-before-dispatch": "consumers-before-dispatch",
    "default-delay-before-dispatch": "delay-before-dispatch",
    "default-max-consumers": "max-consumers",
    "default-purge-on-no-consumers": "purge-on-no-consumers",
}
"""Elements of Artemis that are defaults for queues, and the queues' names for these options."""

_SIZE_OPTIONS: Final = {each.artemis: each.artemis_option for each in POLICIES if each.artemis}
"""What `max-size-bytes` sets, by `address-full-policy`."""

_FLAG, _NUMBER, _ROUTING, _POLICY = (
    "true or false",
    "a number",
    "ANYCAST or MULTICAST",
    " or ".join(sorted((*_SIZE_OPTIONS, "PAGE"))),
)

WHOLE: Final = {
    "expiry-delay": _NUMBER,
    "min-expiry-delay": _NUMBER,
    "max-expiry-delay": _NUMBER,
    "no-expiry": _FLAG,
    "max-size-bytes": _NUMBER,
    "address-full-policy": _POLICY,
}
"""Elements whose meaning depends on the merged settings, with their types."""

CREATION: Final = {
    "auto-create-queues": _FLAG,
    "auto-create-addresses": _FLAG,
    "auto-delete-queues": _FLAG,
    "default-queue-routing-type": _ROUTING,
    "default-address-routing-type": _ROUTING,
}
"""Elements that decide whether and how a node is created on its first use."""

NOT_OFFERED: Final = {
    "redelivery-delay": "lastvalue redelivers at once",
    "redelivery-delay-multiplier": "lastvalue redelivers at once",
    "max-redelivery-delay": "lastvalue redelivers at once",
}

_FLAGS: Final = {"true": True, "false": False}


def read_setting(spelling: str, raw: Any) -> tuple[str, Any]:
    """A field's name and value.

    Raises:
        InvalidSpecError: the name is unknown or not offered, or the value is invalid; the text says what
            would be right.
    """
    if spelling in NOT_OFFERED:
        raise InvalidSpecError(f"{NOT_OFFERED[spelling]}; leave it out")
    kind = WHOLE.get(spelling) or CREATION.get(spelling)
    if kind is not None:
        return spelling, _read(kind, raw)
    name = RENAMED.get(spelling, spelling)
    refuse_not_offered(name, raw)
    if not knows_argument(name):
        known = [*SPELLINGS, *RENAMED, *WHOLE, *CREATION]
        near = difflib.get_close_matches(spelling, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "; expected an option of a queue"
        raise InvalidSpecError(f"unknown setting{hint}")
    return read_argument(name, raw)


def queue_arguments(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The merged fields of a queue, as arguments of a declaration."""
    arguments = {name: value for name, value in fields.items() if name not in WHOLE and name not in CREATION}
    return {**_expiry(fields), **_limit(fields), **arguments}


def created_arguments(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The merged fields of a queue that is created on its first use."""
    arguments = queue_arguments(fields)
    if fields.get("auto-delete-queues") is True:
        arguments.setdefault("lifetime", "delete-on-no-links-or-messages")
    return arguments


def creation_policy(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The merged fields for the creation of missing nodes, under Artemis's names."""
    return {name: fields[name] for name in CREATION if name in fields}


def _expiry(fields: Mapping[str, Any]) -> Arguments:
    # [Artemis] The first of these that is set: no expiry; a delay for messages without expiry; bounds.
    if fields.get("no-expiry") is True:
        return {"no_expiry": True}
    delay, shortest, longest = (
        fields.get(name, -1) for name in ("expiry-delay", "min-expiry-delay", "max-expiry-delay")
    )
    if delay >= 0:
        return {"default_ttl_ms": max(1, delay)}
    arguments = {}
    if shortest > 0:
        # [Artemis] A message without expiry gets the maximum, or else the minimum.
        arguments["minimum_ttl_ms"] = shortest
        if longest < 0:
            arguments["default_ttl_ms"] = shortest
    if longest >= 0:
        arguments["maximum_ttl_ms"] = max(1, longest)
    return arguments


def _limit(fields: Mapping[str, Any]) -> Arguments:
    size = fields.get("max-size-bytes", -1)
    policy = fields.get("address-full-policy")
    # [Artemis] Without a policy, or with PAGE, an address continues on disk, so its size is not a limit.
    option = _SIZE_OPTIONS.get(policy or "PAGE")
    return {option: size} if size > 0 and option else {}


def _read(kind: str, raw: Any) -> Any:
    value = _value(kind, raw)
    if value is None:
        raise InvalidSpecError(f"expected {kind}" + (", -1 for none" if kind == _NUMBER else ""))
    return value


def _value(kind: str, raw: Any) -> Any:
    if kind == _FLAG:
        return _FLAGS.get(str(raw).lower()) if isinstance(raw, bool | str) else None
    if kind == _NUMBER:
        return _number(raw)
    return raw.upper() if isinstance(raw, str) and raw.upper() in kind.split(" or ") else None


def _number(raw: Any) -> int | None:
    if isinstance(raw, bool) or not isinstance(raw, int | str):
        return None
    try:
        number = int(raw)
    except ValueError:
        return None
    return number if -1 <= number < 2**53 else None
