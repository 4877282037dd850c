"""The table of queue options, and what makes a declaration of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from lastvalue.broker.routing.exchange_spec import exchange_from_arguments, exchange_to_arguments
from lastvalue.config.configuration import UNROUTABLE
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.option import Option
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.spec import (
    LARGEST,
    Exclusive,
    Expiry,
    FlowControl,
    Grouping,
    LastValue,
    Lifetime,
    Limit,
    Placement,
    Priority,
    QueueSpec,
    Readers,
    Sorted,
    Standard,
    WhenFull,
)
from lastvalue.queues.spec_arguments import differences, spec_from_arguments, spec_to_arguments, stored_spec

LVQ = QueueSpec(
    "q",
    LastValue("symbol", "n", keys_as_text=True, keyless=True, levels=3),
    Limit(5, 1000, WhenFull.DROP_OLDEST),
    FlowControl(10, 5, 0, 0),
    Expiry(10, 20, 5),
    durable=True,
    readers=Readers(live=1, filters=(("f", "x-qpid-replay-period", "5"),)),
    holds=True,
    refuses_delay=True,
    filter="a = 1",
    alternate="dead",
    expiry_alternate="late",
    alternate_key="key",
    exclusive=Exclusive.CONTAINER,
    lifetime=Lifetime.NO_LINKS,
    auto_delete_delay_ms=7,
    purge_unread=True,
    paused=True,
    description="prices",
)
GROUPS = Grouping(
    "g", default_group="none", buckets=8, rebalance=True, rebalance_pauses=True, first_key="first"
)
SPECS = [
    QueueSpec("q"),
    LVQ,
    QueueSpec("q", LastValue("k", placement=Placement.IN_PLACE_NO_BROWSE)),
    QueueSpec("q", Priority(5, 2, ((0, 1), (4, 3))), grouping=GROUPS),
    QueueSpec("q", Sorted("s"), grouping=Grouping(shared=True)),
    QueueSpec("q", redirect="other"),
    QueueSpec("q", expiry=Expiry(never=True), limit=Limit(1, when_full=WhenFull.SELF_DESTRUCT)),
]


def test_a_queue_without_options_is_a_standard_queue_without_limits() -> None:
    assert spec_from_arguments("q", {}) == QueueSpec("q", Standard(), Limit())


@pytest.mark.parametrize(
    "arguments",
    [
        {"lvq_key": "symbol"},
        {"qpid.last_value_queue_key": "symbol"},
        {"lvqKey": "symbol"},
        {"last-value-key": "symbol", "lvq_fallback_key": ""},
        {"type": "lvq", "lvqKey": "symbol"},
        {"lvq_key": "symbol", "lvqKey": "symbol"},
    ],
)
def test_every_spelling_of_the_key_makes_the_same_queue(arguments: dict[str, object]) -> None:
    assert spec_from_arguments("q", arguments) == QueueSpec("q", LastValue("symbol"))


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        ({"max_messages": 5}, Limit(5)),
        ({"qpid.max_count": "5"}, Limit(5)),
        ({"qpid.max_size": 100}, Limit(0, 100)),
        ({"x-qpid-capacity": "100"}, Limit(0, 100)),
        ({"max_messages": 5, "qpid.max_count": "5"}, Limit(5)),
        ({"max_messages": LARGEST}, Limit(LARGEST)),
        ({"maximumQueueDepthMessages": -1}, Limit()),
        ({"qpid.max_count": 5, "qpid.policy_type": "RING"}, Limit(5, 0, WhenFull.DROP_OLDEST)),
    ],
)
def test_numbers_may_be_text_and_no_limit_may_be_minus_one(
    arguments: dict[str, object], limit: Limit
) -> None:
    assert spec_from_arguments("q", arguments).limit == limit


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"lvq_kee": "k"}, "did you mean 'lvq_key'"),
        ({"max-messages": 5}, "did you mean 'max_messages'"),
        ({"qpid.max_cuont": 5}, "did you mean 'qpid.max_count'"),
        ({"zzz": 1}, "the options are type, lvq_key"),
        ({"max_messages": "many"}, "expected number .messages."),
        ({"max_messages": True}, "expected number"),
        ({"max_messages": None}, "expected number"),
        ({"max_messages": "1_0"}, "expected number"),
        ({"max_messages": "\u0663"}, "expected number"),
        ({"qpid.max_size": "3.14159"}, "expected number .bytes."),
        ({"qpid.max_size": 2.5}, "'qpid.max_size' is 2.5; expected number"),
        ({"maximum_ttl_ms": "soon"}, "expected number .milliseconds., or a duration such as 500ms"),
        ({"max_messages": -5}, "0 .no limit."),
        ({"max_messages": -1}, "0 .no limit."),
        ({"qpid.max_count": "-1"}, "0 .no limit."),
        ({"maximumQueueDepthMessages": -2}, "0 .no limit."),
        ({"max_messages": LARGEST + 1}, "0 .no limit."),
        ({"max_bytes": "9" * 20}, "0 .no limit."),
        ({"max_bytes": "9" * 5000}, "expected number .bytes."),
        ({"maximum_ttl_ms": 2**63}, "0 .off. to"),
        ({"durable": 2}, "expected true or false"),
        ({"type": "sorted"}, "needs sort_key"),
        ({"type": "heap"}, "one of standard, lvq"),
        ({"lvq_kee": "k", "max_messages": "many"}, "unknown.*; .*expected number"),
        ({"sort_key": "k", "priorities": 3}, "sort_key belongs to type 'sorted'"),
        ({"qpid.fairshare-9": 3, "priorities": 3}, "the levels are 0 to 2"),
        ({"when_full": "block"}, "needs max_messages"),
        ({"flow_stop_messages": 1, "flow_resume_messages": 2}, "depth to resume at exceeds"),
        ({"x-qpid-flow-resume-capacity": 15}, "needs max_messages or max_bytes"),
        ({"x-qpid-capacity": 15, "x-qpid-flow-resume-capacity": 25}, "depth to resume at exceeds"),
        ({"x-qpid-capacity": 15, "x-qpid-flow-resume-capacity": -2}, "expected bytes, 0 or more"),
        ({"default_filters": "{"}, "not valid JSON"),
        ({"default_filters": '{"f": {"nope": ["1"]}}'}, "expected x-filter-jms-selector or"),
        ({"defaultFilters": {"f": {"x-qpid-replay-period": ["abc"]}}}, "cannot parse"),
        ({"no_expiry": True, "maximum_ttl_ms": 3}, "contradicts"),
        ({"durable": "perhaps"}, "expected true or false"),
        ({"when_full": "explode"}, "one of refuse, drop-oldest"),
        ({"lvq_key": 5}, "expected text"),
        ({"lvq_key": ""}, "lvq_key is empty"),
        ({"type": "lvq"}, "needs lvq_key"),
        ({"type": "standard", "lvq_key": "k"}, "leave it out for type 'standard'"),
        ({"order_by": "n"}, "order_by needs lvq_key"),
        ({"lvq_key": "a", "lvqKey": "b"}, "one option with two values"),
        ({"minimum_ttl_ms": 10, "maximum_ttl_ms": 5}, "exceeds maximum_ttl_ms"),
        ({"max-consumers": 0}, "without consumers; max-consumers -1 is no limit"),
        ({"ring-size": "0"}, "of size 0; ring-size -1 is no ring"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(InvalidSpecError, match=text):
        spec_from_arguments("q", arguments)


@pytest.mark.parametrize("name", ["", "$management", "x" * 256])
def test_a_name_that_no_queue_may_have_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpecError):
        QueueSpec(name)


@pytest.mark.parametrize("spec", SPECS)
def test_the_arguments_of_a_declaration_make_it_again(spec: QueueSpec) -> None:
    arguments = spec_to_arguments(spec)
    assert [make("q", arguments) for make in (spec_from_arguments, stored_spec)] == [spec, spec]


def test_differences_name_the_option_and_both_values() -> None:
    other = QueueSpec("q", LastValue("ticker"))
    assert differences(QueueSpec("q", LastValue("symbol")), other) == "lvq_key: wanted 'symbol', has 'ticker'"
    assert differences(LVQ, LVQ) == ""


def test_the_virtual_host_is_noted_and_makes_no_difference() -> None:
    noted = replace(LVQ, virtual_host="prod")
    assert (noted, differences(noted, LVQ)) == (LVQ, "")
    assert spec_from_arguments("q", spec_to_arguments(noted)).virtual_host == "prod"


def test_no_spelling_means_two_options() -> None:
    spellings = [spelling for option in OPTIONS for spelling in option.spellings]
    assert len(spellings) == len(set(spellings))


def test_arguments_name_the_type_and_what_is_not_default() -> None:
    assert spec_to_arguments(QueueSpec("q", LastValue("k"))) == {"type": "lvq", "lvq_key": "k"}


def test_a_flag_may_be_text() -> None:
    assert spec_from_arguments("q", {"durable": "True"}).durable


def test_every_option_says_in_a_sentence_what_it_is() -> None:
    assert [each.name for each in OPTIONS if not each.sentence.endswith(".")] == []


def test_what_is_refused_is_spelled_refuse_and_other_brokers_words_are_read() -> None:
    # What a consumer does to a delivery is to reject it: see docs/glossary.md.
    own = {word for each in OPTIONS for word in each.form.values} | set(UNROUTABLE)
    assert [word for word in own if "reject" in word] == []
    assert spec_from_arguments("q", {"max_messages": 1, "when_full": "reject"}) == spec_from_arguments(
        "q", {"max_messages": 1, "when_full": "refuse"}
    )
    exchange = exchange_from_arguments("x", {"unroutable": "reject"})
    assert exchange_to_arguments(exchange)["unroutable"] == "refuse"


@pytest.mark.pure
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_the_reference_page_has_every_option_with_its_spellings(option: Option) -> None:
    page = Path(__file__).parents[3] / "docs" / "queues" / "options.md"
    (row,) = [line for line in page.read_text().splitlines() if line.startswith(f"| `{option.name}` |")]
    default = "" if option.default is None else f"`{str(option.default).lower()}`"
    foreign = [
        ", ".join(f"`{spelling}`" for spelling in spellings)
        for spellings in (option.qpid_cpp, option.broker_j, option.artemis, option.rabbitmq)
    ]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2:] == [default, option.sentence, *foreign]
    assert option.unit in cells[1]


@pytest.mark.parametrize(
    ("arguments", "ours"),
    [
        ({"qpid.last_value_queue": 0}, {"lvq_key": "qpid.LVQ_key", "lvq_placement": "in-place"}),
        (
            {"qpid.last_value_queue_no_browse": 1},
            {"lvq_key": "qpid.LVQ_key", "lvq_placement": "in-place-no-browse"},
        ),
        ({"qpid.last_value_queue": 1, "qpid.last_value_queue_key": "k"}, {"lvq_key": "k"}),
        ({"x-max-priority": 9}, {"type": "priority", "priorities": 10}),
        ({"x-max-priority": 10}, {"priorities": 12}),
        ({"x-message-ttl": 0}, {"maximum_ttl_ms": 1}),
        (
            {"x-expires": 500},
            {"lifetime": "delete-on-no-outbound-links", "auto_delete_delay_ms": 500},
        ),
        ({"x-max-length": 0}, {"keep_nothing": True, "when_full": "drop-oldest"}),
        ({"x-max-length": 5}, {"max_messages": 5, "when_full": "drop-oldest"}),
        (
            {"x-max-length-bytes": 5, "x-overflow": "reject-publish"},
            {"max_bytes": 5, "when_full": "refuse"},
        ),
        (
            {"x-dead-letter-exchange": "dead", "x-dead-letter-routing-key": "k"},
            {"alternate": "dead", "expiry_alternate": "dead", "alternate_key": "k"},
        ),
        (
            {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "dead"},
            {"alternate": "dead", "expiry_alternate": "dead"},
        ),
        ({"x-delivery-limit": 3, "x-queue-type": "quorum"}, {"max_delivery_attempts": 4}),
        ({"x-delivery-limit": 0}, {"max_delivery_attempts": 1}),
        ({"x-delivery-limit": -5}, {"max_delivery_attempts": 0}),
        ({"last-value": "true"}, {"lvq_key": "_AMQ_LVQ_NAME"}),
        (
            {"last-value": "false", "last-value-key": "k"},
            {"lvq_key": "k", "lvq_fallback_key": "_AMQ_LVQ_NAME"},
        ),
        ({"last-value-key": "_AMQ_LVQ_NAME"}, {"last-value": True}),
        ({"x-qpid-priorities": "10"}, {"type": "priority"}),
        ({"type": "priority"}, {"priorities": 10}),
        (
            {"priorities": 8, "x-qpid-fairshare-7": 0, "qpid.fairshare-6": 4},
            {"priorities": 8, "fairshare_levels": "7:0,6:4"},
        ),
        ({"qpid.queue_sort_key": "s"}, {"sort_key": "s"}),
        ({"qpid.group_header_key": "g"}, {"group_mode": "default", "group_key": "g"}),
        ({"qpid.group_header_key": "JMSXGroupId"}, {"group_mode": "default"}),
        ({"qpid.group_header_key": "JMSXGroupId", "qpid.shared_msg_group": 1}, {"group_mode": "shared"}),
        ({"qpid.group_header_key": "g", "qpid.shared_msg_group": 0}, {}),
        ({"qpid.group_header_key": "JMSXGroupId", "qpid.shared_msg_group": "0"}, {}),
        (
            {"qpid.group_header_key": "g", "qpid.shared_msg_group": 1},
            {"group_mode": "shared", "group_key": "g"},
        ),
        ({"messageGroupType": "SHARED_GROUPS"}, {"group_mode": "shared"}),
        (
            {"messageGroupType": "STANDARD", "maximumDistinctGroups": 255},
            {"group_mode": "default", "group_buckets": 256},
        ),
        ({"group-buckets": 0}, {}),
        ({"group-buckets": -1}, {"group_mode": "default", "group_buckets": 0}),
        ({"ring-size": 5}, {"max_messages": 5, "when_full": "drop-oldest"}),
        ({"ring-size": -1}, {}),
        ({"qpid.policy_type": "ring", "qpid.max_count": "3"}, {"max_messages": 3, "when_full": "ring"}),
        ({"overflowPolicy": "NONE", "maximumQueueDepthMessages": 3}, {}),
        (
            {"overflowPolicy": "PRODUCER_FLOW_CONTROL", "maximumQueueDepthMessages": 10},
            {"when_full": "block", "max_messages": 10, "flow_resume_messages": 8},
        ),
        (
            {"qpid.flow_stop_count": 7, "qpid.flow_resume_count": 5},
            {"flow_stop_messages": 7, "flow_resume_messages": 4},
        ),
        (
            {"x-qpid-capacity": 25, "x-qpid-flow-resume-capacity": 15},
            {"when_full": "block", "max_bytes": 25, "flow_resume_bytes": 15},
        ),
        (
            {"x-qpid-capacity": "25", "x-qpid-flow-resume-capacity": "0"},
            {"when_full": "block", "max_bytes": 25, "flow_resume_bytes": 1},
        ),
        ({"exclusive": True}, {"live_consumers": 1}),
        ({"exclusive": "CONTAINER"}, {"exclusive": "container"}),
        ({"x-single-active-consumer": True}, {"live_consumers": 1}),
        ({"x-qpid-dlq-enabled": True}, {"alternate": "q_DLQ"}),
        ({"alternateBinding": {"destination": "d"}}, {"alternate": "d"}),
        (
            {"alternate": "d", "expiryPolicy": "ROUTE_TO_ALTERNATE"},
            {"alternate": "d", "expiry_alternate": "d"},
        ),
        (
            {"qpid.auto_delete_timeout": 3},
            {"lifetime": "delete-on-no-outbound-links", "auto_delete_delay_ms": 3000},
        ),
        ({"lifetimePolicy": "DELETE_ON_NO_LINKS"}, {"lifetime": "delete-on-no-links"}),
        ({"enabled": False}, {"paused": True}),
        ({"max-delivery-attempts": -1}, {}),
    ],
)
def test_other_brokers_spellings_make_the_same_declaration(
    arguments: dict[str, object], ours: dict[str, object]
) -> None:
    assert spec_from_arguments("q", arguments) == spec_from_arguments("q", ours)
