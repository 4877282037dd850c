"""What an UPDATE through `$management` does, for every option in every spelling."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

from lastvalue.broker.administration.request import Request, Response
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import manage
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.meanings import BY_ALIAS
from lastvalue.queues.option import Kind
from lastvalue.queues.options import BY_SPELLING
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments

START_MS = 1_700_000_000_000
BASES: tuple[dict[str, Any], ...] = (
    {},
    {"lvq_key": "symbol", "order_by": "n"},
    {"priorities": 5},
    {"sort_key": "s"},
    {"group_mode": "shared"},
    {"max_messages": 40, "when_full": "drop-oldest"},
    {"max_messages": 40, "when_full": "block"},
    {"flow_stop_messages": 40, "flow_stop_bytes": 50},
    {"x-qpid-capacity": 60},
    {"alternate": "dead", "history": "h", "lifetime": "delete-on-no-links", "auto_delete_delay_ms": 5},
)
FILTERS = '{"f": {"x-qpid-replay-period": ["%s"]}}'
TEXTS: dict[str, tuple[Any, ...]] = {
    "default_filters": (FILTERS % 5, FILTERS % 6),
    "filter": ("a = 1", "a = 2"),
    "fairshare_levels": ("1:2", "2:3"),
    "alternate": ("dead", "late", ""),
    "expiry_alternate": ("dead", "late", ""),
    "history": ("h", "i"),
    "conflation": ("sum(a)", "count"),
    "redirect": ("near", "far", ""),
}
ALIAS_VALUES: dict[str, tuple[Any, ...]] = {
    "qpid.group_header_key": ("JMSXGroupId", "other"),
    "alternateBinding": ({"destination": "dead"}, {"destination": "late"}),
    "defaultFilters": ({"f": {"x-qpid-replay-period": ["5"]}}, FILTERS % 6),
    "qpid.default_filters": ({"f": {"x-qpid-replay-period": ["5"]}}, FILTERS % 6),
    "expiryPolicy": ("DELETE", "ROUTE_TO_ALTERNATE"),
    "x-dead-letter-exchange": ("dead", "late"),
    "x-dead-letter-routing-key": ("a", "b"),
    "x-queue-type": ("classic", "quorum"),
    "x-queue-mode": ("lazy", "default"),
    "qpid.policy_type": ("none", "reject", "ring"),
    "overflowPolicy": ("NONE", "REJECT", "RING", "PRODUCER_FLOW_CONTROL"),
    "ring-size": (5, 7, -1),
    "qpid.fairshare-3": (1, 2),
}
FLAGS = (
    "last-value",
    "x-single-active-consumer",
    "qpid.shared_msg_group",
    "x-qpid-dlq-enabled",
    "enabled",
    "auto-delete",
)
SILENT = {"x-queue-type", "x-queue-mode"}
"""Spellings that a declaration accepts and that mean nothing here."""


def values_of(spelling: str) -> tuple[Any, ...]:
    if spelling in ALIAS_VALUES:
        return ALIAS_VALUES[spelling]
    if spelling in FLAGS:
        return (True, False)
    option = BY_SPELLING.get(spelling)
    if option is None or option.kind is Kind.NUMBER:
        return (3, 9, 0)
    if option.kind is Kind.FLAG:
        return (True, False)
    if option.kind is Kind.CHOICE:
        return option.form.values
    return TEXTS.get(option.name, ("a", "b"))


CASES = [
    *((spelling, values_of(spelling)) for spelling in sorted({*BY_SPELLING, *BY_ALIAS, "qpid.fairshare-3"})),
    # A flag is Artemis's, a text our own and Broker-J's.
    ("exclusive", (True, False)),
]


def a_broker() -> Broker:
    broker = Broker()
    for name in ("dead", "late", "q_DLQ"):
        broker.declare(QueueSpec(name, durable=True))
    for name in ("near", "far"):
        broker.declare(QueueSpec(name))
    return broker


def asked(broker: Broker, operation: str, body: Mapping[str, Any] | None = None) -> Response:
    return manage(broker, Request(operation, "queue", "q", body or {}), START_MS)


def shown(broker: Broker) -> dict[str, Any]:
    return dict(asked(broker, "READ").body["options"])


def declared(arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The options of a declaration, or None if it is refused."""
    try:
        return dict(spec_to_arguments(spec_from_arguments("q", arguments)))
    except InvalidSpecError:
        return None


def options_of(spelling: str, values: tuple[Any, ...]) -> set[str]:
    """The options that a spelling can set: those that differ between declarations with and without it."""
    found: set[str] = set()
    for base in BASES:
        plain = declared(base)
        for value in values:
            told = declared({**base, spelling: value})
            if plain is not None and told is not None:
                found |= {name for name in (*plain, *told) if plain.get(name) != told.get(name)}
    return found


def only(options: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: options.get(name) for name in names}


def without(options: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


def trials(spelling: str, values: tuple[Any, ...]) -> Iterator[tuple[dict[str, Any], Any, Any]]:
    for base in BASES:
        for first, second in pairwise((*values, values[0])):
            if declared({**base, spelling: first}) is not None:
                yield base, first, second


@pytest.mark.parametrize(("spelling", "values"), CASES, ids=[f"{name}-{values}" for name, values in CASES])
def test_an_update_does_what_a_declaration_does_or_is_refused_by_name(
    spelling: str, values: tuple[Any, ...]
) -> None:
    touched = options_of(spelling, values)
    tried = 0
    broker = a_broker()
    for base, first, second in trials(spelling, values):
        # The broker refuses what depends on other nodes, such as a redirect from a queue that may be deleted.
        if asked(broker, "CREATE", {**base, spelling: first}).status != 201:
            continue
        tried += 1
        before = shown(broker)
        response = asked(broker, "UPDATE", {spelling: second})
        after = shown(broker)
        if response.status == 200:
            assert spelling not in SILENT
            # Where the base contradicts it, the declaration is one without what it sets.
            sets = [set[str](), touched, *({name} for name in touched)]
            others = [without(declaration, names) for declaration in (base, before) for names in sets]
            redeclared = [declared({**other, spelling: second}) for other in others]
            assert only(after, touched) in [only(each, touched) for each in redeclared if each is not None]
            assert without(after, touched) == without(before, touched)
        else:
            assert after == before
            assert any(name in response.description for name in (spelling, *touched)), response.description
        assert asked(broker, "DELETE").status == 204
        broker.drain(START_MS)
    assert tried >= len(values)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"max_messages": 10, "ring-size": 5}, ("max_messages", "ring-size")),
        ({"max_messages": 10, "x-max-length": 5}, ("max_messages", "x-max-length")),
        ({"ring-size": 10, "x-max-length": 5}, ("ring-size", "x-max-length")),
        ({"ring-size": 5, "when_full": "refuse"}, ("ring-size", "when_full")),
        ({"maximum_ttl_ms": 10, "x-message-ttl": 5}, ("maximum_ttl_ms", "x-message-ttl")),
        ({"paused": True, "enabled": True}, ("paused", "enabled")),
        ({"alternate": "a", "x-dead-letter-exchange": "b"}, ("alternate", "x-dead-letter-exchange")),
        ({"expiry_alternate": "a", "expiryPolicy": "DELETE"}, ("expiry_alternate", "expiryPolicy")),
        ({"live_consumers": 3, "x-single-active-consumer": True}, ("live_consumers", "x-single-active")),
        ({"when_full": "block", "max_messages": 5, "flow_stop_messages": 3}, ("flow_stop_messages", "block")),
    ],
    ids=str,
)
@pytest.mark.parametrize("operation", ["CREATE", "UPDATE"])
def test_two_spellings_that_contradict_each_other_are_refused_by_name(
    operation: str, arguments: dict[str, Any], names: tuple[str, str]
) -> None:
    broker = a_broker()
    if operation == "UPDATE":
        asked(broker, "CREATE")
    response = asked(broker, operation, arguments)
    assert response.status == 422
    assert all(name in response.description for name in names), response.description


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ({"x-max-length": 5, "x-overflow": "reject-publish"}, {"max_messages": 5}),
        ({"last-value": True, "lvq_key": "k"}, {"type": "lvq", "lvq_key": "k"}),
        ({"x-qpid-dlq-enabled": True, "alternate": "dead"}, {"alternate": "dead"}),
        (
            {"x-dead-letter-exchange": "dead", "expiry_alternate": "late"},
            {"alternate": "dead", "expiry_alternate": "late"},
        ),
        (
            {"alternate": "dead", "x-dead-letter-routing-key": "k"},
            {"alternate": "dead", "alternate_key": "k"},
        ),
    ],
    ids=str,
)
def test_a_spelling_that_only_presumes_an_option_leaves_it_to_the_one_that_says_it(
    arguments: dict[str, Any], options: dict[str, Any]
) -> None:
    broker = a_broker()
    assert asked(broker, "CREATE", arguments).status == 201
    assert shown(broker) == {"type": "standard"} | options


@pytest.mark.parametrize(
    ("declared_with", "update", "options"),
    [
        ({"max_messages": 100}, {"max_messages": 200}, {"max_messages": 200}),
        ({"max_messages": 100}, {"max_messages": 10}, {"max_messages": 10}),
        (
            {"max_messages": 100, "flow_resume_messages": 7},
            {"max_messages": 200},
            {"max_messages": 200, "flow_resume_messages": 7},
        ),
        (
            {"max_bytes": 100},
            {"max-size-bytes": 300, "max_messages": 5},
            {"max_bytes": 300, "max_messages": 5},
        ),
    ],
)
def test_the_marks_of_a_queue_that_blocks_follow_its_limit(
    declared_with: dict[str, Any], update: dict[str, Any], options: dict[str, Any]
) -> None:
    broker = a_broker()
    asked(broker, "CREATE", {"when_full": "block", **declared_with})
    assert asked(broker, "UPDATE", update).status == 200
    assert shown(broker) == {"type": "standard", "when_full": "block", **options}
    flow = broker.lookup("q").queue.spec.flow
    resume = options.get("flow_resume_messages", options.get("max_messages", 0) * 4 // 5)
    assert (flow.stop_messages, flow.resume_messages) == (options.get("max_messages", 0), resume)


def test_a_change_to_nothing_gives_an_option_its_default() -> None:
    broker = a_broker()
    asked(broker, "CREATE", {"ring-size": 5, "alternate": "dead", "description": "d"})
    assert asked(broker, "UPDATE", {"ring-size": None, "alternate": None}).status == 200
    assert shown(broker) == {"type": "standard", "description": "d"}
    assert asked(broker, "UPDATE", {"description": "", "alternate": "late"}).status == 200
    assert asked(broker, "UPDATE", {"alternate": ""}).status == 200
    assert shown(broker) == {"type": "standard"}
