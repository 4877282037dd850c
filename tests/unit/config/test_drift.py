"""lastvalue.config.drift."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.config.drift import drift_at_start, reconcile_drift
from lastvalue.config.server_options import OnDrift
from lastvalue.config.toml_reader import parse_toml
from lastvalue.queues.spec import Limit, QueueSpec

WANTED = parse_toml('[[queue]]\nname = "q"\nmax_messages = 200\n[[queue]]\nname = "new"\n')


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(100)))
    broker.declare(QueueSpec("old"))
    return broker


def limits(broker: Broker) -> dict[str, int]:
    return {queue.spec.name: queue.spec.limit.messages for queue in broker.queues()}


@pytest.mark.parametrize(
    ("on_drift", "lines", "queues"),
    [
        (
            OnDrift.APPLY,
            ["change queue 'q': max_messages 100 → 200", "queue 'old' is only in the broker"],
            {"new": 0, "old": 0, "q": 200},
        ),
        (
            OnDrift.WARN,
            ["change queue 'q': max_messages 100 → 200", "queue 'old' is only in the broker"],
            {"new": 0, "old": 0, "q": 100},
        ),
        (OnDrift.REFUSE, ["change queue 'q': max_messages 100 → 200"], {"old": 0, "q": 100}),
    ],
)
def test_a_broker_that_starts_with_drift(
    broker: Broker, on_drift: OnDrift, lines: list[str], queues: dict[str, int]
) -> None:
    assert [outcome.line for outcome in drift_at_start(WANTED, broker, 0, on_drift)] == lines
    assert limits(broker) == queues


@pytest.mark.parametrize("on_drift", list(OnDrift))
def test_a_broker_that_starts_empty_has_no_drift(on_drift: OnDrift) -> None:
    broker = Broker()
    assert drift_at_start(WANTED, broker, 0, on_drift) == []
    assert limits(broker) == {"new": 0, "q": 200}


def test_a_refusal_of_one_change_leaves_the_others(broker: Broker) -> None:
    broker.declare(QueueSpec("spare", alternate="old"))
    text = '[[queue]]\nname = "q"\nmax_messages = 7\n[[queue]]\nname = "spare"\nalternate = "old"\n'
    outcomes = reconcile_drift(parse_toml(text + '[[queue]]\nname = "old"\ndurable = true\n'), broker, 0)
    assert [(outcome.line[:24], outcome.done) for outcome in outcomes] == [
        ("cannot change queue 'old", False),
        ("change queue 'q': max_me", True),
    ]
    assert limits(broker)["q"] == 7


def test_a_dry_run_changes_nothing(broker: Broker) -> None:
    outcomes = reconcile_drift(WANTED, broker, 0, prune=True, dry_run=True)
    assert [outcome.done for outcome in outcomes] == [False, False, False]
    assert limits(broker) == {"old": 0, "q": 100}


def test_what_the_broker_refuses_is_a_fault_in_one_line(broker: Broker) -> None:
    configuration = parse_toml(
        '[[queue]]\nname = "old"\nhistory = "q"\nmax_messages = 1\n[[queue]]\nname = "q"\n'
    )
    broker.declare(QueueSpec("watcher", history="old", limit=Limit(5)))
    (fault,) = [outcome for outcome in reconcile_drift(configuration, broker, 0) if outcome.fault]
    assert "\n" not in fault.line
    assert fault.line.startswith("change queue 'old': ")
