"""lastvalue.config.plan, and that carrying it out leaves nothing to change."""

from collections.abc import Iterator
from typing import Any

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.broker.administration.request import Request
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.owner import BROKER
from lastvalue.config.declarations import rehearsed_declarations
from lastvalue.config.definitions_of_broker import definitions_of_broker
from lastvalue.config.plan import Change, Verdict, plan
from lastvalue.config.toml_reader import parse_toml

EXCHANGE = '[[exchange]]\nname = "news"\ntype = "topic"\n'
QUEUE = '[[queue]]\nname = "q"\n'
BINDING = '[[binding]]\nexchange = "news"\nqueue = "q"\nkey = "a.#"\n'
POLICY = '[[auto-create]]\npattern = "auto.*"\non_publish = true\n'


def changes(text: str, broker: Broker, *, prune: bool = False) -> list[Change]:
    wanted, faults = rehearsed_declarations(parse_toml(text))
    assert faults == []
    return plan(wanted, definitions_of_broker(broker), prune=prune)


def lines(text: str, broker: Broker) -> list[str]:
    return [str(change) for change in changes(text, broker)]


def carried_out(text: str, broker: Broker, *, prune: bool = False) -> Broker:
    for change in changes(text, broker, prune=prune):
        if change.request is not None:
            response = manage(broker, change.request, 0, BROKER)
            assert response.status < 300, (change, response)
    return broker


def broker_of(text: str) -> Broker:
    return carried_out(text, Broker())


def test_what_is_equal_needs_no_change() -> None:
    text = EXCHANGE + QUEUE + BINDING + POLICY
    assert changes(text, broker_of(text)) == []


def test_what_is_missing_is_added_after_what_it_names() -> None:
    text = QUEUE + 'alternate = "dead"\nhistory = "h"\n' + '[[queue]]\nname = "dead"\n' + EXCHANGE + BINDING
    assert lines(text, Broker()) == [
        "add exchange 'news'",
        "add queue 'dead'",
        "add queue 'h'",
        "add queue 'q'",
        "add binding of 'q' to 'news' by 'a.#'",
    ]


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (QUEUE + "max_messages = 100", QUEUE + "max_messages = 200", "queue 'q': max_messages 100 → 200"),
        (QUEUE + "max_messages = 100", QUEUE, "queue 'q': max_messages 100 → none"),
        (QUEUE, QUEUE + "paused = true", "queue 'q': paused none → true"),
        (
            QUEUE + "ring-size = 5",
            QUEUE + "max_messages = 7\nwhen_full = 'block'",
            "queue 'q': max_messages 5 → 7, when_full drop-oldest → block",
        ),
        (EXCHANGE, EXCHANGE + 'unroutable = "refuse"', "exchange 'news': unroutable none → refuse"),
        (
            EXCHANGE.replace("topic", "headers") + QUEUE + BINDING + 'arguments = { x-match = "any", a = 1 }',
            EXCHANGE.replace("topic", "headers") + QUEUE + BINDING + 'arguments = { x-match = "any", a = 2 }',
            "binding of 'q' to 'news' by 'a.#': a 1 → 2",
        ),
        (POLICY, POLICY + "on_consume = true", "the policies: now 'auto.*' (queue)"),
    ],
)
def test_what_can_change_is_changed_and_then_equal(before: str, after: str, line: str) -> None:
    broker = broker_of(before)
    assert lines(after, broker) == [f"change {line}"]
    assert changes(after, carried_out(after, broker)) == []


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (QUEUE, QUEUE + 'lvq_key = "k"', "queue 'q': type standard → lvq, lvq_key none → k"),
        (QUEUE, QUEUE + "durable = true", "queue 'q': durable none → true"),
        (EXCHANGE, EXCHANGE.replace("topic", "direct"), "exchange 'news': type topic → direct"),
    ],
)
def test_what_is_for_life_is_named_with_what_to_do(before: str, after: str, line: str) -> None:
    (change,) = changes(after, broker_of(before))
    assert change.request is None
    assert change.verdict is Verdict.FIXED
    assert str(change) == f"cannot change {line}: for life; delete it and declare it again"


@pytest.mark.parametrize(
    ("before", "after", "fixed", "changed"),
    [
        (
            QUEUE + 'lvq_key = "k"\nmax_messages = 5',
            QUEUE + "durable = true\npaused = true",
            "queue 'q': type lvq → standard, lvq_key k → none, durable none → true",
            "queue 'q': paused none → true, max_messages 5 → none",
        ),
        (
            EXCHANGE,
            EXCHANGE.replace("topic", "direct") + 'unroutable = "refuse"',
            "exchange 'news': type topic → direct",
            "exchange 'news': unroutable none → refuse",
        ),
    ],
)
def test_what_is_for_life_does_not_keep_back_what_can_change(
    before: str, after: str, fixed: str, changed: str
) -> None:
    broker = broker_of(before)
    refused = f"cannot change {fixed}: for life; delete it and declare it again"
    assert lines(after, broker) == [refused, f"change {changed}"]
    assert lines(after, carried_out(after, broker)) == [refused]


def test_what_only_the_broker_has_is_named_and_removed_only_by_pruning() -> None:
    broker = broker_of(
        EXCHANGE
        + '[[queue]]\nname = "old"\nalternate = "older"\n'
        + QUEUE
        + BINDING
        + POLICY
        + '[[queue]]\nname = "older"\n'
    )
    assert lines("", broker) == [
        "policy 'auto.*' (queue) is only in the broker",
        "binding of 'q' to 'news' by 'a.#' is only in the broker",
        "exchange 'news' is only in the broker",
        "queue 'q' is only in the broker",
        "queue 'old' is only in the broker",
        "queue 'older' is only in the broker",
    ]
    assert all(change.request is None for change in changes("", broker))
    pruned = [str(change) for change in changes("", broker, prune=True)]
    assert pruned == [
        "change the policies: now none; without 'auto.*' (queue)",
        "remove binding of 'q' to 'news' by 'a.#'",
        "remove exchange 'news'",
        "remove queue 'q'",
        "remove queue 'old'",
        "remove queue 'older'",
    ]
    assert changes("", carried_out("", broker, prune=True)) == []


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {"lifetime": "delete-on-no-links"}),
        (POLICY, {}),
        ('[[queue]]\nname = "q"\nalternate = "auto.x"\n' + POLICY, {}),
    ],
)
def test_what_the_broker_makes_and_deletes_by_itself_is_no_drift(text: str, options: dict[str, Any]) -> None:
    broker = broker_of(text)
    manage(broker, Request("CREATE", "queue", "auto.x", options), 0, BROKER)
    assert changes(text, broker) == []


def test_what_the_broker_noted_is_no_drift_unless_the_file_says_it() -> None:
    text = '[[queue]]\nname = "q"\n'
    broker = broker_of("")
    manage(broker, Request("CREATE", "queue", "q", {"virtual_host": "prod"}), 0, BROKER)
    assert changes(text, broker) == []
    assert [*map(str, changes(text + 'virtual_host = "test"\n', broker))] == [
        "change queue 'q': virtual_host prod → test"
    ]
    assert broker.lookup("q").queue.spec.virtual_host == "prod"


NAMES = ("a", "b", "c")
QUEUES = st.fixed_dictionaries(
    {},
    optional={
        "max_messages": st.integers(1, 9),
        "when_full": st.sampled_from(["refuse", "drop-oldest"]),
        "paused": st.just(value=True),
        "maximum_ttl_ms": st.integers(1, 9),
        "alternate": st.sampled_from(["amq.fanout", "d", "e"]),
        "description": st.sampled_from(["x", "y"]),
    },
)
EXCHANGES = st.fixed_dictionaries(
    {}, optional={"unroutable": st.just("refuse"), "alternate": st.sampled_from(["d", "e"])}
)
KEYS = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(["k", "l"])), max_size=3)


def toml_of(queues: dict[str, Any], exchanges: dict[str, Any], keys: set[tuple[str, str]]) -> str:
    return "\n".join(_tables({"d": {}, "e": {}, **queues}, exchanges, keys))


def _tables(queues: dict[str, Any], exchanges: dict[str, Any], keys: set[tuple[str, str]]) -> Iterator[str]:
    for name, options in exchanges.items():
        yield f'[[exchange]]\nname = "x{name}"\ntype = "topic"\n' + _keys(options)
    for name, options in queues.items():
        yield f'[[queue]]\nname = "{name}"\n' + _keys(options)
    for name, key in sorted(keys & {(name, key) for name in queues for key in ("k", "l")}):
        yield f'[[binding]]\nexchange = "amq.topic"\nqueue = "{name}"\nkey = "{key}"\n'


def _keys(options: dict[str, Any]) -> str:
    return "".join(
        f"{name} = {str(value).lower() if value is True else repr(value)}\n"
        for name, value in options.items()
    )


FILES = st.builds(
    toml_of,
    st.dictionaries(st.sampled_from(NAMES), QUEUES, max_size=3),
    st.dictionaries(st.sampled_from(NAMES), EXCHANGES, max_size=2),
    KEYS,
)


@settings(max_examples=example_count(50))
@given(FILES, FILES)
def test_from_any_configuration_to_any_other_one_nothing_is_left_to_change(first: str, second: str) -> None:
    broker = carried_out(second, broker_of(first))
    assert {change.verdict for change in changes(second, broker)} <= {Verdict.EXTRA}
    assert changes(second, carried_out(second, broker, prune=True)) == []
