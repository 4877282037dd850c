"""lastvalue.config.configuration, arguments and setting_fields."""

from typing import Any

import pytest

from lastvalue.config.arguments import overlaid
from lastvalue.config.configuration import Configuration
from lastvalue.config.toml_reader import parse_toml
from lastvalue.queues.meanings import ALIASES, ARTEMIS_KEY, BY_ALIAS
from lastvalue.queues.options import BY_NAME
from lastvalue.queues.spec import Expiry, LastValue, Limit, QueueSpec, Sorted, Standard, WhenFull
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments


def with_settings(settings: str, queue: str = "") -> tuple[Configuration, QueueSpec]:
    """A configuration of queue q at address prices.q, and q's declaration."""
    configuration = parse_toml(
        f"""
        [[queue]]
        name = "q"
        address = "prices.q"
        {queue}
        {settings}
        """
    )
    return configuration, configuration.spec_of(configuration.queues[0])


def setting(match: str, **fields: str) -> str:
    lines = "\n".join(f"{name.replace('_', '-')} = {value}" for name, value in fields.items())
    return f'[[address-setting]]\nmatch = "{match}"\n{lines}\n'


def test_a_queue_takes_what_it_leaves_open_from_its_address() -> None:
    _, spec = with_settings(
        setting("prices.#", default_last_value_key='"symbol"', default_ring_size="5"), 'order_by = "n"'
    )
    assert spec.ordering == LastValue("symbol", order_by="n")
    assert spec.limit == Limit(5, when_full=WhenFull.DROP_OLDEST)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"expiry_delay": "10000"}, Expiry(default_ttl_ms=10000)),  # S-094
        ({"max_expiry_delay": "10000"}, Expiry(maximum_ttl_ms=10000)),  # S-095
        ({"no_expiry": "true", "expiry_delay": "5"}, Expiry(never=True)),  # S-097
        ({"no_expiry": "false", "expiry_delay": "5"}, Expiry(default_ttl_ms=5)),
        ({"expiry_delay": "5", "max_expiry_delay": "7"}, Expiry(default_ttl_ms=5)),
        ({"expiry_delay": "0"}, Expiry(default_ttl_ms=1)),
        ({"expiry_delay": "-1", "min_expiry_delay": "-1"}, Expiry()),
        ({"min_expiry_delay": "3"}, Expiry(minimum_ttl_ms=3, default_ttl_ms=3)),
        ({"min_expiry_delay": "3", "max_expiry_delay": "5"}, Expiry(minimum_ttl_ms=3, maximum_ttl_ms=5)),
    ],
)
def test_expiry_settings_of_artemis_exclude_one_another_in_its_order(
    fields: dict[str, str], expected: Expiry
) -> None:
    assert with_settings(setting("#", **fields))[1].expiry == expected


def test_expiry_settings_are_merged_before_they_exclude_one_another() -> None:
    _, spec = with_settings(setting("#", expiry_delay="5") + setting("prices.*", max_expiry_delay="7"))
    assert spec.expiry == Expiry(default_ttl_ms=5)
    _, spec = with_settings(
        setting("#", expiry_delay="5") + setting("prices.*", expiry_delay="-1", max_expiry_delay="7")
    )
    assert spec.expiry == Expiry(maximum_ttl_ms=7)


def test_expired_messages_of_an_address_go_to_its_expiry_address() -> None:
    """S-100."""
    _, spec = with_settings(setting("prices.#", expiry_address='"EA"') + '[[queue]]\nname = "EA"')
    assert spec.expiry_alternate == "EA"


def test_a_queue_is_not_its_own_alternate_where_a_setting_names_it_for_all() -> None:
    configuration = parse_toml(
        setting("#", dead_letter_address='"DLQ"', expiry_address='"DLQ"')
        + '[[queue]]\nname = "DLQ"\n[[queue]]\nname = "a"'
    )
    dead, other = (configuration.spec_of(queue) for queue in configuration.queues)
    assert (dead.alternate, dead.expiry_alternate) == (None, None)
    assert (other.alternate, other.expiry_alternate) == ("DLQ", "DLQ")
    assert "alternate" not in configuration.settings_for("DLQ")


def test_a_ring_of_one_comes_from_a_setting() -> None:
    """S-102: the declaration; what it does is told with the queues."""
    _, spec = with_settings(setting("prices.#", default_ring_size="1"))
    assert spec.limit == Limit(1, when_full=WhenFull.DROP_OLDEST)


def test_created_queues_take_the_ring_size_of_their_address_and_no_other() -> None:
    """S-109: the declarations; that sending creates the queues is not shown here."""
    configuration = parse_toml(setting("ring.a", default_ring_size="100", auto_create_queues="true"))
    assert configuration.created_spec("ring.a").limit == Limit(100, when_full=WhenFull.DROP_OLDEST)
    assert configuration.created_spec("ring.b").limit == Limit()
    assert configuration.creatable("ring.a")
    assert not configuration.creatable("ring.b")
    assert spec_from_arguments("ring.a", configuration.settings_for("ring.a")).limit.messages == 100


def test_the_first_policy_that_fits_creates_a_missing_name() -> None:
    """S-209: the policy; who creates is told with the broker."""
    configuration = parse_toml(
        """
        [[auto-create]]
        pattern = "fooQ"
        on_publish = true
        on_consume = true
        [[auto-create]]
        pattern = "fooQ*"
        on_publish = true
        [[auto-create]]
        pattern = "foo*"
        on_consume = true
        """
    )
    first, second, third = configuration.auto_creates
    assert configuration.auto_create("fooQ", publishing=True) is first
    assert configuration.auto_create("fooQueue", publishing=True) is second
    assert configuration.auto_create("fooQueue", publishing=False) is third
    assert configuration.auto_create("a fooQueue", publishing=True) is None


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"max_size_bytes": "1000"}, Limit()),
        ({"max_size_bytes": "1000", "address_full_policy": '"FAIL"'}, Limit(size_bytes=1000)),
        ({"max_size_bytes": "1000", "address_full_policy": '"PAGE"'}, Limit()),
        ({"address_full_policy": '"FAIL"'}, Limit()),
    ],
)
def test_the_size_of_an_address_is_a_limit_only_with_a_policy(
    fields: dict[str, str], expected: Limit
) -> None:
    assert with_settings(setting("#", **fields))[1].limit == expected


def test_a_full_address_that_blocks_stops_its_producers() -> None:
    _, spec = with_settings(setting("#", max_size_bytes="1000", address_full_policy='"block"'))
    assert (spec.limit, spec.flow.stop_bytes) == (Limit(), 1000)


def test_a_ring_stays_one_at_an_address_that_blocks() -> None:
    fields = setting("#", max_size_bytes="1000", address_full_policy='"BLOCK"', default_ring_size="7")
    _, spec = with_settings(fields)
    assert (spec.limit, spec.flow.stop_messages) == (Limit(7, when_full=WhenFull.DROP_OLDEST), 0)
    _, spec = with_settings(fields, "ring-size = -1")
    assert (spec.limit, spec.flow.stop_bytes) == (Limit(), 1000)


def test_what_is_said_of_creation_is_no_part_of_a_declaration() -> None:
    configuration, spec = with_settings(
        setting(
            "#", auto_create_queues="true", auto_delete_queues="true", default_queue_routing_type='"anycast"'
        )
    )
    assert spec == QueueSpec("q")
    assert configuration.creation_policy("x") == {
        "auto-create-queues": True,
        "auto-delete-queues": True,
        "default-queue-routing-type": "ANYCAST",
    }
    assert configuration.created_spec("x").lifetime.value == "delete-on-no-links-or-messages"


@pytest.mark.parametrize(
    ("upper", "lower", "merged"),
    [
        ({"max_messages": 5}, {"max_messages": 6, "durable": True}, {"max_messages": 5, "durable": True}),
        ({"ring-size": 3}, {"max_messages": 6, "when_full": "refuse"}, {"ring-size": 3}),
        (
            {"ring-size": -1},
            {"max_messages": 6, "when_full": "block"},
            {"ring-size": -1, "when_full": "block"},
        ),
        ({"ring-size": -1}, {"ring-size": 5}, {"ring-size": -1}),
        ({"max_messages": 5}, {"ring-size": 9}, {"max_messages": 5, "ring-size": 9}),
        (
            {"alternateBinding": {"destination": "a"}},
            {"alternate": "b"},
            {"alternateBinding": {"destination": "a"}},
        ),
        ({"last-value": False}, {"lvq_key": "k"}, {"last-value": False, "lvq_key": "k"}),
        ({"type": "standard"}, {"lvq_key": "k", "order_by": "n"}, {"type": "standard"}),
        (
            {"sort_key": "s"},
            {"lvq_key": "k", "last-value": True, "paused": True},
            {"sort_key": "s", "paused": True},
        ),
        (
            {"priorities": 5},
            {"sort_key": "s", "qpid.fairshare-1": 5},
            {"priorities": 5, "qpid.fairshare-1": 5},
        ),
        ({"lvq_key": "k"}, {"priorities": 5}, {"lvq_key": "k", "priorities": 5}),
        ({"lvq_key": "k"}, {"qpid.fairshare-1": 5}, {"lvq_key": "k"}),
        ({"no_expiry": True}, {"default_ttl_ms": 5}, {"no_expiry": True}),
        ({"default_ttl_ms": 5}, {"no_expiry": True}, {"default_ttl_ms": 5}),
        ({}, {"x": 1}, {"x": 1}),
    ],
)
def test_arguments_are_laid_over_those_that_are_less_specific(
    upper: dict[str, Any], lower: dict[str, Any], merged: dict[str, Any]
) -> None:
    assert overlaid(upper, lower) == merged


def test_a_queue_may_have_another_type_than_its_address_gives() -> None:
    key = setting("#", default_last_value_key='"k"')
    assert with_settings(key, 'type = "standard"')[1].ordering == Standard()
    assert with_settings(key, 'sort_key = "n"')[1].ordering == Sorted("n")
    # [Artemis] A queue with a key is a last-value queue, whatever the flag says.
    assert with_settings(key, "last-value = false")[1].ordering == LastValue("k")
    assert with_settings("", "last-value = true")[1].ordering == LastValue(ARTEMIS_KEY)


def test_it_is_known_which_options_every_argument_of_several_meanings_decides() -> None:
    assert len(BY_ALIAS) == len(ALIASES)
    assert {option for alias in ALIASES for option in alias.decides} <= BY_NAME.keys()


def test_every_option_can_be_configured() -> None:
    arguments = {"max_messages": 5, "lvq_key": "k", "exclusive": "link", "description": "d"}
    lines = "\n".join(f"{name} = {value!r}" for name, value in arguments.items())
    _, spec = with_settings("", lines)
    assert spec_to_arguments(spec) == {"type": "lvq", **arguments}
