"""What the journal keeps of the nodes that there are."""

import json
from typing import Any
from uuid import UUID

import pytest

from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.definitions import (
    BINDING,
    BRANCH,
    CREATOR,
    EXCHANGE,
    QUEUE,
    Definitions,
    stored_binding,
)
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, exchange_from_arguments
from lastvalue.queues.spec import LastValue, Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments


def drained(definitions: Definitions) -> list[tuple[str, str, Any]]:
    return [(each.kind, each.name, each.arguments) for each in definitions.drain()]


@pytest.mark.parametrize(
    ("spec", "kept"),
    [
        (QueueSpec("q", durable=True), True),
        (QueueSpec("q"), False),
        (QueueSpec("q", durable=True, lifetime=Lifetime.CONNECTION_CLOSE), False),
        (QueueSpec("q", durable=True, lifetime=Lifetime.SESSION_END), False),
        (QueueSpec("q", durable=True, lifetime=Lifetime.CREATING_LINK_CLOSE), False),
        (QueueSpec("q", durable=True, lifetime=Lifetime.NO_LINKS), True),
    ],
    ids=str,
)
def test_a_queue_is_kept_that_outlives_those_who_use_it(spec: QueueSpec, kept: bool) -> None:
    definitions = Definitions()
    definitions.queue_declared(spec, "")
    assert definitions.waiting is kept
    definitions.queue_deleted(spec)
    assert [kind for kind, _, _ in drained(definitions)] == [QUEUE, QUEUE] * kept


def test_the_user_who_declared_a_queue_is_kept_with_it() -> None:
    definitions = Definitions()
    definitions.queue_declared(QueueSpec("q", durable=True), "ann")
    ((_, _, arguments),) = drained(definitions)
    assert arguments[CREATOR] == "ann"


def test_the_arguments_of_a_queue_make_it_again() -> None:
    spec = QueueSpec("q", LastValue("k"), durable=True)
    definitions = Definitions()
    definitions.queue_declared(spec, "")
    ((_, name, arguments),) = drained(definitions)
    assert spec_from_arguments(name, arguments) == spec


def test_the_arguments_of_a_durable_exchange_make_it_again() -> None:
    spec = ExchangeSpec("x", durable=True, alternate="y", numbered=True)
    definitions = Definitions()
    definitions.exchange_declared(spec)
    definitions.exchange_declared(ExchangeSpec("passing"))
    definitions.exchange_deleted(ExchangeSpec("passing"))
    definitions.exchange_deleted(spec)
    (_, name, arguments), deleted = drained(definitions)
    assert exchange_from_arguments(name, arguments) == spec
    assert deleted == (EXCHANGE, "x", None)


def test_bindings_of_one_exchange_have_names_of_their_own() -> None:
    definitions = Definitions()
    bindings = [Binding("d", "k"), Binding("d", "k", {}, True), Binding("d", "l"), Binding("e", "k")]
    for binding in bindings:
        definitions.bound("x", binding)
    assert len({name for _, name, _ in drained(definitions)}) == len(bindings)


def test_a_binding_goes_by_the_name_it_came_by() -> None:
    definitions = Definitions()
    binding = Binding("d", "k", {"x-match": "all"}, True)
    definitions.bound("x", binding)
    definitions.unbound("x", binding)
    (kind, name, arguments), gone = drained(definitions)
    assert kind == BINDING
    assert arguments == {
        "exchange": "x",
        "destination": "d",
        "key": "k",
        "to_exchange": True,
        "arguments": {"x-match": "all"},
        "octets": {},
        "excluded": "",
    }
    assert gone == (BINDING, name, None)


@pytest.mark.parametrize(
    ("container", "stored"),
    [("client", "client"), ("amqp-0-9-1 connection 7", ""), ("amqp-0-10:7", "")],
)
def test_a_binding_excludes_no_connection_that_a_restart_ends(container: str, stored: str) -> None:
    definitions = Definitions()
    definitions.bound("x", Binding("d", "k", excluded=container))
    ((_, _, arguments),) = drained(definitions)
    assert arguments is not None
    assert arguments["excluded"] == stored


def test_a_prepared_branch_is_kept_until_it_ends() -> None:
    definitions = Definitions()
    definitions.prepared("b", {"posted": []})
    definitions.ended("b")
    assert drained(definitions) == [(BRANCH, "b", {"posted": []}), (BRANCH, "b", None)]
    assert not definitions.waiting


def test_a_binding_with_arguments_that_json_does_not_have_is_stored() -> None:
    definitions = Definitions()
    given = {"octets": b"\xff", "id": UUID(int=7), "nested": [{"octets": b"a"}]}
    definitions.bound("x", Binding("d", "k", given))
    ((_, _, arguments),) = drained(definitions)
    assert arguments is not None
    restored = stored_binding(json.loads(json.dumps(arguments)))
    assert restored.arguments == {"octets": b"\xff", "id": str(UUID(int=7)), "nested": [{"octets": "b'a'"}]}
