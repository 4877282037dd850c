"""Users and permissions as RabbitMQ's management API shows them, and our rules for what it sends.

RabbitMQ permits to configure, write and read names that match regular expressions; a tag permits management.
Our rules have more rights, so those that it has no word for stay when permissions are replaced.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from lastvalue.addresses.name_wildcards import RIGHTS_OF, name_expression, name_wildcards
from lastvalue.compat.rabbitmq.resources import HOST

ADMINISTRATOR: Final = "administrator"
MONITORING: Final = "monitoring"
MANAGEMENT: Final = "management"
TAGS: Final = (ADMINISTRATOR, MONITORING, MANAGEMENT)
"""Everybody may use the API; so `management` permits nothing."""

_RULE_OF: Final = {ADMINISTRATOR: "administer $*", MONITORING: "administer $broker"}
_ADMINISTER: Final = "administer"
_ALL: Final = "all"
_OWN: Final = "$"
_EVERY_OWN: Final = "$*"
_BROKER: Final = "$broker"


def tags_of(rules: Iterable[str]) -> list[str]:
    """The tags of a user with these rules."""
    administered = {
        pattern for rights, pattern in map(_split, rules) if {_ADMINISTER, _ALL} & {*rights.split(",")}
    }
    if _EVERY_OWN in administered:
        return [ADMINISTRATOR]
    return [MONITORING] if _BROKER in administered else []


def with_tags(rules: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The rules of a user who gets these tags instead of others; what they permit on names stays."""
    if tags_of(rules) == [tag for tag in tags if tag in _RULE_OF][:1]:
        return list(rules)
    ours = {rule for rule in rules if _split(rule)[1] in (_EVERY_OWN, _BROKER)}
    return [rule for rule in rules if rule not in ours] + [_RULE_OF[tag] for tag in tags if tag in _RULE_OF]


def with_permissions(rules: Sequence[str], patterns: dict[str, list[str]]) -> list[str]:
    """The rules of a user who gets these permissions, by action, instead of others; the tags stay."""
    kept = [rule for rule in rules if _split(rule)[1].startswith(_OWN)]
    given = [
        f"{','.join(RIGHTS_OF[action])} {pattern}" for action, each in patterns.items() for pattern in each
    ]
    return kept + given


def has_permissions(rules: Sequence[str], patterns: dict[str, list[str]]) -> bool:
    """Whether a user has these permissions already."""
    return all(
        "*" in _patterns(rules, action) or set(each) <= _patterns(rules, action)
        for action, each in patterns.items()
    )


def wildcards_of(expression: str) -> list[str]:
    """The patterns for a regular expression.

    Raises:
        ValueError: no patterns stand for it.
    """
    found = name_wildcards(expression)
    if found is None:
        raise ValueError(
            f"{expression!r:.200} is not a pattern; these have literals and `.*`, between "
            "`^` and `$`, and are several as in `^(a|b.*)$`; a dot is written `\\.`"
        )
    return found


def user_resource(name: str, rules: Iterable[str]) -> dict[str, Any]:
    """A user; the broker tells nobody how it checks a password."""
    return {"name": name, "tags": tags_of(rules), "password_hash": "", "limits": {}}


def permission_resource(name: str, rules: Sequence[str]) -> dict[str, Any] | None:
    """The permissions of a user; None if there are none."""
    shown = {action: name_expression(_patterns(rules, action)) for action in RIGHTS_OF}
    return {"user": name, "vhost": HOST, **shown} if any(shown.values()) else None


def _patterns(rules: Iterable[str], action: str) -> set[str]:
    return {
        pattern
        for rights, pattern in map(_split, rules)
        if not pattern.startswith(_OWN) and {action, _ALL} & {*rights.split(",")}
    }


def _split(rule: str) -> tuple[str, str]:
    rights, _, pattern = rule.strip().partition(" ")
    return rights, pattern.strip()
