"""Queues, exchanges and bindings of a broker that loses power at any moment.

What comes back is the part that survives of what there was at the end of some turn: none before the last one
that was flushed. Nothing of it hangs in the air: a binding has both its ends, and an address that was made
for its queues has one.
"""

import os
import random
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from example_counts import example_count
from fake_disk import FakeDisk
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.bindings import (
    ANYCAST,
    MULTICAST,
    ROUTING_TYPE,
    SCOPE_ARGUMENT,
    SESSION,
    Binding,
)
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType, exchange_from_arguments
from lastvalue.broker.subscriptions import bind_subscription, subscribable
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import changed_spec, spec_from_arguments
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.server.open_store import StoreMachine, StoreSettings, open_store
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

CUTS: Final = int(os.environ.get("LASTVALUE_CUTS") or example_count(200))
SEGMENT_BYTES: Final = 2048
NEVER: Final = 1_000_000

QUEUES: Final = ("a", "b", "x")
EXCHANGES: Final = ("x", "y", "prices.#")
TEMPORARY: Final = ("delete-on-connection-close", "delete-on-session-end")
QUEUE_OPTIONS: Final = st.fixed_dictionaries(
    {
        "durable": st.sampled_from([True, True, False]),
        "lifetime": st.sampled_from(["permanent", "permanent", *TEMPORARY, "delete-on-no-links"]),
        "exclusive": st.sampled_from(["none", "none", "principal"]),
    },
    optional={"alternate": st.sampled_from([*QUEUES, *EXCHANGES])},
)
EXCHANGE_OPTIONS: Final = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["fanout", "address", "topic"]),
        "durable": st.booleans(),
        "auto_delete": st.booleans(),
    },
    optional={"alternate": st.sampled_from([*QUEUES, *EXCHANGES])},
)
Step: TypeAlias = tuple[Any, ...]
"""A method of `Living`, and its arguments."""


@dataclass(frozen=True)
class Topology:
    """What there is: queues with their owners, exchanges, and bindings."""

    queues: frozenset[tuple[str, str, str]]
    exchanges: frozenset[tuple[str, str]]
    bindings: frozenset[tuple[str, str, str, bool]]


def topology(broker: Broker) -> Topology:
    """What survives of a broker's nodes."""
    queues = {
        queue.spec.name: queue.spec
        for queue in broker.queues()
        if queue.spec.durable and queue.spec.lifetime.value not in TEMPORARY
    }
    exchanges = {each.name: each for each in broker.exchanges.every() if each.spec.durable}
    bindings = {
        (name, binding.destination, f"{binding.key} {binding.arguments}", binding.to_exchange)
        for name, exchange in exchanges.items()
        for binding in exchange.bindings.values()
        if binding.scope == 0 and binding.destination in (exchanges if binding.to_exchange else queues)
    }
    specs: list[QueueSpec | ExchangeSpec] = [
        *queues.values(),
        *(exchange.spec for exchange in exchanges.values()),
    ]
    bound = {name for name, *_ in bindings} | {spec.alternate for spec in specs}
    unused = {
        name
        for name, exchange in exchanges.items()
        if exchange.spec.type is ExchangeType.ADDRESS and exchange.spec.auto_delete and name not in bound
    }
    there = {*queues, *exchanges} - unused

    def shown(spec: QueueSpec | ExchangeSpec) -> str:
        # Its lifetime may have ended an alternate.
        return repr(spec if spec.alternate in there else replace(spec, alternate=None))

    return Topology(
        frozenset((name, shown(spec), _owner(broker, name)) for name, spec in queues.items()),
        frozenset((name, shown(each.spec)) for name, each in exchanges.items() if name not in unused),
        frozenset(each for each in bindings if not (each[3] and each[1] in unused)),
    )


def _owner(broker: Broker, name: str) -> str:
    owner = broker.lookup(name).ownership.owner
    return "" if owner is None else owner.principal


class Living:
    """A broker with a store on a disk that loses power once."""

    def __init__(self, left: dict[str, bytes], loss: int, seed: int) -> None:
        self._chance = random.Random(seed)
        self._loss = loss
        self._noticed = threading.Semaphore(0)
        disk = self.disk = FakeDisk(Path("/nowhere"), left)
        disk.before = self._maybe_lose
        self.left: dict[str, bytes] | None = None
        self.floor: int | None = None
        self.position = 0
        self.opened = False
        self.broker = Broker()
        with tempfile.TemporaryDirectory() as name:
            options = StoreOptions(Sync.ALWAYS, segment_bytes=SEGMENT_BYTES, checks=True)
            self.store = open_store(
                StoreSettings(Path(name), options, machine=StoreMachine(disk)), self.broker, 0
            )
        self.opened = True
        self.found = topology(self.broker)
        self.states = [(0, self.found)]
        self.me = self._connected()

    def _connected(self) -> Owner:
        identify = self.broker.identify
        return Owner(identify(), identify(), identify(), "container", "me")

    def _choose(self, below: int) -> int:
        return self._chance.randrange(below)

    def _maybe_lose(self, call: str) -> None:
        del call
        if self.left is None and len(self.disk.calls) >= self._loss:
            self._lose()

    def _lose(self) -> None:
        if self.opened:
            self.floor = self.store.journal.flushed
        self.left = self.disk.after_power_loss(self._choose)

    def do(self, verb: str, *arguments: Any) -> None:
        try:
            getattr(self, verb)(*arguments)
        except LastvalueError:
            # It is refused: the node is in use, is another one, or is not there.
            return

    def reconnect(self) -> None:
        """The connection ends with its session and its links, and another one is opened."""
        for number in (self.me.link, self.me.session, self.me.connection):
            self.broker.ended(number, 0)
        self.me = self._connected()

    def turn(self, wait: bool) -> None:
        """What the server's turn does."""
        journal = self.store.journal
        while self.broker.busy:
            self.broker.pump(0)
            drained = self.broker.drain(0)
            for each in self.broker.definitions.drain():
                self.position = journal.define(each.kind, each.name, each.arguments)
            for name, effects in drained:
                self.position = journal.append(name, effects)
        self.states.append((self.position, topology(self.broker)))
        journal.flush(self._noticed.release)
        while wait and journal.flushed < self.position:
            assert self._noticed.acquire(timeout=60)
            journal.flush(self._noticed.release)

    def close(self) -> None:
        """Stop in order, and lose power then, where that did not happen before."""
        self.turn(True)
        self.store.close()
        if self.left is None:
            self._lose()
            self.states = self.states[-1:]

    # ------------------------------------------------------------------ steps

    def declare(self, name: str, options: dict[str, object]) -> None:
        self.broker.declare(spec_from_arguments(name, options), self.me)

    def change(self, name: str, alternate: str | None) -> None:
        present = self.broker.lookup(name).queue.spec
        self.broker.reconfigure(changed_spec(present, {"alternate": alternate}), 0, self.me)

    def declare_exchange(self, name: str, options: dict[str, object], temporary: bool) -> None:
        scope = self.me.connection if temporary else 0
        self.broker.declare_exchange(exchange_from_arguments(name, options), self.me, scope)

    def change_exchange(self, name: str, options: dict[str, object]) -> None:
        present = self.broker.exchanges.find(name).spec
        kept = {"type": present.type.value, "durable": present.durable}
        self.broker.reconfigure_exchange(exchange_from_arguments(name, options | kept), self.me)

    def subscribe(self, address: str, name: str, routing: str) -> None:
        exchange = subscribable(self.broker, address, self.me)
        spec = spec_from_arguments(name, {"durable": True})
        bind_subscription(self.broker, exchange, spec, Binding(name, "", {ROUTING_TYPE: routing}), self.me, 0)

    def bind(self, exchange: str, to: str, key: str, to_exchange: bool, scoped: bool) -> None:
        arguments = {SCOPE_ARGUMENT: SESSION} if scoped else {}
        self.broker.bind(exchange, Binding(to, key, arguments, to_exchange), self.me, 0)

    def unbind(self, exchange: str, to: str, key: str) -> None:
        self.broker.unbind(exchange, to, key, self.me)

    def use(self, name: str) -> None:
        """Read a queue, and leave it: that may have been its last use."""
        hosted = self.broker.lookup(name)
        reader = self.broker.read(hosted, Mode.CONSUME, NullReceiver(), Terms(), self.me, 0)
        self.broker.stop(reader, 0)

    def delete(self, name: str) -> None:
        self.broker.delete(name, 0, self.me)

    def delete_exchange(self, name: str) -> None:
        self.broker.delete_exchange(name, self.me)


_QUEUE, _EXCHANGE = st.sampled_from(QUEUES), st.sampled_from(EXCHANGES)
_KEY, _FLAG = st.sampled_from(["", "k.*"]), st.booleans()
_ALTERNATE = st.sampled_from([None, *QUEUES, *EXCHANGES])
_SUBSCRIBE = st.tuples(st.just("subscribe"), _EXCHANGE, _QUEUE, st.sampled_from([ANYCAST, MULTICAST]))
STEPS: Final[st.SearchStrategy[Step]] = st.one_of(
    st.tuples(st.just("declare"), _QUEUE, QUEUE_OPTIONS),
    st.tuples(st.just("change"), _QUEUE, _ALTERNATE),
    st.tuples(
        st.just("declare_exchange"), _EXCHANGE, EXCHANGE_OPTIONS, st.sampled_from([False, False, True])
    ),
    st.tuples(st.just("change_exchange"), _EXCHANGE, EXCHANGE_OPTIONS),
    _SUBSCRIBE,
    _SUBSCRIBE,
    st.tuples(st.just("bind"), _EXCHANGE, _QUEUE, _KEY, st.just(False), _FLAG),
    st.tuples(st.just("bind"), _EXCHANGE, _EXCHANGE, _KEY, st.just(True), _FLAG),
    st.tuples(st.just("unbind"), _EXCHANGE, _QUEUE, _KEY),
    st.tuples(st.just("unbind"), _EXCHANGE, _EXCHANGE, _KEY),
    st.tuples(st.just("use"), _QUEUE),
    st.tuples(st.just("delete"), _QUEUE),
    st.tuples(st.just("delete_exchange"), _EXCHANGE),
    st.tuples(st.just("reconnect")),
    st.tuples(st.just("turn"), _FLAG),
    st.tuples(st.just("turn"), st.just(True)),
)


LIVES: Final = st.lists(
    st.tuples(
        st.lists(STEPS, max_size=30),
        st.one_of(st.integers(1, 90), st.integers(1, 20), st.just(NEVER)),
        st.integers(0, 2**32),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=CUTS, deadline=None)
@given(lives=LIVES)
def test_after_a_loss_of_power_there_are_the_nodes_and_bindings_that_survive_of_some_turn(
    lives: list[tuple[list[Step], int, int]],
) -> None:
    left: dict[str, bytes] = {}
    known = [topology(Broker())]
    for steps_, loss, seed in [*lives, ([], NEVER, 0)]:
        living = Living(left, loss, seed)
        assert living.found in known
        for step in steps_:
            living.do(*step)
        living.close()
        assert living.left is not None
        left = living.left
        if living.floor is not None:
            known = [state for position, state in living.states if position >= living.floor]
