"""lastvalue.compat.rabbitmq.imports."""

import json
from typing import Any

import pytest

from lastvalue.compat.rabbitmq.imports import import_rabbitmq
from lastvalue.config.configuration import Configuration
from lastvalue.config.report import UnreadableSourceError
from lastvalue.queues.spec_arguments import spec_to_arguments

DEFINITIONS: dict[str, Any] = {
    "rabbit_version": "4.2.0",
    "users": [{"name": "ann", "password_hash": "x", "tags": []}],
    "vhosts": [{"name": "/"}, {"name": "other"}],
    "permissions": [
        {"user": "ann", "vhost": "/", "configure": "", "write": "^orders\\..*", "read": ".*"},
        {"user": "bob", "vhost": "/", "configure": "^[ab]$", "write": "^(a|b)$", "read": "^orders$"},
    ],
    "policies": [
        {"vhost": "/", "name": "low", "pattern": "^orders", "priority": 0, "definition": {"max-length": 5}},
        {
            "vhost": "/",
            "name": "high",
            "pattern": "^orders",
            "apply-to": "queues",
            "priority": 9,
            "definition": {"message-ttl": 60000, "max-length": 100, "ha-mode": "all"},
        },
    ],
    "queues": [
        {
            "name": "orders",
            "vhost": "/",
            "durable": True,
            "auto_delete": False,
            "arguments": {
                "x-queue-type": "quorum",
                "x-max-length": 10,
                "x-dead-letter-exchange": "dead",
                "x-colour": "red",
            },
        },
        {"name": "dead", "vhost": "/", "durable": True, "arguments": {}},
        {"name": "brief", "vhost": "/", "durable": False, "auto_delete": True, "arguments": {}},
        {"name": "elsewhere", "vhost": "other", "durable": True, "arguments": {}},
    ],
    "exchanges": [
        {"name": "dead", "vhost": "/", "type": "fanout", "durable": True, "internal": True, "arguments": {}},
        {
            "name": "news",
            "vhost": "/",
            "type": "topic",
            "durable": True,
            "arguments": {"alternate-exchange": "dead"},
        },
        {"name": "late", "vhost": "/", "type": "x-delayed-message", "durable": True, "arguments": {}},
    ],
    "bindings": [
        {
            "source": "news",
            "vhost": "/",
            "destination": "orders",
            "destination_type": "queue",
            "routing_key": "a.#",
            "arguments": {},
        },
        {"source": "dead", "vhost": "/", "destination": "dead", "destination_type": "queue", "arguments": {}},
    ],
    "parameters": [{"component": "federation"}],
}


def options(configuration: Configuration) -> dict[str, dict[str, Any]]:
    return {
        queue.name: dict(spec_to_arguments(configuration.spec_of(queue))) for queue in configuration.queues
    }


def test_nodes_bindings_and_the_policy_of_the_highest_priority_are_imported() -> None:
    configuration, _ = import_rabbitmq(json.dumps(DEFINITIONS))
    assert options(configuration) == {
        "orders": {
            "type": "standard",
            "max_messages": 10,
            "when_full": "drop-oldest",
            "maximum_ttl_ms": 60000,
            "alternate": "dead",
            "expiry_alternate": "dead",
            "durable": True,
        },
        "dead": {"type": "standard", "durable": True},
        "brief": {"type": "standard", "lifetime": "delete-on-no-outbound-links"},
    }
    assert [(each.name, each.type, each.alternate, each.internal) for each in configuration.exchanges] == [
        ("dead", "fanout", None, True),
        ("news", "topic", "dead", False),
    ]
    assert [(each.exchange, each.queue, each.key) for each in configuration.bindings] == [
        ("news", "orders", "a.#"),
        ("dead", "dead", ""),
    ]


def test_permissions_become_rules_where_a_wildcard_says_the_same() -> None:
    configuration, _ = import_rabbitmq(json.dumps(DEFINITIONS))
    assert {each.user: each.rules for each in configuration.permissions} == {
        "ann": ("write orders.*", "read,browse,manage *"),
        "bob": ("write a", "write b", "read,browse,manage orders"),
    }


def test_what_does_not_map_is_listed() -> None:
    _, report = import_rabbitmq(json.dumps(DEFINITIONS))
    lines = "\n".join(report.lines())
    for text in (
        "queues[elsewhere]: it is in the virtual host 'other'",
        "exchanges[late] = 'x-delayed-message'",
        "queues[orders]/arguments/x-colour = 'red'",
        "policies[high]/ha-mode = 'all'",
        "permissions[bob]/configure = '^[ab]$'",
        "users[ann]: passwords do not move",
        "not mapped: parameters",
        "it is applied to the queues of the file, and to no later ones",
    ):
        assert text in lines


def test_the_definitions_of_one_virtual_host_need_not_name_it() -> None:
    text = json.dumps({"queues": [{"name": "q", "durable": True, "arguments": {}}], "vhosts": []})
    assert options(import_rabbitmq(text)[0]) == {"q": {"type": "standard", "durable": True}}


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}', '{"queues": 5}', '{"queues": ["q"]}', "[" * 100000])
def test_what_is_not_rabbitmqs_is_refused(text: str) -> None:
    with pytest.raises(UnreadableSourceError, match="not"):
        import_rabbitmq(text)
