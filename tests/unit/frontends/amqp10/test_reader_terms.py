"""How the filters and properties of a link become the terms of its reader."""

from collections.abc import Mapping
from typing import Any

import pytest
from bare_queue import START_MS, encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, Attach, Source, Target
from lastvalue.codec.amqp10.values import Described, Symbol, ULong, Value
from lastvalue.delivery.reader_filters import SEQUENCES
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.frontends.amqp10.reader_terms import UnknownFilterError, check_known, reader_terms
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.queues.filters import Filters
from lastvalue.queues.spec import Readers
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, UNBOUNDED, Terms

SELECTOR = Symbol("apache.org:selector-filter:string")
NO_LOCAL = Symbol("apache.org:no-local-filter:list")
HERE, ELSEWHERE = "here", "elsewhere"


def terms(
    filters: Mapping[str, Value] | None = None,
    *,
    properties: Mapping[str, Value] | None = None,
    defaults: Filters = (),
    no_local: bool = False,
) -> Terms:
    source = Source(address="q", filter=dict(filters or {}))
    attach = Attach(name="r", handle=0, role=ROLE_RECEIVER, source=source, properties=dict(properties or {}))
    readers = Readers(filters=defaults, no_local=no_local)
    made, _ = reader_terms(source, attach, readers, HERE, START_MS)
    return made


def message(origin: str = "", **properties: Any) -> Message:
    made = read_message(encoded("x", properties, None))
    made.origin = origin
    return made


def wants(made: Terms, wanted: Message) -> bool:
    return made.filter is None or made.filter.matches(wanted)


@pytest.mark.spec("amqp-1.0", "3.5.1", "a filter says which messages are sent")
@pytest.mark.parametrize(
    "filters",
    [
        {"any key": Described(SELECTOR, "a = 1")},
        {"any key": Described(ULong(0x0000468C00000004), "a = 1")},
        {"jms": Described(Symbol("apache.org:jms-selector-filter:string"), "a = 1")},
        {"x-filter-jms-selector": "a = 1"},
        {"x-apache-selector": "a = 1"},
    ],
    ids=["symbol", "number", "Broker-J's", "0-9-1's name", "0-10's name"],
)
def test_a_selector_is_known_by_its_descriptor_or_else_by_its_name(filters: Mapping[str, Value]) -> None:
    made = terms(filters)
    assert wants(made, message(a=1))
    assert not wants(made, message(a=2))


@pytest.mark.parametrize(
    "filters",
    [
        {"any key": Described(NO_LOCAL, [])},
        {"any key": Described(ULong(0x0000468C00000003), None)},
        {"jms": Described(Symbol("apache.org:jms-no-local-filter:list"), [])},
        {"no-local": True},
        {"x-qpid-no-local": "true"},
    ],
    ids=["symbol", "number", "Broker-J's", "its name", "0-9-1's name"],
)
def test_no_local_leaves_out_what_the_reader_s_own_container_sent(filters: Mapping[str, Value]) -> None:
    made = terms(filters)
    assert not wants(made, message(HERE))
    assert wants(made, message(ELSEWHERE))


@pytest.mark.parametrize("no", [False, "false", 0])
def test_a_reader_may_say_no_to_no_local_which_the_queue_asks_for(no: Value) -> None:
    assert not wants(terms(no_local=True), message(HERE))
    assert wants(terms({"x-qpid-no-local": no}, no_local=True), message(HERE))


@pytest.mark.parametrize("seconds", [60, "60", 60.0, " 60"])
def test_a_replay_period_lets_a_reader_go_back_so_many_seconds(seconds: Value) -> None:
    made = terms({"replay": Described(Symbol("x-qpid-replay-period"), seconds)})
    assert (made.since_ms, made.only_new) == (START_MS - 60_000, False)


@pytest.mark.parametrize("seconds", [0, "0"])
def test_a_replay_period_of_0_is_only_what_is_new(seconds: Value) -> None:
    made = terms({"x-qpid-replay-period": seconds})
    assert (made.since_ms, made.only_new) == (START_MS, True)


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"s": Described(SELECTOR, "a = ")}, "column 5"),
        ({"s": Described(SELECTOR, None)}, "a selector is text, not None"),
        ({"s": Described(SELECTOR, [1])}, "a selector is text"),
        ({"r": Described(Symbol("x-qpid-replay-period"), "abc")}, "cannot parse x-qpid-replay-period 'abc'"),
        ({"x-qpid-replay-period": None}, "cannot parse"),
        ({"x-qpid-replay-period": -1}, "cannot parse"),
    ],
)
def test_a_filter_that_cannot_be_read_says_what_is_wrong(filters: Mapping[str, Value], told: str) -> None:
    """S-178"""
    with pytest.raises(LastvalueError, match=told) as refused:
        terms(filters)
    assert refused.value.condition.amqp10 == "amqp:invalid-field"


def test_the_properties_of_a_link_may_name_arguments_of_the_other_protocols() -> None:
    made = terms(
        properties={"x-filter-jms-selector": "a = 1", "x-qpid-replay-period": "5", "x-qpid-no-local": True}
    )
    assert made.since_ms == START_MS - 5_000
    assert wants(made, message(ELSEWHERE, a=1))
    assert not wants(made, message(HERE, a=1))
    assert not wants(made, message(ELSEWHERE, a=2))


@pytest.mark.parametrize(
    ("properties", "priority"),
    [
        ({}, 0),
        ({"priority": 5}, 5),
        ({"x-priority": -3}, -3),
        ({"priority": 2**40}, 2**31),
        ({"priority": True}, 0),
        ({"priority": "5"}, 0),
    ],
    ids=str,
)
def test_a_link_s_priority_is_a_number(properties: Mapping[str, Value], priority: int) -> None:
    assert terms(properties=properties).priority == priority


def test_an_argument_of_the_older_protocols_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidSpecError):
        terms(properties={"x-priority": "high"})


def test_who_asks_for_nothing_has_the_terms_of_everybody() -> None:
    assert terms() is ANY


def test_a_default_filter_holds_for_who_brings_none_of_that_name() -> None:
    """S-179"""
    defaults = (("x-filter-jms-selector", "x-filter-jms-selector", "foo = 1"),)
    made = terms(defaults=defaults)
    assert wants(made, message(foo=1))
    assert not wants(made, message(foo=0))


def test_a_reader_s_own_filter_takes_the_place_of_the_default_one_of_its_type_s_name() -> None:
    """S-180"""
    defaults = (("x-filter-jms-selector", "x-filter-jms-selector", "foo = 1"),)
    made = terms({"whatever": Described(SELECTOR, "foo = 0")}, defaults=defaults)
    assert wants(made, message(foo=0))
    assert not wants(made, message(foo=1))


def test_a_default_filter_of_another_name_holds_beside_the_reader_s_own() -> None:
    defaults = (("house rule", "x-filter-jms-selector", "foo = 1"),)
    made = terms({"whatever": Described(SELECTOR, "bar = 1")}, defaults=defaults)
    assert wants(made, message(foo=1, bar=1))
    assert not wants(made, message(foo=0, bar=1))
    assert not wants(made, message(foo=1, bar=0))


def test_the_period_of_the_reader_wins_over_the_default_one() -> None:
    """S-177"""
    defaults = (("x-qpid-replay-period", "x-qpid-replay-period", "0"),)
    made = terms({"r": Described(Symbol("x-qpid-replay-period"), "3600")}, defaults=defaults)
    assert (made.since_ms, made.only_new) == (START_MS - 3_600_000, False)


def test_without_a_period_a_reader_goes_back_for_ever() -> None:
    assert terms({"s": Described(SELECTOR, "a = 1")}).since_ms == UNBOUNDED


@pytest.mark.parametrize(
    ("filters", "named"),
    [
        ({"f": Described(Symbol("example.org:strange"), "x")}, "example.org:strange"),
        ({"strange": "x"}, "strange"),
        ({"f": Described(Symbol("y" * 1000), "x")}, "yyyy"),
    ],
    ids=["by descriptor", "by name", "long"],
)
def test_a_filter_that_is_not_in_place_can_be_refused_by_its_name(
    filters: Mapping[str, Value], named: str
) -> None:
    with pytest.raises(UnknownFilterError, match=named) as refused:
        check_known(Source(filter=dict(filters)), {})
    assert refused.value.condition.amqp10 == "amqp:not-implemented"
    assert len(str(refused.value)) < 300


# ---- over a connection


class StrictLine(Line):
    """A connection to a broker that refuses filters it does not know."""

    def __init__(self, broker: Broker, clock: Clock) -> None:
        super().__init__(broker, clock)
        self.frontend = Frontend(self.server, broker, lambda: None, refuse_unknown_filters=True)


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(spec_from_arguments("q", {}))
    return broker


@pytest.mark.spec("amqp-1.0", "3.5.8", "a filter that is not supported may be refused")
def test_where_it_is_asked_for_an_unknown_filter_refuses_the_link(broker: Broker) -> None:
    """S-212: as in Broker-J, where the server is told to."""
    line = StrictLine(broker, Clock())
    filters: dict[str, Value] = {"f": Described(Symbol("example.org:strange"), "x")}
    link = line.session.attach_receiver("r", Source(address="q", filter=filters))
    (detached,) = line.take(LinkDetached)
    assert link.link_state.remote is not None
    assert link.link_state.remote.source is None
    assert detached.error.condition == "amqp:not-implemented"
    assert broker.lookup("q").readers == {}


def test_a_server_that_refuses_unknown_filters_takes_those_that_it_knows(broker: Broker) -> None:
    line = StrictLine(broker, Clock())
    filters: dict[str, Value] = {"f": Described(SELECTOR, "a = 1")}
    line.session.attach_receiver("r", Source(address="q", filter=filters))
    topic = Described(Symbol("apache.org:legacy-amqp-topic-binding:string"), "a.#")
    line.session.attach_receiver("t", Source(address="amq.topic", filter={"f": topic}))
    assert line.take(LinkDetached) == []


def test_what_one_s_own_container_sends_comes_to_others_only(broker: Broker) -> None:
    line = Line(broker, Clock())
    local: dict[str, Value] = {"f": Described(NO_LOCAL, [])}
    reader = line.session.attach_receiver("r", Source(address="q", distribution_mode="copy", filter=local))
    reader.add_credit(9)
    other = line.session.attach_receiver("o", Source(address="q", distribution_mode="copy"))
    other.add_credit(9)
    sender = line.session.attach_sender("s", Target(address="q"))
    line.exchange()
    sender.send(encoded("own", {}, None), settled=True)
    (seen,) = line.take(Delivery)
    assert seen.link is other
    assert decode_content(seen.payload).body == "own"


@pytest.mark.spec("amqp-1.0", "3.5.8", "the filters that are in place are told in the answer")
def test_a_range_of_sequences_is_taken_and_echoed() -> None:
    asked_for = {"r": Described(Symbol(SEQUENCES), [5, None, 7])}
    made = terms(asked_for)
    assert (made.after, made.until, made.since_ms) == (5, UNBOUNDED, 7)
    assert (
        reader_terms(Source(address="q", filter=asked_for), None, Readers(), HERE, START_MS)[1] == asked_for
    )


@pytest.mark.parametrize(
    "value", ["all", [1, 2], [1, 2, 3, 4, 5], [1, 2, "three"], [-1, None, None], [True, None, None]]
)
def test_a_range_that_is_none_is_refused(value: Value) -> None:
    with pytest.raises(InvalidSpecError, match=r"is \[after, until, since_ms, after_ms\]"):
        terms({"r": Described(Symbol(SEQUENCES), value)})
