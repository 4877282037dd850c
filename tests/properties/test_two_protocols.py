"""Clients of different protocols on one queue at once, against a model that anyone can check.

Who gets a message is the broker's choice; what the model says is which messages may be given, in which order,
and that none is left lying while somebody has room for it.
"""

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

from example_counts import example_count
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from transport_clients import (
    Amqp010Client,
    Amqp091Client,
    Amqp10Client,
    CoreClient,
    TransportClient,
    body_of,
)
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec_arguments import spec_from_arguments

EXAMPLES = example_count(60)
PROTOCOLS = ("1.0", "0-10", "0-9-1", "CORE")
NAMES = ("first", "second", "third")
SHARED, STAYING = "shared", "default"
NO_GROUP = "qpid.no-group"
KINDS: dict[str, dict[str, Any]] = {
    "standard": {},
    "last value": {"lvq_key": "k"},
    "ordered": {"lvq_key": "k", "order_by": "n"},
    "groups": {"group_key": "g", "group_mode": SHARED},
    "staying groups": {"group_key": "g", "group_mode": STAYING},
}


@dataclass(eq=False)
class Item:
    """A message of the model's queue, or one that was replaced and that its holder still has to settle.

    Attributes:
        says_when: its publisher said when it expires, which stays.
        retired: its holder has accepted it in a transaction.
    """

    body: str
    key: str | None
    order: int | None
    group: str | None
    ttl_ms: int | None
    says_when: bool = False
    expires_ms: int | None = None
    sequence: int = 0
    holder: str | None = None
    retired: bool = False


@dataclass
class Party:
    """What the model has of a client.

    Attributes:
        room: how many messages it may get; what a rollback gives back may exceed it.
        posted: what it has published in its open transaction.
    """

    client: TransportClient
    transacted: bool
    room: int = 0
    consumes: bool = False
    posted: list[Item] = field(default_factory=list)

    @property
    def frees_at_commit(self) -> bool:
        """[RabbitMQ] What it acknowledges in a transaction takes room until the commit."""
        return self.transacted and isinstance(self.client, Amqp091Client)


class TwoProtocols(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.broker = Broker()
        self.state = BrokerState(self.broker)
        self.numbers = itertools.count(1)
        self.sequences = itertools.count(1)
        self.items: list[Item] = []
        self.replaced: list[Item] = []
        self.parties: dict[str, Party] = {}
        self.owners: dict[str, str] = {}
        self.elsewhere: dict[str, list[Item]] = {"rejects": [], "expired": []}

    @initialize(kind=st.sampled_from(sorted(KINDS)), protocols=st.permutations(PROTOCOLS), data=st.data())
    def begin(self, kind: str, protocols: list[str], data: st.DataObject) -> None:
        self.options = KINDS[kind]
        for name in self.elsewhere:
            self.broker.declare(spec_from_arguments(name, {}))
        alternates = {"alternate": "rejects", "expiry_alternate": "expired"}
        self.broker.declare(spec_from_arguments("q", {**self.options, **alternates}))
        for name, protocol in zip(NAMES, protocols[: len(NAMES)], strict=True):
            self._join(name, protocol, transacted=data.draw(st.booleans()))

    def _join(self, name: str, protocol: str, *, transacted: bool) -> None:
        client: TransportClient
        if protocol == "1.0":
            client = Amqp10Client(self.broker, self.clock, transacted=transacted)
        elif protocol == "0-10":
            session = f"{name} {next(self.numbers)}"
            client = Amqp010Client(self.state, self.clock, session, transacted=transacted)
        elif protocol == "CORE":
            client = CoreClient(self.broker, self.clock, transacted=transacted)
        else:
            client = Amqp091Client(self.broker, self.clock, transacted=transacted)
        self.parties[name] = Party(client, transacted)

    # ------------------------------------------------------------------ what clients do

    @rule(
        name=st.sampled_from(NAMES),
        key=st.sampled_from([None, "a", "b"]),
        order=st.sampled_from([None, 1, 2, 3]),
        group=st.sampled_from([None, "x", "y"]),
        ttl_ms=st.sampled_from([None, None, 5, 10]),
    )
    def publish(
        self, name: str, key: str | None, order: int | None, group: str | None, ttl_ms: int | None
    ) -> None:
        party = self.parties[name]
        if party.client.says_when and party.transacted:
            # It might expire before it is committed.
            ttl_ms = None
        item = Item(str(next(self.numbers)), key, order, group, ttl_ms, party.client.says_when)
        said = {"k": key, "n": order, "g": group}
        properties = {each: value for each, value in said.items() if value is not None}
        party.client.publish(item.body, properties, ttl_ms)
        if party.transacted:
            party.posted.append(item)
        else:
            self._take(item)
        self._deliver()

    @rule(name=st.sampled_from(NAMES), credit=st.integers(1, 3))
    def subscribe(self, name: str, credit: int) -> None:
        party = self.parties[name]
        party.client.subscribe(credit)
        if not party.client.windowed or not party.consumes:
            party.room += credit
        party.consumes = True
        self._deliver()

    @precondition(lambda self: any(self._unsettled(name) for name in NAMES))
    @rule(data=st.data(), outcome=st.sampled_from(["accepted", "accepted", "rejected", "released"]))
    def settle(self, data: st.DataObject, outcome: str) -> None:
        name = data.draw(st.sampled_from([name for name in NAMES if self._unsettled(name)]))
        party = self.parties[name]
        item = data.draw(st.sampled_from(self._unsettled(name)))
        if party.transacted or party.client.only_accepts:
            outcome = "accepted"
        party.client.settle(item.body, outcome)
        if party.client.windowed and not party.frees_at_commit:
            party.room += 1
        if party.transacted:
            item.retired = True
        else:
            self._settle(item, outcome)
        self._deliver()

    @precondition(lambda self: any(party.transacted for party in self.parties.values()))
    @rule(data=st.data(), commits=st.booleans())
    def end_transaction(self, data: st.DataObject, *, commits: bool) -> None:
        names = [name for name, party in self.parties.items() if party.transacted]
        name = data.draw(st.sampled_from(names))
        party = self.parties[name]
        party.client.end(commits=commits)
        posted, party.posted = party.posted, []
        for item in [item for item in self.held(name) if item.retired]:
            item.retired = False
            if commits or not party.client.keeps:
                self._settle(item, "accepted" if commits else "released")
                party.room += 1 if party.frees_at_commit else 0
            elif party.client.windowed and not party.frees_at_commit:
                party.room -= 1
        if party.client.only_accepts and not commits:
            for item in self.held(name):
                self._settle(item, "released")
        if commits:
            for item in posted:
                self._take(item)
        self._deliver()

    @rule(name=st.sampled_from(NAMES), protocol=st.sampled_from(PROTOCOLS), transacted=st.booleans())
    def leave_and_come_again(self, name: str, protocol: str, *, transacted: bool) -> None:
        self.parties[name].client.leave()
        self.owners = {group: owner for group, owner in self.owners.items() if owner != name}
        for item in self.held(name):
            self._settle(item, "released")
        self._join(name, protocol, transacted=transacted)
        self._deliver()

    @rule(milliseconds=st.sampled_from([1, 5, 10]))
    def wait(self, milliseconds: int) -> None:
        self.clock.now += milliseconds
        self.broker.advance(self.clock.now)
        for item in list(self.items):
            if item.holder is None and self._past(item):
                self._expire(item)
        self.elsewhere["rejects"] = [item for item in self.elsewhere["rejects"] if not self._past(item)]
        self._deliver()

    # ------------------------------------------------------------------ the model

    def held(self, name: str) -> list[Item]:
        return [item for item in self.items + self.replaced if item.holder == name]

    def _unsettled(self, name: str) -> list[Item]:
        return [item for item in self.held(name) if not item.retired]

    def _take(self, item: Item) -> None:
        self._begin_ttl(item)
        key = item.key if "lvq_key" in self.options else None
        item.sequence = next(self.sequences)
        for current in list(self.items):
            if key is None or current.key != key:
                continue
            orders = (item.order, current.order) if "order_by" in self.options else (None, None)
            if orders[0] is not None and orders[1] is not None and orders[0] < orders[1]:
                return
            self.items.remove(current)
            if current.holder is not None:
                self.replaced.append(current)
        self.items.append(item)

    def _settle(self, item: Item, outcome: str) -> None:
        if item in self.replaced:
            self.replaced.remove(item)
            return
        if outcome == "released":
            self._release(item)
            return
        self.items.remove(item)
        if outcome == "rejected":
            # Its time to live begins again on the other queue.
            self._begin_ttl(item)
            self.elsewhere["rejects"].append(item)

    def _release(self, item: Item) -> None:
        item.holder, item.retired = None, False
        if self._past(item):
            self._expire(item)

    def _begin_ttl(self, item: Item) -> None:
        if item.says_when and item.expires_ms is not None:
            return
        item.expires_ms = None if item.ttl_ms is None else self.clock.now + item.ttl_ms

    def _past(self, item: Item) -> bool:
        return item.expires_ms is not None and item.expires_ms <= self.clock.now

    def _expire(self, item: Item) -> None:
        self.items.remove(item)
        self.elsewhere["expired"].append(replace(item, expires_ms=None))

    def _may_get(self, name: str, item: Item) -> bool:
        """Whether a message's group, where it has one, is free or the consumer's."""
        mode = self.options.get("group_mode")
        if mode == STAYING:
            return item.group is None or self.owners.get(item.group, name) == name
        if mode == SHARED:
            held = [other for other in self.items if other.holder is not None and other.group == item.group]
            return all(other.holder == name for other in held)
        return True

    def _available(self) -> list[Item]:
        return sorted((item for item in self.items if item.holder is None), key=lambda item: item.sequence)

    # ------------------------------------------------------------------ both

    def _deliver(self) -> None:
        """Take what the broker gives, and give it in the model."""
        given: list[tuple[int, str, Item]] = []
        quiet = False
        while not quiet:
            quiet = True
            for name, party in self.parties.items():
                for body in party.client.deliveries():
                    quiet = False
                    (item,) = [item for item in self.items + self.replaced if item.body == body]
                    given.append((item.sequence, name, item))
        for _, name, item in sorted(given, key=lambda each: each[0]):
            assert item.holder is None
            assert self.parties[name].room > 0
            assert not self._past(item)
            assert self._may_get(name, item)
            passed = [other for other in self._available() if other.sequence < item.sequence]
            assert [other.body for other in passed if self._may_get(name, other)] == []
            item.holder = name
            self.parties[name].room -= 1
            if item.group is not None:
                self.owners[item.group] = name

    @invariant()
    def nothing_is_left_lying_where_there_is_room(self) -> None:
        for name, party in self.parties.items():
            if party.room > 0 and party.consumes:
                assert [item.body for item in self._available() if self._may_get(name, item)] == []

    @invariant()
    def the_queues_have_what_the_model_has(self) -> None:
        if not self.parties:
            return
        expected = {item.body: item.holder is not None for item in self.items}
        entries = self.broker.lookup("q").queue.entries()
        assert {body_of(bytes(entry.message.encoded)): entry.state != 0 for entry in entries} == expected
        for name, items in self.elsewhere.items():
            entries = self.broker.lookup(name).queue.entries()
            assert sorted(body_of(bytes(entry.message.encoded)) for entry in entries) == sorted(
                item.body for item in items
            )


TestTwoProtocols = TwoProtocols.TestCase
TestTwoProtocols.settings = settings(
    max_examples=EXAMPLES, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
