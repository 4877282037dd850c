"""The plan: the changes that bring a broker to what a configuration asks for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from lastvalue.broker.administration.request import Request
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments, fixed_exchange_options
from lastvalue.config.definitions import Arguments, Definitions, Place, WantedDefinitions
from lastvalue.queues.options import RECORDED
from lastvalue.queues.spec_arguments import fixed_options, spec_from_arguments

_ABSENT: Final = "none"
_FIXED: Final = "for life; delete it and declare it again"


class Verdict(Enum):
    """What becomes of a difference."""

    ADD = "add"
    CHANGE = "change"
    FIXED = "cannot change"
    """It is for life."""
    EXTRA = "only in the broker"
    """The configuration does not name it."""
    REMOVE = "remove"
    """It is extra, and extras are removed."""


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between a configuration and a broker.

    Attributes:
        subject: the kind and the name of the thing, such as `queue 'prices'`.
        text: what differs, and for what is for life, what to do.
        request: what carries the change out; None if nothing does.
    """

    verdict: Verdict
    subject: str
    text: str = ""
    request: Request | None = None

    def __str__(self) -> str:
        head = f"{self.verdict.value} {self.subject}"
        if self.verdict is Verdict.EXTRA:
            head = f"{self.subject} is only in the broker"
        return f"{head}: {self.text}" if self.text else head


def plan(wanted: WantedDefinitions, present: Definitions, *, prune: bool = False) -> list[Change]:
    """The changes in an order in which they can be carried out; with `prune` extras are removed."""
    asked = wanted.definitions
    nodes = [
        *_nodes("exchange", asked.exchanges, present.exchanges, wanted.named, _fixed_of_exchange),
        *_nodes("queue", asked.queues, present.queues, wanted.named, _fixed_of_queue),
    ]
    return [
        *_in_order([each for each in nodes if each.verdict is Verdict.ADD], asked),
        *(each for each in nodes if each.verdict is not Verdict.ADD),
        *_bindings(asked, present),
        *_policies(asked, present, prune=prune),
        *_permissions(asked, present),
        *(_extra(each, prune=prune) for each in _extras(wanted, present.lasting())),
    ]


def _extra(removal: Change, *, prune: bool) -> Change:
    return removal if prune else replace(removal, verdict=Verdict.EXTRA, request=None)


def _nodes(
    kind: str,
    asked: Mapping[str, Arguments],
    present: Mapping[str, Arguments],
    named: frozenset[str],
    fixed_of: Callable[[str, Arguments, Arguments], list[str]],
) -> Iterator[Change]:
    for name, declared in asked.items():
        subject, has = f"{kind} {name!r}", present.get(name)
        options = declared if has is None else _with_recorded(declared, has)
        if has is None:
            yield Change(Verdict.ADD, subject, "", Request("CREATE", kind, name, options))
        elif has != options and name in named:
            changes, fixed = _difference(has, options), fixed_of(name, has, options)
            if fixed:
                refused = _differences(has, {option: changes[option] for option in fixed})
                yield Change(Verdict.FIXED, subject, f"{refused}: {_FIXED}")
            body = {option: value for option, value in changes.items() if option not in fixed}
            if body:
                request = Request("UPDATE", kind, name, body)
                yield Change(Verdict.CHANGE, subject, _differences(has, body), request)


def _with_recorded(asked: Arguments, has: Arguments) -> Arguments:
    """What is asked for, with what the broker noted where the configuration does not say it."""
    return {**{option: has[option] for option in RECORDED if option in has}, **asked}


def _fixed_of_queue(name: str, has: Arguments, asked: Arguments) -> list[str]:
    return fixed_options(spec_from_arguments(name, has), spec_from_arguments(name, asked))


def _fixed_of_exchange(name: str, has: Arguments, asked: Arguments) -> list[str]:
    return fixed_exchange_options(exchange_from_arguments(name, has), exchange_from_arguments(name, asked))


def _bindings(asked: Definitions, present: Definitions) -> Iterator[Change]:
    for place, arguments in asked.bindings.items():
        has = present.bindings.get(place)
        if has is None:
            yield Change(Verdict.ADD, _binding(place), "", _bind(place, arguments))
        elif dict(has) != dict(arguments):
            text = _differences(has, _difference(has, arguments))
            yield Change(Verdict.CHANGE, _binding(place), text, _bind(place, arguments))


def _policies(asked: Definitions, present: Definitions, *, prune: bool) -> Iterator[Change]:
    known = {_policy_name(policy) for policy in asked.policies}
    others = [policy for policy in present.policies if _policy_name(policy) not in known]
    if not prune:
        yield from (Change(Verdict.EXTRA, f"policy {_policy_name(policy)}") for policy in others)
    new = [*asked.policies, *([] if prune else others)]
    if [*map(dict, new)] != [*map(dict, present.policies)]:
        names = ", ".join(_policy_name(policy) for policy in new) or _ABSENT
        if prune and others:
            names += f"; without {', '.join(map(_policy_name, others))}"
        request = Request("UPDATE", "policy", "", {"policies": [*map(dict, new)]})
        yield Change(Verdict.CHANGE, "the policies", f"now {names}", request)


def _permissions(asked: Definitions, present: Definitions) -> Iterator[Change]:
    for user, rules in asked.permissions.items():
        subject, has = f"permissions of user {user!r}", present.permissions.get(user)
        if has is None:
            text = "the users file does not have the user; `lastvalue user add` makes one"
            yield Change(Verdict.FIXED, subject, text)
        elif has != rules:
            text = f"{_rules(has)} → {_rules(rules)}"
            yield Change(
                Verdict.CHANGE, subject, text, Request("UPDATE", "permission", user, {"rules": list(rules)})
            )


def _rules(rules: tuple[str, ...]) -> str:
    return "; ".join(rules) or _ABSENT


def _policy_name(policy: Arguments) -> str:
    return f"{policy['pattern']!r} ({policy['node']})"


def _extras(wanted: WantedDefinitions, present: Definitions) -> Iterator[Change]:
    asked = wanted.definitions
    for place in present.bindings:
        if place not in asked.bindings:
            body = {"destination": place[1], "key": place[2]}
            yield Change(Verdict.REMOVE, _binding(place), "", Request("UNBIND", "exchange", place[0], body))
    removals = [
        Change(Verdict.REMOVE, f"{kind} {name!r}", "", Request("DELETE", kind, name))
        for kind, has, asks in (
            ("queue", present.queues, asked.queues),
            ("exchange", present.exchanges, asked.exchanges),
        )
        for name in has
        # What goes with its last binding is not removed after it.
        if name not in asks and not wanted.creatable(name) and not has[name].get("auto_delete")
    ]
    # A node that others name as their alternate is removed after them.
    yield from reversed(_in_order(removals, present))


def _binding(place: Place) -> str:
    exchange, destination, key = place
    return f"binding of {destination!r} to {exchange!r} by {key!r}"


def _bind(place: Place, arguments: Arguments) -> Request:
    exchange, destination, key = place
    body = {"destination": destination, "key": key, "arguments": dict(arguments)}
    return Request("BIND", "exchange", exchange, body)


def _difference(has: Arguments, wanted: Arguments) -> dict[str, Any]:
    names = dict.fromkeys((*wanted, *has))
    return {name: wanted.get(name) for name in names if wanted.get(name) != has.get(name)}


def _differences(has: Arguments, changes: Arguments) -> str:
    return ", ".join(f"{name} {_shown(has.get(name))} → {_shown(value)}" for name, value in changes.items())


def _shown(value: object) -> str:
    return _ABSENT if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _in_order(changes: Iterable[Change], definitions: Definitions) -> list[Change]:
    """The changes of nodes, each after those of the nodes that it names."""
    waiting: dict[str, list[Change]] = {}
    for change in changes:
        if change.request is not None:
            waiting.setdefault(change.request.name, []).append(change)
    nodes: Mapping[str, Arguments] = {**definitions.exchanges, **definitions.queues}
    ordered: list[Change] = []
    for name in list(waiting):
        chain = [name] if name in waiting else []
        while chain:
            named = [nodes.get(chain[-1], {}).get(option) for option in _NAMING]
            following = [each for each in named if each in waiting and each not in chain]
            if following:
                chain.append(following[0])
            else:
                ordered += waiting.pop(chain.pop(), [])
    return ordered


_NAMING: Final = ("alternate", "expiry_alternate", "history", "redirect")
"""Options that name another node, which has to exist before."""
