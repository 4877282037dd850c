import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bare_queue import body_of, encoded
from canned_message import Bell
from kept_stores import KeptStores

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_quotas import TooManyQueuesError
from lastvalue.broker.rights.owner import Owner, QueueLockedError
from lastvalue.broker.routing.binding_quotas import TooManyBindingsError
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.subscriptions import bind_subscription, subscribable
from lastvalue.codec.amqp10.message import read_message
from lastvalue.config.server_options import OnCorruption, ServerOptions
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome
from lastvalue.server.open_store import OpenStore, StoreSettings, open_store, store_from
from lastvalue.store.compaction import compact
from lastvalue.store.lock import StoreInUseError
from lastvalue.store.segments import segment_numbers
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync


class Run:
    """A broker from one start to the next, with so many bindings of a user at most; 0 is any number."""

    def __init__(self, directory: Path, now: int, most_bindings: int = 0, **options: Any) -> None:
        self.now = now
        self.broker = Broker()
        self.broker.exchanges.quotas.most = most_bindings
        settings = KeptStores.settings(directory, StoreOptions(segment_bytes=4096))
        self.store: OpenStore = open_store(settings, self.broker, now)
        if not self.broker.has_queue("q"):
            self.broker.declare(spec_from_arguments("q", {"durable": True, **options}))

    @property
    def queue(self) -> Queue:
        return self.broker.lookup("q").queue

    def send(self, body: str, ttl_ms: int | None = None, not_before_ms: int | None = None) -> None:
        annotations = {} if not_before_ms is None else {"x-opt-delivery-time": not_before_ms}
        data = encoded(body, {"k": "a"}, ttl_ms, durable=True, message_annotations=annotations)
        self.broker.publish(self.broker.queue_target("q"), read_message(data), self.now)

    def record(self) -> None:
        self.broker.pump(self.now)
        drained = self.broker.drain(self.now)
        for definition in self.broker.definitions.drain():
            self.store.journal.define(definition.kind, definition.name, definition.arguments)
        for name, effects in drained:
            self.store.journal.append(name, effects)

    def stop(self) -> None:
        self.record()
        self.store.close()

    def available(self) -> list[str]:
        browser = self.queue.subscribe(Mode.BROWSE, Bell(), ANY, 0)
        shown = []
        while (entry := self.queue.next(browser, self.now)) is not None:
            shown.append(body_of(entry.message.encoded))
        return shown


def test_a_second_broker_is_refused_and_told_the_process_of_the_first(tmp_path: Path) -> None:
    first = Run(tmp_path, 0)
    with pytest.raises(StoreInUseError, match=f"process {os.getpid()} has the store"):
        Run(tmp_path, 0)
    first.stop()
    Run(tmp_path, 0).stop()


@pytest.mark.usefixtures("kept")
def test_what_expired_in_a_consumers_hands_while_the_broker_was_down_is_gone_for_good(tmp_path: Path) -> None:
    run = Run(tmp_path, 1000)
    run.send("short", ttl_ms=50)
    run.send("long")
    assert run.queue.next(run.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0), 1000) is not None
    run.stop()
    run = Run(tmp_path, 2000)
    assert run.queue.removed(Reason.EXPIRED) == 1
    run.stop()
    # The clock is set back: what was seen to expire stays away.
    run = Run(tmp_path, 1000)
    assert run.available() == ["long"]
    run.stop()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("restart_at", [0, 900, 1049])
def test_a_deadline_stays_where_it_was_whatever_the_clock_does(tmp_path: Path, restart_at: int) -> None:
    run = Run(tmp_path, 1000)
    run.send("short", ttl_ms=50)
    run.stop()
    run = Run(tmp_path, restart_at)
    assert (run.queue.next_deadline(), run.available()) == (1050, ["short"])
    run.now = 1050
    assert run.available() == []
    run.stop()


@pytest.mark.usefixtures("kept")
def test_who_sent_a_message_is_known_after_a_restart(tmp_path: Path) -> None:
    """So a reader that wants nothing of its own still gets nothing of its own."""
    run = Run(tmp_path, 0)
    message = read_message(encoded("mine", {}, None, durable=True))
    message.origin = "container-é"
    run.broker.publish(run.broker.queue_target("q"), message, 0)
    run.stop()
    run = Run(tmp_path, 0)
    assert [entry.message.origin for entry in run.queue.entries()] == ["container-é"]
    run.stop()


@pytest.mark.usefixtures("kept")
def test_who_declared_an_exchange_is_known_after_a_restart(tmp_path: Path) -> None:
    """So its user has no more exchanges and bindings than before."""
    run = Run(tmp_path, 0)
    run.broker.declare_exchange(ExchangeSpec("own", durable=True), Owner(principal="ann"))
    run.stop()
    for _ in range(2):
        run = Run(tmp_path, 0)
        run.broker.exchanges.quotas.most = 1
        with pytest.raises(TooManyBindingsError):
            run.broker.declare_exchange(ExchangeSpec("more"), Owner(principal="ann"))
        run.stop()


@pytest.mark.usefixtures("kept")
def test_who_declared_a_queue_is_known_after_a_restart(tmp_path: Path) -> None:
    """So its user has no more queues than before."""
    run = Run(tmp_path, 0)
    run.broker.declare(QueueSpec("own", durable=True), Owner(principal="ann"))
    run.stop()
    for _ in range(2):
        run = Run(tmp_path, 0)
        run.broker.quotas.most = 1
        assert run.broker.lookup("own").creator.principal == "ann"
        with pytest.raises(TooManyQueuesError):
            run.broker.declare(QueueSpec("more"), Owner(principal="ann"))
        run.stop()


@pytest.mark.usefixtures("kept")
def test_the_virtual_host_of_a_queue_is_known_after_a_restart(tmp_path: Path) -> None:
    run = Run(tmp_path, 0)
    run.broker.declare(QueueSpec("own", durable=True, virtual_host="prod"))
    run.stop()
    run = Run(tmp_path, 0)
    assert run.broker.lookup("own").queue.spec.virtual_host == "prod"
    run.stop()


@pytest.mark.usefixtures("kept")
def test_a_redirect_continues_after_a_restart_until_it_was_ended(tmp_path: Path) -> None:
    run = Run(tmp_path, 0)
    run.broker.declare(QueueSpec("overflow", durable=True))
    run.broker.reconfigure(QueueSpec("q", durable=True, redirect="overflow"), 0)
    run.send("1")
    run.stop()
    run = Run(tmp_path, 0)
    run.send("2")
    assert (run.available(), run.broker.lookup("overflow").queue.depth) == ([], 2)
    run.broker.reconfigure(QueueSpec("q", durable=True), 0)
    run.stop()
    run = Run(tmp_path, 0)
    run.send("3")
    assert (run.available(), run.broker.lookup("q").redirect) == (["1", "2", "3"], None)
    run.stop()


def test_a_configuration_says_how_the_store_is_kept() -> None:
    assert store_from(ServerOptions()) is None
    assert store_from(ServerOptions(store=Path("d"))) == StoreSettings(Path("d"))
    settings = ServerOptions(
        store=Path("d"),
        sync=Sync.INTERVAL,
        sync_interval_ms=5,
        on_corruption=OnCorruption.SALVAGE,
        segment_size=1 << 20,
    )
    options = StoreOptions(Sync.INTERVAL, 5, 1 << 20)
    assert store_from(settings) == StoreSettings(Path("d"), options, salvage=True)


@pytest.mark.usefixtures("kept")
def test_what_was_held_back_comes_at_its_time_whatever_the_clock_does(tmp_path: Path) -> None:
    run = Run(tmp_path, 1000)
    run.send("later", not_before_ms=1500)
    run.stop()
    run = Run(tmp_path, 10)
    assert (run.queue.next_deadline(), run.available()) == (1500, [])
    run.stop()
    run = Run(tmp_path, 1500)
    assert run.available() == ["later"]
    run.stop()
    # It was shown, and is not hidden again by a clock that is set back.
    run = Run(tmp_path, 1000)
    assert run.available() == ["later"]
    run.stop()


@pytest.mark.usefixtures("kept")
def test_what_was_delivered_early_is_not_held_back_again(tmp_path: Path) -> None:
    run = Run(tmp_path, 1000)
    run.send("later", not_before_ms=1500)
    (entry,) = run.queue.entries()
    assert run.queue.show_early(entry, 1000)
    run.stop()
    run = Run(tmp_path, 1000)
    assert run.available() == ["later"]
    run.stop()


@pytest.mark.usefixtures("kept")
def test_what_fell_due_while_the_broker_was_down_becomes_its_keys_value(tmp_path: Path) -> None:
    run = Run(tmp_path, 1000, lvq_key="k")
    run.send("delayed", not_before_ms=1500)
    run.send("now")
    run.stop()
    run = Run(tmp_path, 2000)
    assert run.available() == ["delayed"]
    run.stop()


def start_often(directory: Path) -> None:
    """So the oldest files are copied forward."""
    for _ in range(12):
        run = Run(directory, 1100)
        for _ in range(3):
            run.store.journal.flush(lambda: None)
        run.stop()
    assert min(segment_numbers(directory)) > 2


@pytest.mark.parametrize("rewrite", [lambda _: None, start_often, lambda each: compact(each, 4096)])
@pytest.mark.parametrize("in_one_batch", [True, False])
def test_what_stood_beside_a_newer_value_is_known_to_be_the_older_one(
    tmp_path: Path, rewrite: Callable[[Path], object], in_one_batch: bool
) -> None:
    """V-007: also where nothing is left of the newer one."""
    run = Run(tmp_path, 1000, lvq_key="k", lvq_placement="in-place")
    run.send("browsed")
    assert run.available() == ["browsed"]
    if not in_one_batch:
        run.stop()
        run = Run(tmp_path, 1000)
        assert run.available() == ["browsed"]
    run.send("newer", ttl_ms=50)
    run.queue.advance(1100)
    run.stop()
    rewrite(tmp_path)
    run = Run(tmp_path, 1100)
    entry = run.queue.next(run.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0), 1100)
    assert entry is not None
    assert body_of(entry.message.encoded) == "browsed"
    run.queue.settle(entry, Outcome.RELEASED, 1100)
    assert (run.queue.depth, run.queue.removed(Reason.REPLACED)) == (0, 1)
    run.stop()


def test_starting_often_leaves_few_files(tmp_path: Path) -> None:
    run = Run(tmp_path, 0)
    run.send("stays")
    run.stop()
    for _ in range(30):
        run = Run(tmp_path, 0)
        for _ in range(3):
            run.store.journal.flush(lambda: None)
        run.stop()
    assert len(segment_numbers(tmp_path)) < 15
    run = Run(tmp_path, 0)
    assert run.available() == ["stays"]
    run.stop()


def test_what_is_damaged_is_copied_and_goes_once_it_was_passed_over(tmp_path: Path) -> None:
    run = Run(tmp_path, 0)
    for body in "abc":
        run.send(body * 60)
        run.record()
        flushed = run.store.journal.flushed
        run.store.journal.flush(lambda: None)
        while run.store.journal.flushed == flushed:
            pass
    run.store.close()
    (path,) = tmp_path.glob("*1.journal")
    data = bytearray(path.read_bytes())
    data[data.index(b"b" * 60)] ^= 1
    path.write_bytes(data)
    settings = StoreSettings(tmp_path, salvage=True)
    broker = Broker()
    store = open_store(settings, broker, 0)
    assert store.salvaged_bytes > 0
    store.journal.flush(lambda: None)
    store.close()
    run = Run(tmp_path, 0)
    assert run.available() == ["a" * 60, "c" * 60]
    run.stop()


@pytest.mark.usefixtures("kept")
def test_the_values_of_a_last_value_queue_are_there_again(tmp_path: Path) -> None:
    """S-049."""
    run = Run(tmp_path, 0, lvq_key="k")
    run.send("first")
    run.send("second")
    assert run.queue.depth == 1
    run.stop()
    run = Run(tmp_path, 1)
    assert (run.queue.depth, run.available()) == (1, ["second"])
    run.send("third")
    assert (run.queue.depth, run.available()) == (1, ["third"])
    run.stop()


@pytest.mark.parametrize(
    "arguments",
    [
        {"x-filter-jms-selector": "a = 'é'", "x-qpid-no-local": True},
        {"x-match": "all", "text": "a", "number": 5, "float": 1.5, "flag": False, "any": None},
        {"x-match": "any", "octets": b"\x00\xff"},
        {"list": [1, "a"], "table": {"a": [1.5]}},
    ],
    ids=["filters", "headers", "octets", "what exchanges ignore"],
)
@pytest.mark.usefixtures("kept")
def test_a_subscription_goes_on_after_a_restart_as_it_was_bound(
    tmp_path: Path, arguments: dict[str, Any]
) -> None:
    reader, other = Owner(container="client"), Owner(container="other")

    def subscribe(run: Run, owner: Owner) -> bool:
        exchange = run.broker.exchanges.find("amq.match" if "x-match" in arguments else "amq.topic")
        binding = Binding("subscription", "k", arguments)
        return bind_subscription(
            run.broker, exchange, QueueSpec("subscription", durable=True), binding, owner, 0
        )

    run = Run(tmp_path, 1000)
    assert subscribe(run, reader)
    run.stop()
    run = Run(tmp_path, 2000)
    assert not subscribe(run, reader)
    assert subscribe(run, other) is ("x-qpid-no-local" in arguments)
    run.stop()


@pytest.mark.usefixtures("kept")
def test_nodes_that_are_each_others_alternates_survive_with_what_they_hold(tmp_path: Path) -> None:
    run = Run(tmp_path, 0)
    run.broker.declare(spec_from_arguments("other", {"durable": True, "alternate": "q"}))
    run.broker.reconfigure(spec_from_arguments("q", {"durable": True, "alternate": "other"}), 0)
    run.broker.declare_exchange(ExchangeSpec("x", durable=True))
    run.broker.declare_exchange(ExchangeSpec("y", durable=True, alternate="x"))
    run.broker.reconfigure_exchange(ExchangeSpec("x", durable=True, alternate="y"))
    run.send("kept")
    run.stop()
    run = Run(tmp_path, 1)
    assert run.available() == ["kept"]
    assert [run.broker.lookup(name).queue.spec.alternate for name in ("q", "other")] == ["other", "q"]
    assert [run.broker.exchanges.find(name).spec.alternate for name in "xy"] == ["y", "x"]
    run.stop()


def test_a_queue_keeps_an_alternate_that_is_gone_because_it_may_come_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = Run(tmp_path, 0)
    run.broker.declare(spec_from_arguments("dead", {"durable": True, "lifetime": "delete-on-no-links"}))
    run.broker.declare(spec_from_arguments("late", {"durable": True}))
    arguments = {"durable": True, "alternate": "dead", "expiry_alternate": "late"}
    run.broker.reconfigure(spec_from_arguments("q", arguments), 0)
    run.send("kept")
    run.record()
    run.store.journal.forget("queue", "dead")
    run.stop()
    caplog.clear()
    run = Run(tmp_path, 1)
    assert run.available() == ["kept"]
    assert (run.queue.spec.alternate, run.queue.spec.expiry_alternate) == ("dead", "late")
    assert "store.node_skipped" not in caplog.text
    run.stop()


@pytest.mark.usefixtures("kept")
def test_an_address_survives_with_its_durable_queues_and_not_with_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = Run(tmp_path, 0)
    connection = Owner(connection=run.broker.identify(), principal="me")
    for address, name, lifetime in (
        ("stays", "lasting", "permanent"),
        ("stays", "passing", "delete-on-connection-close"),
        ("goes", "temporary", "delete-on-connection-close"),
    ):
        spec = spec_from_arguments(name, {"durable": True, "lifetime": lifetime})
        exchange = subscribable(run.broker, address, connection)
        bind_subscription(run.broker, exchange, spec, Binding(name, ""), connection, 0)
    run.broker.declare_exchange(ExchangeSpec("explicit", ExchangeType.ADDRESS), connection)
    run.stop()
    for _ in range(2):
        caplog.clear()
        run = Run(tmp_path, 1)
        names = [each.name for each in run.broker.exchanges.every() if each.name[:4] not in ("", "amq.")]
        assert names == ["explicit", "stays"]
        assert [each.destination for each in run.broker.exchanges.find("stays").bindings.values()] == [
            "lasting"
        ]
        assert "store.node_skipped" not in caplog.text
        run.stop()


@pytest.mark.usefixtures("kept")
def test_the_queue_of_a_user_belongs_to_that_user_after_a_restart(tmp_path: Path) -> None:
    run = Run(tmp_path, 0)
    run.broker.declare(
        spec_from_arguments("own", {"durable": True, "exclusive": "principal"}), Owner(principal="me")
    )
    run.stop()
    run = Run(tmp_path, 1)
    with pytest.raises(QueueLockedError):
        run.broker.delete("own", 1, Owner(principal="other"))
    run.broker.delete("own", 1, Owner(principal="me"))
    run.stop()


@pytest.mark.usefixtures("kept")
def test_the_bindings_that_a_user_has_survive_a_lower_limit(tmp_path: Path) -> None:
    run, user = Run(tmp_path, 0), Owner(principal="ann")
    for key in "abc":
        run.broker.bind("amq.topic", Binding("q", key), user, 0)
    run.stop()
    run = Run(tmp_path, 1, most_bindings=2)
    assert [each.key for each in run.broker.exchanges.find("amq.topic").bindings.values()] == ["a", "b", "c"]
    with pytest.raises(TooManyBindingsError):
        run.broker.bind("amq.topic", Binding("q", "d"), user, 1)
    run.stop()


def test_what_an_earlier_version_left_unbound_is_bound_again_with_its_messages(tmp_path: Path) -> None:
    """It recorded the durable queues of an address that clients of CORE had made, and not the address."""
    run = Run(tmp_path, 0)
    run.send("kept")
    run.stop()
    run = Run(tmp_path, 1)
    run.broker.declare_exchange(ExchangeSpec("news", ExchangeType.ADDRESS, auto_delete=True))
    run.broker.bind("news", Binding("q", "", {"routing-type": "multicast"}), Owner(), 1)
    run.stop()
    run = Run(tmp_path, 2)
    assert [each.destination for each in run.broker.exchanges.find("news").bindings.values()] == ["q"]
    assert run.available() == ["kept"]
    run.stop()
