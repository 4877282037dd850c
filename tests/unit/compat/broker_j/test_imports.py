"""lastvalue.compat.broker_j.imports and interpolation."""

import json
from typing import Any

import pytest

from lastvalue.compat.broker_j.imports import import_broker_j
from lastvalue.config.configuration import AutoCreate, Configuration, ConfiguredBinding, ConfiguredExchange
from lastvalue.config.report import Report, UnreadableSourceError
from lastvalue.config.toml_reader import parse_toml
from lastvalue.config.toml_writer import to_toml
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, WhenFull


def imported(root: dict[str, Any]) -> tuple[Configuration, Report]:
    """The import of a store; what is written of it is read the same."""
    configuration, report = import_broker_j(json.dumps(root))
    assert parse_toml(to_toml(configuration)) == configuration
    return configuration, report


def queue(**attributes: Any) -> tuple[QueueSpec | None, list[str]]:
    """The declaration of a queue with these attributes, and what does not map."""
    configuration, report = imported({"queues": [{"name": "q", **attributes}, {"name": "a"}]})
    specs = [configuration.spec_of(queue) for queue in configuration.queues if queue.name == "q"]
    return specs[0] if specs else None, [str(left) for left in report.not_mapped]


def broker(host: dict[str, Any], **node: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "modelVersion": "9.0",
        "name": "b",
        "virtualhostnodes": [{"name": "default", "type": "JSON", "virtualhost": host, **node}],
    }


def test_queues_are_taken_over_with_their_attributes() -> None:
    spec, left = queue(
        id="5",
        createdBy="guest",
        lastUpdatedTime=5,
        type="lvq",
        lvqKey="symbol",
        durable=True,
        maximumQueueDepthMessages="10",
        overflowPolicy="RING",
        alternateBinding={"destination": "a", "attributes": {}},
        maximumDeliveryAttempts="3",
        exclusive="NONE",
        lifetimePolicy="PERMANENT",
        messageDurability="DEFAULT",
        alertRepeatGap=30000,
        description=None,
    )
    assert left == []
    assert spec is not None
    assert (spec.ordering, spec.limit) == (LastValue("symbol"), Limit(10, when_full=WhenFull.DROP_OLDEST))
    assert (spec.durable, spec.alternate, spec.readers.attempts) == (True, "a", 3)


def test_the_objects_of_a_store_are_durable_without_saying_so() -> None:
    assert queue()[0] == QueueSpec("q", durable=True)


def test_a_depth_is_a_limit_only_with_a_policy() -> None:
    spec, _ = queue(maximumQueueDepthMessages=10)
    assert spec is not None
    assert spec.limit == Limit()
    spec, _ = queue(maximumQueueDepthMessages=10, overflowPolicy="REJECT")
    assert spec is not None
    assert spec.limit == Limit(10)


def test_attributes_of_several_parts_may_be_texts() -> None:
    spec, left = queue(
        alternateBinding='{"destination": "a"}', defaultFilters='{"x": {"x-qpid-replay-period": ["0"]}}'
    )
    assert left == []
    assert spec is not None
    assert (spec.alternate, spec.readers.filters) == ("a", (("x", "x-qpid-replay-period", "0"),))


@pytest.mark.parametrize(
    ("attributes", "left"),
    [
        (
            {"messageDurability": "NEVER"},
            "queues[q]/messageDurability = 'NEVER': in lastvalue each message decides",
        ),
        ({"alertRepeatGap": 5}, "queues[q]/alertRepeatGap = 5: lastvalue looks every ten seconds"),
        ({"colour": "red"}, "queues[q]/colour = 'red': lastvalue's queues do not have this option"),
        ({"overflowPolicy": "FLOW_TO_DISK"}, "queues[q]/overflowPolicy = 'FLOW_TO_DISK': expected one of"),
        (
            {"maximumMessageTtl": "${ttl}"},
            "queues[q]/maximumMessageTtl = '${ttl}': no context has the variable",
        ),
        ({"type": "sorted"}, "queues[q]: queue 'q': a queue of type 'sorted' needs sort_key"),
        ({"context": {"unused": 1}}, "queues[q]/context/unused = 1: no imported text uses it"),
    ],
)
def test_what_does_not_map_of_a_queue_is_reported(attributes: dict[str, Any], left: str) -> None:
    _, told = queue(**attributes)
    assert len(told) == 1
    assert told[0].startswith(left)


def test_exchanges_are_taken_over_with_their_bindings() -> None:
    bindings = [
        {"bindingKey": "a.#", "destination": "q", "arguments": {"x-filter-jms-selector": "size > 5"}},
        {"bindingKey": "b", "destination": "nowhere"},
    ]
    headers = [{"bindingKey": "h", "destination": "q", "arguments": {"colour": None}, "note": "n"}]
    configuration, report = imported(
        {
            "queues": [{"name": "q"}],
            "exchanges": [
                {
                    "name": "news",
                    "type": "topic",
                    "durable": "true",
                    "alternateBinding": {"destination": "q"},
                    "unroutableMessageBehaviour": "REJECT",
                    "lifetimePolicy": "PERMANENT",
                    "colour": "red",
                    "durableBindings": bindings,
                },
                {
                    "name": "amq.match",
                    "type": "headers",
                    "unroutableMessageBehaviour": "REJECT",
                    "durableBindings": headers,
                },
                {"name": "odd", "type": "xml"},
            ],
        }
    )
    assert configuration.exchanges == (ConfiguredExchange("news", "topic", True, "q", "refuse"),)
    assert configuration.bindings == (
        ConfiguredBinding("news", "q", "a.#", {"x-filter-jms-selector": "size > 5"}),
        ConfiguredBinding("amq.match", "q", "h", {"colour": "", "x-match": "all"}),
    )
    assert [left.path for left in report.not_mapped] == [
        "exchanges[news]/colour",
        "exchanges[amq.match]/unroutable",
        "exchanges[amq.match]/durableBindings[0]/note",
        "exchanges[odd]",
        "exchanges[news]/durableBindings[1]",
    ]


@pytest.mark.parametrize("as_text", [False, True])
def test_policies_are_taken_over(as_text: bool) -> None:
    policies = [
        {
            "pattern": "fooQ.*",
            "nodeType": "Queue",
            "createdOnPublish": "true",
            "createdOnConsume": True,
            "attributes": {"type": "lvq", "lvqKey": "k"},
        },
        {
            "pattern": "fooE.*",
            "nodeType": "org.apache.qpid.Exchange",
            "createdOnPublish": True,
            "attributes": '{"type": "fanout"}',
            "note": "n",
        },
        {"pattern": "(", "nodeType": "Queue", "createdOnPublish": True},
        {"pattern": "x", "nodeType": "Queue"},
    ]
    configuration, report = imported(
        {"nodeAutoCreationPolicies": json.dumps(policies) if as_text else policies}
    )
    assert configuration.auto_creates == (
        AutoCreate("fooQ#", "queue", True, True, {"type": "lvq", "lvq_key": "k"}),
        AutoCreate(
            "fooE#",
            "exchange",
            True,
            False,
            {"type": "fanout", "durable": False, "alternate": None, "unroutable": "discard"},
        ),
    )
    assert [left.path for left in report.not_mapped] == [
        "nodeAutoCreationPolicies[1]/note",
        "nodeAutoCreationPolicies[2]",
        "nodeAutoCreationPolicies[3]",
    ]


def test_variables_are_those_of_the_nearest_context() -> None:
    host = {
        "context": {"key": "near", "whole": "${prefix}.${key}"},
        "queues": [
            {"name": "a", "type": "lvq", "lvqKey": "${key}"},
            {"name": "b", "type": "lvq", "lvqKey": "${whole}"},
            {"name": "c", "type": "lvq", "lvqKey": "${key}", "context": {"key": "nearest"}},
        ],
    }
    configuration, report = imported(
        {**broker(host), "context": {"key": "far", "prefix": "p", "unused": "x"}}
    )
    keys = [configuration.spec_of(queue).ordering for queue in configuration.queues]
    assert keys == [LastValue("near"), LastValue("p.near"), LastValue("nearest")]
    assert [left.path for left in report.not_mapped] == ["context/unused"]


def test_a_variable_that_contains_itself_has_no_value() -> None:
    _, report = imported({"context": {"x": "${y}", "y": "${x}"}, "queues": [{"name": "q", "lvqKey": "${x}"}]})
    assert [left.path for left in report.not_mapped] == ["queues[q]/lvqKey"]


@pytest.mark.parametrize("initial", ['{"queues": [{"name": "q"}]}', "${initial}"])
def test_a_virtual_host_may_be_the_text_that_it_begins_with(initial: str) -> None:
    root = broker({}, virtualHostInitialConfiguration=initial)
    del root["virtualhostnodes"][0]["virtualhost"]
    root["context"] = {"initial": '{"queues": [{"name": "q"}]}'}
    assert [queue.name for queue in imported(root)[0].queues] == ["q"]


def test_of_several_nodes_the_default_one_is_imported() -> None:
    root = broker({"queues": [{"name": "no"}]})
    root["virtualhostnodes"].append(
        {"name": "other", "defaultVirtualHostNode": "true", "virtualhost": {"queues": [{"name": "yes"}]}}
    )
    configuration, report = imported(root)
    assert [queue.name for queue in configuration.queues] == ["yes"]
    assert [str(left) for left in report.not_mapped] == [
        "virtualhostnodes[default]: only one virtual host is imported, which is 'other'"
    ]


def test_everything_else_is_reported_with_its_path_and_no_secret() -> None:
    root = broker({"type": "DERBY", "storePath": "x", "queues": []}, storePath="y")
    root["authenticationproviders"] = [
        {"name": "plain", "type": "Plain", "users": [{"id": "2", "name": "guest", "password": "secret"}]},
        {"name": "bare"},
    ]
    root["ports"] = [{"name": "AMQP", "port": 5672, "protocols": ["AMQP_1_0"]}]
    _, report = imported(root)
    assert [left.path for left in report.not_mapped] == [
        "authenticationproviders[plain]/type",
        "authenticationproviders[plain]/users[guest]/password",
        "authenticationproviders[bare]",
        "ports[AMQP]/port",
        "ports[AMQP]/protocols",
        "virtualhostnodes[default]/storePath",
        "virtualhostnodes[default]/virtualhost/storePath",
    ]
    assert "secret" not in "\n".join(report.lines())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "it is not a JSON object"),
        ("[" * 100_000, "nested deeper than 64"),
        ('{"virtualhostnodes": []}', "it has no virtual host node"),
        ('{"virtualhostnodes": [{"name": "n"}]}', "has no virtual host"),
        ('{"virtualhostnodes": [{"virtualHostInitialConfiguration": "{"}]}', "not JSON"),
    ],
)
def test_what_is_no_store_is_told(text: str, reason: str) -> None:
    with pytest.raises(UnreadableSourceError, match=reason):
        import_broker_j(text)
