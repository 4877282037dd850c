from dataclasses import replace
from typing import Any

import pytest

from lastvalue.broker.routing.exchange_spec import (
    ExchangeSpec,
    ExchangeType,
    Unroutable,
    exchange_from_arguments,
    exchange_to_arguments,
    kept_exchange,
)
from lastvalue.model.errors import InvalidSpecError

SPECS = [
    ExchangeSpec("x"),
    ExchangeSpec("x", ExchangeType.TOPIC, durable=True, alternate="y", unroutable=Unroutable.REFUSE),
    ExchangeSpec("x", auto_delete=True, initial_value=True, numbered=True, description="prices"),
    ExchangeSpec("x", ExchangeType.FANOUT, internal=True),
]


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_arguments_of_a_declaration_make_it_again(spec: ExchangeSpec) -> None:
    assert exchange_from_arguments("x", exchange_to_arguments(spec)) == spec


@pytest.mark.parametrize(
    ("arguments", "spec"),
    [
        ({}, ExchangeSpec("x")),
        ({"exchange-type": "TOPIC"}, ExchangeSpec("x", ExchangeType.TOPIC)),
        ({"alternate-exchange": "y"}, ExchangeSpec("x", alternate="y")),
        ({"alternateBinding": {"destination": "y"}}, ExchangeSpec("x", alternate="y")),
        ({"alternate": ""}, ExchangeSpec("x")),
        ({"auto-delete": "true"}, ExchangeSpec("x", auto_delete=True)),
        ({"lifetimePolicy": "DELETE_ON_NO_LINKS"}, ExchangeSpec("x", auto_delete=True)),
        ({"lifetimePolicy": "PERMANENT"}, ExchangeSpec("x")),
        ({"qpid.ive": 1, "qpid.msg_sequence": True}, ExchangeSpec("x", initial_value=True, numbered=True)),
        ({"unroutableMessageBehaviour": "REJECT"}, ExchangeSpec("x", unroutable=Unroutable.REFUSE)),
        ({"type": "direct", "exchange_type": "direct"}, ExchangeSpec("x")),
    ],
    ids=str,
)
def test_other_brokers_spellings_make_the_same_declaration(
    arguments: dict[str, Any], spec: ExchangeSpec
) -> None:
    assert exchange_from_arguments("x", arguments) == spec


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"colour": "red"}, "unknown exchange option 'colour'"),
        ({"type": "ring"}, "'type' is 'ring'; expected one of direct, topic"),
        ({"durable": "yes"}, "'durable' is 'yes'; expected true or false"),
        ({"alternate": 5}, "'alternate' is 5; expected text"),
        ({"unroutable": "keep"}, "expected discard or refuse"),
        ({"lifetime": "for ever"}, "permanent or delete-on-no-links"),
        ({"type": "direct", "exchange-type": "topic"}, "contradicts another argument for type"),
        ({"alternate": "x"}, "cannot be its own alternate"),
        ({"type": "address", "internal": True}, "an address cannot be internal"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(arguments: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        exchange_from_arguments("x", arguments)


@pytest.mark.parametrize("name", ["$management", "n" * 256])
def test_a_name_that_no_exchange_may_have_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpecError):
        ExchangeSpec(name)


@pytest.mark.parametrize(
    ("declared", "temporary", "durable"),
    [
        (ExchangeSpec("a", ExchangeType.ADDRESS), False, True),
        (ExchangeSpec("a", ExchangeType.ADDRESS), True, False),
        (ExchangeSpec("x", durable=True), False, True),
        (ExchangeSpec("x", durable=True), True, False),
        (ExchangeSpec("x"), False, False),
    ],
)
def test_an_address_survives_a_restart_and_what_is_temporary_does_not(
    declared: ExchangeSpec, temporary: bool, durable: bool
) -> None:
    assert kept_exchange(declared, temporary) == replace(declared, durable=durable)
