"""lastvalue.config.document: what is written is read again, as TOML and as JSON."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments
from lastvalue.config.configuration import Configuration
from lastvalue.config.declarations import rehearsed_declarations
from lastvalue.config.definitions import configuration_of
from lastvalue.config.definitions_of_broker import definitions_of_broker
from lastvalue.config.document import TABLES, to_document
from lastvalue.config.toml_reader import from_document, parse_toml
from lastvalue.config.toml_writer import to_toml
from lastvalue.queues.spec_arguments import spec_from_arguments

TEXTS = st.text("ab\"'\\é\n ", max_size=5)
QUEUES = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "max_messages": st.integers(1, 2**53 - 1),
            "when_full": st.sampled_from(["drop-oldest", "block", "refuse"]),
            "durable": st.just(value=True),
            "description": TEXTS,
            "filter": st.just("colour = 'it''s'"),
            "default_filters": st.just('{"f": {"x-qpid-replay-period": ["5"]}}'),
            "alternate": st.just("amq.fanout"),
            "maximum_ttl_ms": st.integers(1, 9),
        },
    ),
    st.just({"lvq_key": "sym bol", "order_by": "n", "lvq_keyless": "conflate"}),
    st.just({"priorities": 5, "qpid.fairshare-3": 2}),
    st.just({"group_mode": "shared", "group_key": "g"}),
)
EXCHANGES = st.fixed_dictionaries(
    {"type": st.sampled_from(["topic", "direct", "fanout"])},
    optional={
        "durable": st.just(value=True),
        "alternate": st.just("amq.fanout"),
        "unroutable": st.just("refuse"),
        "initial_value": st.just(value=True),
        "numbered": st.just(value=True),
        "internal": st.just(value=True),
        "description": TEXTS,
    },
)
POLICIES = st.lists(
    st.builds(
        NodePolicy,
        st.sampled_from(["a.*", "b.#"]),
        st.just("queue"),
        st.sampled_from([{}, {"ring-size": 5}, {"paused": True}]),
        st.just(value=True),
        st.booleans(),
    ),
    max_size=2,
    unique_by=lambda policy: policy.pattern,
)
ARGUMENTS = {
    "x": 1,
    "list": ["a", 2, [True]],
    "map": {"deep": {"er": 0.5}},
    "octets": b"\x00\xff",
    "null": None,
}
CONDITIONS = {"x-match": "all", "colour": None, "octets": b"\xff", "none": b""}
NAMES = st.sampled_from(["a", "b c", "q.ü", 'd"'])


def as_json(configuration: Configuration) -> Configuration:
    again, faults = from_document(json.loads(json.dumps(to_document(configuration))))
    assert faults == []
    return again


def as_toml(configuration: Configuration) -> Configuration:
    return parse_toml(to_toml(configuration, "Written."))


def broker_of(queues: Mapping[str, Any], exchanges: Mapping[str, Any], policies: list[NodePolicy]) -> Broker:
    broker = Broker()
    for name, options in queues.items():
        if options.get("when_full") != "block" or "max_messages" in options:
            # The exchange that is always there is durable, so every queue may name it.
            broker.declare(spec_from_arguments(name, options))
            broker.bind("amq.topic", Binding(name, "a.#", ARGUMENTS), BROKER, 0)
            broker.bind("amq.match", Binding(name, "", CONDITIONS), BROKER, 0)
    for name, options in exchanges.items():
        broker.declare_exchange(exchange_from_arguments(f"x{name}", options))
    broker.missing.policies = policies
    return broker


@pytest.mark.parametrize("round_trip", [as_json, as_toml])
@settings(max_examples=example_count(50))
@given(
    queues=st.dictionaries(NAMES, QUEUES, max_size=3),
    exchanges=st.dictionaries(NAMES, EXCHANGES, max_size=2),
    policies=POLICIES,
)
def test_what_a_broker_has_is_written_and_asked_for_again(
    round_trip: Callable[[Configuration], Configuration],
    queues: dict[str, Any],
    exchanges: dict[str, Any],
    policies: list[NodePolicy],
) -> None:
    permissions = {"ann": ("read,browse prices.*", "all $*"), "bob": ()}
    broker = broker_of(queues, exchanges, policies)
    present = replace(definitions_of_broker(broker).lasting(), permissions=permissions)
    again = round_trip(configuration_of(present))
    wanted, faults = rehearsed_declarations(again)
    assert faults == []
    assert wanted.definitions == present


def test_the_tables_of_a_document_are_known() -> None:
    text = (
        '[server]\nport = 0\n[wildcards]\ndelimiter = "/"\n[[queue]]\nname = "q"\naddress = "b"\n'
        '[[exchange]]\nname = "x"\ntype = "topic"\n[[binding]]\nexchange = "x"\nqueue = "q"\n'
        '[[address-setting]]\nmatch = "b"\nring-size = 5\n[[auto-create]]\npattern = "a"\non_publish = true\n'
        '[[mqtt.topics]]\npattern = "prices/{symbol}"\nqueue = "prices"\n'
        '[[permission]]\nuser = "ann"\n[[partition]]\nqueues = "p.#"\nleaders = ["a:1,b:1", "c:1"]\n'
    )
    document = to_document(parse_toml(text))
    assert set(document) == set(TABLES)
    assert from_document(document) == (parse_toml(text), [])
