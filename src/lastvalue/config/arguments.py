"""Options of queues as a configuration gives them: read one by one, and laid over one another."""

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues import declaration
from lastvalue.queues.dialects import IMPLIED
from lastvalue.queues.option import Kind
from lastvalue.queues.options import BY_NAME, BY_SPELLING

Arguments = Mapping[str, Any]

_SHARE: Final = re.compile(r"(?:x-)?qpid[.-]fairshare-([0-9]{1,4})")

SPELLINGS: Final = frozenset((*BY_SPELLING, *IMPLIED))


def read_argument(spelling: str, raw: Any) -> tuple[str, Any]:
    """An option's own name and value; what means more than a value keeps its spelling.

    Raises:
        InvalidSpecError: the name is unknown, or the value is none of that option's; the text says what
            would be right, and does not repeat the value.
    """
    if spelling == "default_filters" and isinstance(raw, Mapping):
        raw = json.dumps(raw)
    try:
        return _read(spelling, raw)
    except InvalidSpecError as fault:
        raise InvalidSpecError(str(fault).removeprefix(f"{spelling!r} is {raw!r}; ")) from None


def overlaid(upper: Arguments, lower: Arguments) -> dict[str, Any]:
    """The upper arguments, and of the lower ones those that they leave open.

    An argument of another type of queue than the upper ones make gives way to them, and so does one that
    contradicts what they say of expiry.
    """
    taken = {option for spelling, value in upper.items() for option in _governed(spelling, value)}
    kind = _kind(upper)
    kept = {
        spelling: value
        for spelling, value in lower.items()
        if spelling not in upper
        and not _gives_way(_governed(spelling, value), taken)
        and (kind is None or kind in _kinds(spelling))
        and not _contradicts(upper, spelling)
    }
    return {**kept, **upper}


def _read(spelling: str, raw: Any) -> tuple[str, Any]:
    if share := _SHARE.fullmatch(spelling):
        return f"qpid.fairshare-{share[1]}", _option_and_value("fairshare", raw)[1]
    if spelling in IMPLIED and IMPLIED[spelling](raw) is not None:
        return spelling, raw
    if spelling not in BY_SPELLING:
        near = difflib.get_close_matches(spelling, SPELLINGS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`lastvalue queue add --help` lists them"
        raise InvalidSpecError(f"unknown option of a queue; {hint}")
    return _option_and_value(spelling, raw)


def _option_and_value(spelling: str, raw: Any) -> tuple[str, Any]:
    name, value = declaration.read_argument(spelling, raw)
    if BY_NAME[name].kind is Kind.NUMBER and isinstance(value, int) and value < 0:
        # The declaration would refuse it too, but without the name that it has here.
        raise InvalidSpecError(f"expected a number of {BY_NAME[name].unit} that is not negative")
    return name, value


# ---------------------------------------------------------------------- one over the other


GOVERNS: Final[dict[str, tuple[str, ...]]] = {
    "qpid.last_value_queue": ("lvq_placement",),
    "qpid.last_value_queue_no_browse": ("lvq_placement",),
    # [Artemis] A queue with a key is a last-value queue, whatever the flag says.
    "last-value": (),
    "qpid.shared_msg_group": ("group_mode",),
    "qpid.group_header_key": ("group_mode", "group_key"),
    "maximumDistinctGroups": ("group_buckets",),
    "group-buckets": ("group_mode", "group_buckets"),
    "x-single-active-consumer": ("live_consumers",),
    "exclusive": ("live_consumers",),
    "ring-size": ("max_messages", "when_full"),
    "qpid.policy_type": ("when_full",),
    "overflowPolicy": ("when_full",),
    "qpid.flow_resume_count": ("flow_resume_messages",),
    "qpid.flow_resume_size": ("flow_resume_bytes",),
    "x-qpid-flow-resume-capacity": ("flow_resume_bytes", "when_full"),
    "alternateBinding": ("alternate",),
    "defaultFilters": ("default_filters",),
    "qpid.default_filters": ("default_filters",),
    "expiryPolicy": ("expiry_alternate",),
    "x-qpid-dlq-enabled": ("alternate",),
    "x-max-priority": ("priorities",),
    "x-message-ttl": ("maximum_ttl_ms",),
    "x-expires": ("lifetime", "auto_delete_delay_ms"),
    "x-max-length": ("max_messages", "when_full"),
    "x-max-length-bytes": ("max_bytes", "when_full"),
    "x-dead-letter-exchange": ("alternate", "expiry_alternate"),
    "x-dead-letter-routing-key": ("alternate_key",),
    "x-queue-type": (),
    "x-queue-mode": (),
    "enabled": ("paused",),
    "auto-delete": ("lifetime",),
    "qpid.auto_delete_timeout": ("lifetime", "auto_delete_delay_ms"),
}
"""The options that an argument of several meanings decides, by its spelling."""

_LVQ: Final = ("lvq",)
_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "type": (),
    "lvq_key": _LVQ,
    "order_by": _LVQ,
    "lvq_placement": _LVQ,
    "lvq_key_equality": _LVQ,
    "lvq_keyless": _LVQ,
    "last-value": _LVQ,
    "qpid.last_value_queue": _LVQ,
    "qpid.last_value_queue_no_browse": _LVQ,
    "priorities": ("priority", "lvq"),
    "fairshare": ("priority",),
    "fairshare_levels": ("priority",),
    "sort_key": ("sorted",),
}
_EVERY_KIND: Final = ("standard", "lvq", "priority", "sorted")
_TTL: Final = ("minimum_ttl_ms", "maximum_ttl_ms", "default_ttl_ms")


def _governed(spelling: str, value: Any) -> tuple[str, ...]:
    if spelling == "ring-size" and str(value).startswith("-"):
        # No ring says nothing of what else happens when the queue is full.
        return ("max_messages",)
    return GOVERNS.get(spelling, (spelling,))


def _gives_way(governed: tuple[str, ...], taken: set[str]) -> bool:
    return bool(governed) and taken.issuperset(governed)


def _kinds(spelling: str) -> tuple[str, ...]:
    if spelling.startswith("qpid.fairshare-"):
        return ("priority",)
    return _KINDS.get(spelling, _EVERY_KIND)


def _kind(arguments: Arguments) -> str | None:
    """The type of queue that the arguments name or imply, if they do."""
    if isinstance(named := arguments.get("type"), str):
        return named
    for spelling, value in arguments.items():
        kinds = _kinds(spelling)
        if len(kinds) == 1 and value not in (None, False, "false"):
            return kinds[0]
    return "priority" if arguments.get("priorities") else None


def _contradicts(upper: Arguments, spelling: str) -> bool:
    if upper.get("no_expiry") is True:
        return spelling in _TTL
    return spelling == "no_expiry" and any(upper.get(name) for name in _TTL)
