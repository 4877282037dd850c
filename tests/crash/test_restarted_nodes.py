"""Each kind of node of each protocol over a restart: what was confirmed is there, and what is sent arrives.

All rows share a broker and its restart. What no restart keeps is gone, and nothing hangs in the air.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from example_counts import profile
from log_servers import LogServers
from node_rows import PASSING, ROWS, declare_passing
from node_steps import AFTER, AGAIN, BEFORE, Clients, Row
from served_broker import ServedBroker
from unused_rows import UNUSED, declare_unused
from waiting import wait_until

LEASE_MS = "2000"
TEMPORARY = ("delete-on-connection-close", "delete-on-session-end", "delete-on-creating-link-close")


@dataclass
class Restarted:
    """What rows find after the restart.

    Attributes:
        faults: why a row could not be declared, or its text not sent, by the row's name.
        before, after: what there was before that a restart keeps, and what there is after it.
        passing: the names of what there was before.
    """

    clients: Clients
    faults: dict[str, Exception]
    before: dict[str, Any]
    after: dict[str, Any]
    passing: set[str]


ENDS = ["stopped", "killed", "followed"]
"""How the broker ends; the quick profile has the worst of one that nobody follows."""


@pytest.fixture(scope="module", params=["killed"] if profile() == "quick" else ENDS)
def restarted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Restarted]:
    """A broker that continues from a store, or another one that followed it and takes over."""
    follows = request.param == "followed"
    if follows:
        servers: LogServers = request.getfixturevalue("log_servers")
        flags = ["--store", servers.address("nodes"), "--store-lease-ms", LEASE_MS, "--follow"]
    else:
        # Some hold messages and transactions, for which it would wait much longer when it is stopped.
        flags = ["--store", str(tmp_path_factory.mktemp("store")), "--drain-timeout-ms", "200"]
    faults: dict[str, Exception] = {}
    with ExitStack() as brokers:
        first = brokers.enter_context(ServedBroker("--anonymous", *flags))
        second = brokers.enter_context(ServedBroker("--anonymous", *flags)) if follows else None
        with Clients(first.port) as clients:
            for row in ROWS:
                prepare(row, clients, faults)
            declare_passing(clients)
            declare_unused(clients)
            before = described(clients, kept=True)
            passing = names_in(clients)
            if request.param == "stopped":
                assert first.stop()[0] == 0
            else:
                first.kill()
        second = second or brokers.enter_context(ServedBroker("--anonymous", *flags))
        with Clients(second.port) as clients:
            if follows:
                wait_until(lambda: leads(clients))
            yield Restarted(clients, faults, before, described(clients), passing)


def leads(clients: Clients) -> bool:
    state = clients.own.manage("READ", kind="cluster")
    return isinstance(state, dict) and state["role"] == "leader"


def prepare(row: Row, clients: Clients, faults: dict[str, Exception]) -> None:
    try:
        row.declare(clients)
        row.send(clients, BEFORE)
    except Exception as fault:  # noqa: BLE001 - the test of the row raises it
        faults[row.name] = fault


def described(clients: Clients, *, kept: bool = False) -> dict[str, Any]:
    """The queues and exchanges with their options and bindings; with `kept` only what survives a restart."""
    queues = {
        each.name: dict(each.options)
        for each in clients.own.queues()
        if each.name not in UNUSED
        if not kept or (each.options.get("durable") and each.options.get("lifetime") not in TEMPORARY)
    }
    exchanges = {
        each.name: each for each in clients.own.exchanges() if each.name and each.options.get("durable")
    }
    nodes: dict[str, Any] = dict(queues)
    for name, each in exchanges.items():
        bindings = {
            (binding.destination, binding.key): dict(binding.arguments)
            for binding in each.bindings
            if not kept or binding.destination in queues or binding.destination in exchanges
        }
        if bindings or not kept or not (each.type == "address" and each.options.get("auto_delete")):
            nodes[f"exchange {name}"] = (dict(each.options), bindings)
    return nodes


def names_in(clients: Clients) -> set[str]:
    """The names of all queues and exchanges."""
    queues = {each.name for each in clients.own.queues()}
    return queues | {each.name for each in clients.own.exchanges()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_was_confirmed_is_there_and_what_is_sent_after_arrives(restarted: Restarted, row: Row) -> None:
    if row.name in restarted.faults:
        raise restarted.faults[row.name]
    clients = restarted.clients
    arrived = [] if row.held else [BEFORE]
    # Beyond the restart only where a time passes.
    wait_until(lambda: clients.texts(row.queue) == arrived)
    # Before its readers are back, and once they are.
    row.send(clients, AFTER)
    row.declare(clients)
    row.send(clients, AGAIN)
    wait_until(lambda: len(clients.texts(row.queue)) >= 3)
    assert clients.texts(row.queue) == [BEFORE, AFTER, AGAIN]


def test_nodes_have_their_options_and_bindings_and_nothing_else_is_there(restarted: Restarted) -> None:
    assert restarted.after == restarted.before
    assert set(PASSING) <= restarted.passing
    assert not set(PASSING) & names_in(restarted.clients)


def test_what_nobody_used_before_the_restart_is_deleted_after_it(restarted: Restarted) -> None:
    assert set(UNUSED) <= restarted.passing
    wait_until(lambda: not set(UNUSED) & names_in(restarted.clients))
