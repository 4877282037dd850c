"""The nodes that a peer's links attach to: queues, exchanges, addresses, dynamic and anonymous ones."""

from collections.abc import Callable
from typing import Any

import pytest
from bare_queue import START_MS
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import (
    SENDER_UNSETTLED,
    Accepted,
    DeleteOnClose,
    DeleteOnNoLinks,
    DeleteOnNoLinksOrMessages,
    Rejected,
    Source,
    Target,
)
from lastvalue.codec.amqp10.values import Array, Described, Symbol, ULong
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import LinkAttached, LinkDetached
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec, Readers


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def line(broker: Broker) -> Line:
    return Line(broker, Clock())


def sender(line: Line, address: str | None, **target: Any) -> SenderLink:
    link = line.session.attach_sender(
        f"sender {len(line.session.links)}", Target(address=address, **target), settle_mode=SENDER_UNSETTLED
    )
    line.exchange()
    return link


def send(line: Line, link: SenderLink, body: str, subject: str | None = None, **more: Any) -> Any:
    """Send one message; its outcome's condition, or None if it was accepted."""
    line.take(DeliverySettled)
    link.send(encode_content(MessageContent(body=body, subject=subject, **more)), settled=False)
    (outcome,) = line.take(DeliverySettled)
    if isinstance(outcome.state, Rejected):
        assert outcome.state.error is not None
        return outcome.state.error.condition
    assert outcome.state == Accepted()
    return None


def receiver(line: Line, name: str, address: str | None, **source: Any) -> ReceiverLink:
    link = line.session.attach_receiver(name, Source(address=address, **source))
    link.add_credit(100)
    line.exchange()
    return link


def bodies(line: Line) -> list[tuple[str, str]]:
    """What came, by link and body."""
    return [(event.link.name, str(decode_content(event.payload).body)) for event in line.take(Delivery)]


def received(line: Line, link: ReceiverLink) -> list[str]:
    return [body for name, body in bodies(line) if name == link.name]


def refusal(line: Line) -> str:
    (detached,) = line.take(LinkDetached)
    return str(detached.error.condition)


def source_of(link: ReceiverLink) -> Source:
    assert link.remote is not None
    assert isinstance(link.remote.source, Source)
    return link.remote.source


def target_of(link: SenderLink) -> Target:
    assert link.remote is not None
    assert isinstance(link.remote.target, Target)
    return link.remote.target


# ---------------------------------------------------------------------- exchanges


def test_the_key_behind_an_exchange_binds_a_readers_own_queue(line: Line) -> None:
    """S-277."""
    receiver(line, "red", "amq.topic/red.*")
    receiver(line, "squirrels", "amq.topic/*.squirrel")
    link = sender(line, "amq.topic")
    for subject in ("red.dog", "red.squirrel", "grey.squirrel", "blue.cat"):
        send(line, link, subject, subject)
    assert sorted(bodies(line)) == [
        ("red", "red.dog"),
        ("red", "red.squirrel"),
        ("squirrels", "grey.squirrel"),
        ("squirrels", "red.squirrel"),
    ]


def test_readers_of_a_direct_exchange_get_what_has_their_key(line: Line) -> None:
    """S-277."""
    receiver(line, "a", "amq.direct/a")
    receiver(line, "b", "amq.direct/b")
    link = sender(line, "amq.direct")
    for body, subject in (("one", "a"), ("two", "b"), ("three", "a"), ("four", "b")):
        send(line, link, body, subject)
    assert sorted(bodies(line)) == [("a", "one"), ("a", "three"), ("b", "four"), ("b", "two")]


def test_a_targets_subject_is_the_key_of_messages_without_one(line: Line) -> None:
    """S-299."""
    receiver(line, "a", "amq.direct/a")
    receiver(line, "b", "amq.direct/b")
    link = sender(line, "amq.direct/a")
    send(line, link, "first")
    send(line, link, "second", "b")
    assert bodies(line) == [("a", "first"), ("b", "second")]


@pytest.mark.spec("amqp-1.0", "3.5.8", "a filter that is in place is told in the answer")
@pytest.mark.parametrize(
    ("address", "descriptor"),
    [
        ("amq.topic", Symbol("apache.org:legacy-amqp-topic-binding:string")),
        ("amq.topic", ULong(0x0000468C00000001)),
        ("amq.direct", Symbol("apache.org:legacy-amqp-direct-binding:string")),
        ("amq.direct", ULong(0x0000468C00000000)),
    ],
)
def test_a_filter_binds_and_is_echoed(line: Line, address: str, descriptor: Any) -> None:
    filters = {"f": Described(descriptor, "key")}
    link = receiver(line, "r", address, filter=filters)
    assert source_of(link).filter == filters
    publisher = sender(line, address)
    send(line, publisher, "yes", "key")
    send(line, publisher, "no", "other")
    assert received(line, link) == ["yes"]


def test_a_headers_filter_binds_to_a_headers_exchange(line: Line) -> None:
    wanted = Described(
        Symbol("apache.org:legacy-amqp-headers-binding:map"), {"x-match": "any", "colour": "red", "n": 1}
    )
    link = receiver(line, "r", "amq.match", filter={"f": wanted})
    publisher = sender(line, "amq.match")
    send(line, publisher, "yes", application_properties={"colour": "red"})
    send(line, publisher, "no", application_properties={"colour": "blue"})
    assert received(line, link) == ["yes"]


def test_a_reader_of_a_topic_exchange_without_a_key_gets_everything(line: Line) -> None:
    link = receiver(line, "r", "amq.topic")
    send(line, sender(line, "amq.topic"), "1", "any.thing")
    assert received(line, link) == ["1"]


def test_a_subscription_goes_with_its_link_or_stays_until_it_is_closed(line: Line, broker: Broker) -> None:
    passing = receiver(line, "passing", "amq.fanout", expiry_policy="link-detach")
    lasting = receiver(line, "lasting", "amq.fanout", expiry_policy="never", durable=2)
    assert [queue.spec.name for queue in broker.queues()] == [
        "$subscription//client/lasting",
        "$subscription//client/passing",
    ]
    assert broker.lookup("$subscription//client/lasting").queue.spec.durable
    passing.detach(closed=False)
    lasting.detach(closed=False)
    line.exchange()
    assert [queue.spec.name for queue in broker.queues()] == ["$subscription//client/lasting"]
    send(line, sender(line, "amq.fanout"), "kept")
    resumed = line.session.attach_receiver("lasting", Source())
    resumed.add_credit(10)
    assert received(line, resumed) == ["kept"]
    resumed.detach()
    line.exchange()
    assert broker.queues() == []


def test_a_subscription_with_a_timeout_stays_for_that_long(line: Line, broker: Broker) -> None:
    link = receiver(line, "r", "amq.fanout", timeout=10)
    link.detach()
    line.exchange()
    assert broker.next_deadline() == START_MS + 10_000
    broker.advance(START_MS + 9_999)
    assert len(broker.queues()) == 1
    broker.advance(START_MS + 10_000)
    assert broker.queues() == []


def test_others_may_not_take_from_a_subscription_unless_it_is_shared(line: Line, broker: Broker) -> None:
    receiver(line, "r", "amq.fanout")
    other = Line(broker, Clock())
    receiver(other, "r", "amq.fanout")
    assert refusal(other) == "amqp:resource-locked"
    shared = ("shared",)
    receiver(line, "s", "amq.fanout", capabilities=shared)
    receiver(other, "s", "amq.fanout", capabilities=shared)
    link = sender(line, "amq.fanout")
    for body in "1234":
        send(line, link, body)
    other.exchange()
    ours = [body for name, body in bodies(line) if name == "s"]
    theirs = [body for name, body in bodies(other) if name == "s"]
    assert sorted(ours + theirs) == ["1", "2", "3", "4"]
    assert len(ours) == 2


@pytest.mark.parametrize(
    ("capability", "outcome"), [("REJECT_UNROUTABLE", "amqp:not-found"), ("DISCARD_UNROUTABLE", None)]
)
def test_a_producer_says_what_becomes_of_what_nobody_gets(
    line: Line, capability: str, outcome: str | None
) -> None:
    link = sender(line, "amq.direct", capabilities=(capability,))
    assert send(line, link, "1", "nobody") == outcome
    assert send(line, sender(line, "amq.direct"), "1", "nobody") is None


def test_an_exchange_of_a_queues_name_is_reached_by_saying_topic(line: Line, broker: Broker) -> None:
    """S-303."""
    broker.declare(QueueSpec("ambiguous"))
    broker.declare(QueueSpec("behind"))
    broker.declare_exchange(ExchangeSpec("ambiguous", ExchangeType.FANOUT))
    broker.bind("ambiguous", Binding("behind", ""), NOBODY, START_MS)
    send(line, sender(line, "ambiguous"), "to the queue")
    send(line, sender(line, "ambiguous", capabilities=("topic",)), "to the exchange")
    assert broker.lookup("ambiguous").queue.depth == 1
    assert broker.lookup("behind").queue.depth == 1
    link = receiver(line, "typed", "ambiguous; {node: {type: queue}}")
    assert received(line, link) == ["to the queue"]


def test_deleting_an_exchange_detaches_its_producers(line: Line, broker: Broker) -> None:
    broker.declare_exchange(ExchangeSpec("x"))
    sender(line, "x")
    broker.delete_exchange("x")
    assert refusal(line) == "amqp:resource-deleted"


def test_a_subscription_that_is_taken_up_with_another_key_forgets_the_first(
    line: Line, broker: Broker
) -> None:
    first = receiver(line, "r", "amq.topic/a", expiry_policy="never")
    first.detach(closed=False)
    line.exchange()
    second = receiver(line, "r", "amq.topic/b", expiry_policy="never")
    link = sender(line, "amq.topic")
    send(line, link, "old", "a")
    send(line, link, "new", "b")
    assert received(line, second) == ["new"]


SELECTOR = Symbol("apache.org:selector-filter:string")
NO_LOCAL = {"no-local": Described(Symbol("apache.org:no-local-filter:list"), [])}


def selected(selector: str) -> dict[str, Any]:
    return {"jms-selector": Described(SELECTOR, selector)}


@pytest.mark.parametrize("shared", [(), ("shared",)], ids=["private", "shared"])
def test_what_a_subscription_s_selector_excludes_never_enters_its_queue(
    line: Line, broker: Broker, shared: tuple[str, ...]
) -> None:
    wanted = selected("colour = 'red'")
    reader = receiver(line, "r", "amq.topic/x", filter=wanted, capabilities=shared)
    assert source_of(reader).filter == wanted
    link = sender(line, "amq.topic/x")
    for colour in ["blue"] * 10 + ["red"]:
        assert send(line, link, colour, application_properties={"colour": colour}) is None
    (queue,) = broker.queues()
    assert (queue.depth, queue.sequence) == (1, 1)
    line.exchange()


def test_what_a_subscription_s_own_container_sends_never_enters_its_queue(line: Line, broker: Broker) -> None:
    other = Line(broker, Clock(), ConnectionOptions("other"))
    reader = receiver(line, "r", "amq.topic/x", filter=NO_LOCAL)
    assert source_of(reader).filter == NO_LOCAL
    send(line, sender(line, "amq.topic/x"), "local")
    send(other, sender(other, "amq.topic/x"), "remote")
    (queue,) = broker.queues()
    assert queue.sequence == 1
    assert received(line, reader) == ["remote"]


def test_the_bindings_that_an_address_says_for_its_link_have_the_link_s_selector(
    line: Line, broker: Broker
) -> None:
    address = "amq.topic/x; {link: {x-bindings: [{exchange: 'amq.fanout'}]}}"
    reader = receiver(line, "r", address, filter=selected("colour = 'red'"))
    link = sender(line, "amq.fanout")
    for colour in ("blue", "red"):
        send(line, link, colour, application_properties={"colour": colour})
    assert received(line, reader) == ["red"]
    assert [queue.sequence for queue in broker.queues()] == [1]


def test_two_selectors_of_a_subscription_must_both_select(line: Line, broker: Broker) -> None:
    filters = {"one": Described(SELECTOR, "a = 1 OR a = 2"), "two": Described(SELECTOR, "a = 2 OR a = 3")}
    receiver(line, "r", "amq.fanout", filter=filters)
    link = sender(line, "amq.fanout")
    for number in (1, 2, 3):
        send(line, link, str(number), application_properties={"a": number})
    assert [queue.sequence for queue in broker.queues()] == [1]


@pytest.mark.parametrize("selector", ["a = ", None], ids=["malformed", "not text"])
def test_a_refused_selector_leaves_the_subscription_as_it_is(
    line: Line, broker: Broker, selector: str | None
) -> None:
    lasting = {"expiry_policy": "never", "durable": 2}
    receiver(line, "r", "amq.fanout", **lasting).detach(closed=False)
    send(line, sender(line, "amq.fanout"), "kept")
    wrong: Any = {"jms-selector": Described(SELECTOR, selector)}
    receiver(line, "r", "amq.fanout", filter=wrong, **lasting)
    assert refusal(line) == "amqp:invalid-field"
    assert [queue.depth for queue in broker.queues()] == [1]


def test_a_durable_subscription_with_another_selector_begins_anew(line: Line, broker: Broker) -> None:
    lasting = {"expiry_policy": "never", "durable": 2}
    receiver(line, "r", "amq.fanout", filter=selected("a = 1"), **lasting).detach(closed=False)
    link = sender(line, "amq.fanout")
    send(line, link, "old", application_properties={"a": 1})
    again = receiver(line, "r", "amq.fanout", filter=selected("a = 1"), **lasting)
    assert received(line, again) == ["old"]
    again.detach(closed=False)
    other = receiver(line, "r", "amq.fanout", filter=selected("a = 2"), **lasting)
    send(line, link, "new", application_properties={"a": 2})
    assert received(line, other) == ["new"]


@pytest.mark.parametrize(
    ("address", "filters"),
    [("amq.topic/b", selected("a = 1")), ("amq.topic/a", selected("a = 2")), ("amq.topic/a", {})],
    ids=["another topic", "another selector", "no selector"],
)
def test_a_shared_subscription_in_use_refuses_other_terms(
    line: Line, broker: Broker, address: str, filters: dict[str, Any]
) -> None:
    shared = ("shared",)
    first = receiver(line, "s", "amq.topic/a", filter=selected("a = 1"), capabilities=shared)
    other = Line(broker, Clock())
    receiver(other, "s", address, filter=filters, capabilities=shared)
    assert refusal(other) == "amqp:resource-locked"
    receiver(other, "s", "amq.topic/a", filter=selected("a = 1"), capabilities=shared)
    assert other.take(LinkDetached) == []
    assert first.attached


def test_a_subscription_that_does_not_exist_cannot_be_resumed(line: Line) -> None:
    line.session.attach_receiver("nobody's", Source())
    assert refusal(line) == "amqp:not-found"


@pytest.mark.parametrize("desired", [(), ("SHARED-SUBS",)], ids=["Qpid C++", "Qpid JMS"])
@pytest.mark.parametrize("name", ["s", "s|global", "s|2", "s|volatile1", "s|global-volatile1"])
def test_a_shared_subscription_is_resumed_without_a_source(
    broker: Broker, desired: tuple[str, ...], name: str
) -> None:
    line = Line(broker, Clock(), ConnectionOptions("client", desired_capabilities=desired))
    capabilities = ("shared", "global") if "global" in name else ("shared",)
    first = receiver(line, name, "amq.fanout", expiry_policy="never", durable=2, capabilities=capabilities)
    assert source_of(first).expiry_policy == "never"
    first.detach(closed=False)
    send(line, sender(line, "amq.fanout"), "kept")
    resumed = line.session.attach_receiver(name, Source())
    resumed.add_credit(10)
    assert received(line, resumed) == ["kept"]
    resumed.detach()
    line.exchange()
    assert broker.queues() == []


SHARED_BY_ALL: dict[str, Any] = {"expiry_policy": "never", "durable": 2, "capabilities": ("topic", "shared")}


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("amq.topic/a.*", {"filter": selected("a = 1")}),
        ("amq.topic", {"filter": {"no-local": Described(Symbol("apache.org:no-local-filter:list"), [])}}),
        ("amq.fanout", {"capabilities": ("topic", "shared", "global")}),
        (
            "amq.match",
            {
                "filter": {
                    "headers": Described(
                        Symbol("apache.org:legacy-amqp-headers-binding:map"), {"x-match": "any", "a": 1}
                    )
                }
            },
        ),
    ],
)
def test_a_subscription_is_resumed_with_the_source_that_it_was_made_with(
    broker: Broker, address: str, source: dict[str, Any]
) -> None:
    line = Line(broker, Clock(), ConnectionOptions("client", desired_capabilities=("SHARED-SUBS",)))
    said = {**SHARED_BY_ALL, "distribution_mode": "copy", **source}
    first = receiver(line, "s", address, **said)
    asked = source_of(first)
    first.detach(closed=False)
    # Nothing of the first link is left in the broker's memory, as after a restart.
    line.frontend.close(0)
    again = Line(broker, Clock(), ConnectionOptions("client", desired_capabilities=("SHARED-SUBS",)))
    resumed = again.session.attach_receiver("s", Source())
    again.exchange()
    answer = source_of(resumed)
    assert (answer.address, answer.durable, answer.expiry_policy) == (address, asked.durable, "never")
    assert (answer.capabilities, answer.filter) == (asked.capabilities, asked.filter)
    assert answer.distribution_mode == "copy"


def test_nobody_unsubscribes_while_another_link_reads(line: Line, broker: Broker) -> None:
    first = receiver(line, "s", "amq.topic/a", **SHARED_BY_ALL)
    other = Line(broker, Clock())
    unsubscribing = other.session.attach_receiver("s|2", Source())
    other.exchange()
    unsubscribing.detach()
    assert refusal(other) == "amqp:resource-locked"
    send(line, sender(line, "amq.topic/a"), "for the first")
    assert received(line, first) == ["for the first"]
    first.detach(closed=False)
    line.exchange()
    unsubscribing = other.session.attach_receiver("s", Source())
    other.exchange()
    unsubscribing.detach()
    other.exchange()
    assert broker.queues() == []


def test_a_queue_deleted_by_its_reader_leaves_all_to_the_alternate(line: Line, broker: Broker) -> None:
    """S-257."""
    broker.declare_exchange(ExchangeSpec("test.ex", ExchangeType.TOPIC))
    broker.declare_exchange(ExchangeSpec("alternate.ex", ExchangeType.FANOUT))
    broker.declare(QueueSpec("test.q", alternate="alternate.ex"))
    broker.bind("test.ex", Binding("test.q", "#"), NOBODY, START_MS)
    left = receiver(line, "alternate", "alternate.ex")
    link = line.session.attach_receiver("r", Source(address="test.q; {delete: always}"))
    link.add_credit(5)
    publisher = sender(line, "test.ex")
    for number in range(10):
        send(line, publisher, str(number))
    assert len(line.take(Delivery)) == 5
    link.detach()
    assert received(line, left) == [str(number) for number in range(10)]
    assert broker.resolve("test.q") is None


# ---------------------------------------------------------------------- the anonymous relay


@pytest.mark.spec("amqp-1.0", "3.2.4", "to: where a message goes that comes without a target")
def test_without_a_target_each_message_says_where_it_goes(line: Line, broker: Broker) -> None:
    broker.declare(QueueSpec("q"))
    topic = receiver(line, "topic", "amq.topic/news.#")
    link = sender(line, None)
    assert send(line, link, "1", to="q") is None
    assert send(line, link, "2", to="amq.topic/news.uk") is None
    assert send(line, link, "3", to="amq.topic", subject="news.fr") is None
    assert send(line, link, "4", to="nosuch") == "amqp:not-found"
    assert send(line, link, "5") == "amqp:precondition-failed"
    assert send(line, link, "6", to="q") is None
    assert broker.lookup("q").queue.depth == 2
    assert received(line, topic) == ["2", "3"]


# ---------------------------------------------------------------------- dynamic nodes


@pytest.mark.spec("amqp-1.0", "3.5.3", "dynamic: a node is made, and its address told")
def test_a_dynamic_source_is_a_queue_whose_name_is_told(line: Line) -> None:
    """S-320: a request and its response."""
    replies = receiver(line, "replies", None, dynamic=True)
    requests = receiver(line, "requests", None, dynamic=True)
    reply_address, request_address = source_of(replies).address, source_of(requests).address
    assert reply_address is not None
    assert reply_address.startswith("TempQueue")
    assert source_of(replies).dynamic
    asking = sender(line, request_address)
    send(line, asking, "question", reply_to=reply_address, correlation_id="7")
    (request,) = line.take(Delivery)
    content = decode_content(request.payload)
    send(line, sender(line, content.reply_to), "answer", correlation_id=content.correlation_id)
    (reply,) = line.take(Delivery)
    answer = decode_content(reply.payload)
    assert (reply.link.name, answer.body, answer.correlation_id) == ("replies", "answer", "7")


@pytest.mark.spec("amqp-1.0", "3.5.7", "move and copy")
def test_a_browsed_message_on_a_dynamic_queue_is_still_there_for_a_consumer(line: Line) -> None:
    """S-319."""
    link = sender(line, None, dynamic=True)
    address = target_of(link).address
    for body in "abcd":
        send(line, link, body)
    browser = line.session.attach_receiver("b", Source(address=address, distribution_mode="copy"))
    browser.add_credit(10)
    seen = [decode_content(event.payload) for event in line.take(Delivery)]
    assert [(content.body, content.delivery_count) for content in seen] == [(body, 0) for body in "abcd"]
    consumer = receiver(line, "c", address)
    assert received(line, consumer) == ["a", "b", "c", "d"]


@pytest.mark.spec("amqp-1.0", "3.5.10", "a node goes as its policy says [3.5.10 to 3.5.13]")
@pytest.mark.spec("amqp-1.0", "3.5.9", "lifetime-policy: one of the four that there are")
@pytest.mark.parametrize(
    ("policy", "lifetime"),
    [
        (None, Lifetime.CONNECTION_CLOSE),
        (DeleteOnClose(), Lifetime.CREATING_LINK_CLOSE),
        (DeleteOnNoLinks(), Lifetime.NO_LINKS),
        (DeleteOnNoLinksOrMessages(), Lifetime.NO_LINKS_OR_MESSAGES),
    ],
)
def test_a_dynamic_node_lives_as_its_policy_says(
    line: Line, broker: Broker, policy: Any, lifetime: Lifetime
) -> None:
    properties = {} if policy is None else {"lifetime-policy": described(policy)}
    link = sender(line, None, dynamic=True, dynamic_node_properties=properties)
    address = target_of(link).address or ""
    assert broker.lookup(address).queue.spec.lifetime is lifetime
    assert set(target_of(link).dynamic_node_properties) == set(properties)
    link.detach()
    line.exchange()
    assert (broker.resolve(address) is None) is (lifetime is not Lifetime.CONNECTION_CLOSE)
    line.client.close()
    line.exchange()
    assert broker.resolve(address) is None


def described(policy: Any) -> Described:
    codes = {DeleteOnClose: 0x2B, DeleteOnNoLinks: 0x2C, DeleteOnNoLinksOrMessages: 0x2E}
    return Described(ULong(codes[type(policy)]), [])


@pytest.mark.spec("amqp-1.0", "3.5.9", "lifetime-policy and supported-dist-modes are of their types")
@pytest.mark.parametrize(
    "asked",
    [
        {"dynamic": True},
        {"address": "made", "capabilities": ("create-on-demand",)},
        {"address": "made", "capabilities": ("create-on-demand", "topic")},
    ],
    ids=["dynamic", "queue", "topic"],
)
@pytest.mark.parametrize(
    "properties",
    [
        {"lifetime-policy": ULong(0x2B)},
        {"lifetime-policy": Described(ULong(0x24), [])},
        {"lifetime-policy": Described(ULong(0x2F), [])},
        {"supported-dist-modes": ULong(1)},
        {"supported-dist-modes": Symbol("both")},
        {"supported-dist-modes": [Symbol("copy")]},
        {"supported-dist-modes": Array("symbol", [Symbol("copy"), Symbol("both")])},
    ],
    ids=repr,
)
def test_node_properties_of_a_wrong_type_are_refused(
    line: Line, broker: Broker, properties: dict[str, Any], asked: dict[str, Any]
) -> None:
    sender(line, **{"address": None, **asked}, dynamic_node_properties=properties)
    assert refusal(line) == "amqp:invalid-field"
    assert broker.resolve("made") is None


@pytest.mark.parametrize("policy", ["delete-on-close", Symbol("amqp:delete-on-close:list")])
def test_a_dynamic_node_has_no_lifetime_policy_that_is_a_text(line: Line, policy: str) -> None:
    sender(line, None, dynamic=True, dynamic_node_properties={"lifetime-policy": policy})
    assert refusal(line) == "amqp:invalid-field"


@pytest.mark.parametrize(
    ("modes", "exchange"),
    [
        (Symbol("move"), False),
        (Symbol("copy"), True),
        ("copy", True),
        (Array("symbol", [Symbol("copy")]), True),
        (Array("symbol", [Symbol("move"), Symbol("copy")]), False),
    ],
    ids=repr,
)
def test_a_node_of_copies_alone_is_an_exchange(line: Line, modes: Any, exchange: bool) -> None:
    link = sender(line, None, dynamic=True, dynamic_node_properties={"supported-dist-modes": modes})
    assert (target_of(link).address or "").startswith("TempTopic" if exchange else "TempQueue")


@pytest.mark.spec("amqp-1.0", "3.5.9", "what else a dynamic node is to be")
def test_a_dynamic_node_takes_a_queues_options(line: Line, broker: Broker) -> None:
    properties = {"qpid.last_value_queue_key": "k"}
    link = sender(line, None, dynamic=True, dynamic_node_properties=properties)
    for body in "12":
        send(line, link, body, application_properties={"k": "same"})
    assert broker.lookup(target_of(link).address or "").queue.depth == 1


@pytest.mark.spec("amqp-1.0", "3.5.4", "a target in its fields: dynamic, capabilities")
def test_a_dynamic_topic_is_an_exchange_of_its_own(line: Line, broker: Broker) -> None:
    link = sender(
        line,
        None,
        dynamic=True,
        capabilities=("temporary-topic",),
        dynamic_node_properties={"lifetime-policy": described(DeleteOnClose())},
    )
    address = target_of(link).address or ""
    assert address.startswith("TempTopic")
    first, second = receiver(line, "1", address), receiver(line, "2", address)
    send(line, link, "all")
    assert sorted(bodies(line)) == [(first.name, "all"), (second.name, "all")]
    link.detach()
    line.exchange()
    assert broker.exchanges.get(address) is None


# ---------------------------------------------------------------------- making nodes


def test_a_node_is_made_on_demand_as_its_properties_say(line: Line, broker: Broker) -> None:
    properties = {"qpid.last_value_queue_key": "k", "durable": True}
    capable = ("create-on-demand", "queue")
    link = sender(line, "made", capabilities=capable, dynamic_node_properties=properties)
    assert target_of(link).dynamic_node_properties == properties
    assert broker.lookup("made").queue.spec.durable
    sender(line, "made", capabilities=capable)
    sender(line, "x", capabilities=("create-on-demand",), dynamic_node_properties={"exchange-type": "fanout"})
    assert broker.exchanges.find("x").spec.type is ExchangeType.FANOUT
    sender(line, "y", capabilities=("create-on-demand", "topic"))
    assert broker.exchanges.find("y").spec.type is ExchangeType.TOPIC
    sender(line, "bad", capabilities=capable, dynamic_node_properties={"nosuch": 1})
    assert refusal(line) == "amqp:invalid-field"


@pytest.mark.parametrize(
    ("properties", "gone"),
    [
        ({"lifetime-policy": Described(ULong(0x2B), [])}, True),
        ({"lifetime-policy": Described(ULong(0x2C), [])}, True),
        ({"lifetime": "delete-on-creating-link-close"}, True),
        ({"qpid.lifetime-policy": "delete-if-unused"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_a_node_made_on_demand_lives_as_its_policy_says(
    line: Line, broker: Broker, properties: dict[str, Any], gone: bool
) -> None:
    capable = ("create-on-demand", "queue")
    link = sender(line, "q", capabilities=capable, dynamic_node_properties=properties)
    assert broker.has_queue("q")
    link.detach()
    line.exchange()
    assert broker.has_queue("q") is not gone


@pytest.mark.parametrize(
    ("policy", "lifetime"),
    [
        ("delete-on-close", Lifetime.CONNECTION_CLOSE),
        ("delete-if-unused", Lifetime.NO_OUTBOUND_LINKS),
        ("delete-if-empty", Lifetime.NO_LINKS_OR_MESSAGES),
        ("delete-if-unused-and-empty", Lifetime.NO_LINKS_OR_MESSAGES),
        ("manual", Lifetime.PERMANENT),
    ],
)
def test_the_lifetimes_of_qpid_s_addresses_are_known(
    line: Line, broker: Broker, policy: str, lifetime: Lifetime
) -> None:
    sender(
        line,
        f"q; {{create: always, node: {{x-declare: {{arguments: {{'qpid.lifetime-policy': {policy}}}}}}}}}",
    )
    assert broker.lookup("q").queue.spec.lifetime is lifetime


@pytest.mark.parametrize(
    ("address", "opens", "stays_closed"),
    [
        ("q; {create: sender}", "sender", "receiver"),
        ("q; {create: receiver}", "receiver", "sender"),
        ("q; {create: always}", "receiver", None),
        ("q; {create: never}", None, "sender"),
        ("q", None, "receiver"),
    ],
)
def test_an_address_says_which_end_makes_the_node(
    line: Line, address: str, opens: str | None, stays_closed: str | None
) -> None:
    """S-304."""
    ends: dict[str, Callable[[], object]] = {
        "sender": lambda: sender(line, address),
        "receiver": lambda: receiver(line, "r2", address),
    }
    if stays_closed is not None:
        ends[stays_closed]()
        assert refusal(line) == "amqp:not-found"
    if opens is not None:
        line.take(LinkDetached)
        ends[opens]()
        assert line.take(LinkDetached) == []


def test_an_address_declares_checks_and_deletes_its_node(line: Line, broker: Broker) -> None:
    declare = "node: {x-declare: {arguments: {'qpid.last_value_queue_key': ticker}}}"
    link = sender(line, f"prices; {{create: always, {declare}}}")
    for body in "12":
        send(line, link, body, application_properties={"ticker": "a"})
    assert broker.lookup("prices").queue.depth == 1
    receiver(line, "same", f"prices; {{assert: always, mode: browse, {declare}}}")
    assert line.take(LinkDetached) == []
    receiver(line, "differs", "prices; {assert: always, node: {x-declare: {arguments: {qpid.max_count: 5}}}}")
    assert refusal(line) == "amqp:precondition-failed"
    receiver(line, "topic", "prices; {assert: always, node: {type: topic}}")
    assert refusal(line) == "amqp:precondition-failed"
    deleting = receiver(line, "deleting", "prices; {delete: always, mode: browse}")
    assert received(line, deleting) == ["2"]
    deleting.detach()
    line.exchange()
    assert broker.queues() == []


def test_bindings_of_a_node_stay_and_those_of_a_link_go_with_it(line: Line, broker: Broker) -> None:
    """S-298."""
    node = "x-bindings: [{exchange: amq.topic, key: 'a.#'}, {exchange: amq.direct, key: b}]"
    link = receiver(line, "node", f"q; {{create: always, node: {{{node}}}}}")
    send(line, sender(line, "amq.topic"), "one", "a.x")
    send(line, sender(line, "amq.direct"), "two", "b")
    assert received(line, link) == ["one", "two"]
    link.detach()
    line.exchange()
    assert len(broker.exchanges.bindings_of("q")) == 2
    link = receiver(line, "link", "q; {link: {x-bindings: [{exchange: amq.topic, key: c}]}}")
    assert len(broker.exchanges.bindings_of("q")) == 3
    send(line, sender(line, "amq.topic"), "three", "c")
    assert received(line, link) == ["one", "two", "three"]
    link.detach()
    line.exchange()
    assert len(broker.exchanges.bindings_of("q")) == 2


def test_a_destinations_parameters_say_what_its_use_makes(line: Line, broker: Broker) -> None:
    sender(line, "prices?last-value-key=symbol&non-destructive=true")
    spec = broker.lookup("prices").queue.spec
    assert spec.readers == Readers(non_destructive=True)
    sender(line, "prices?last-value-key=other")
    assert broker.lookup("prices").queue.spec == spec
    link = receiver(line, "r", "news::mine?routing-type=MULTICAST")
    send(line, sender(line, "news"), "1")
    assert received(line, link) == ["1"]


@pytest.mark.parametrize("peers", [1, 3])
def test_a_policy_makes_what_its_pattern_matches(broker: Broker, peers: int) -> None:
    """S-209."""
    broker.missing.policies = [
        NodePolicy("fooQ#", "queue", {"max_messages": 100}),
        NodePolicy("fooX*", "exchange", {"type": "fanout"}, on_consume=False),
    ]
    lines = [Line(broker, Clock()) for _ in range(peers)]
    for line in lines:
        assert send(line, sender(line, "fooQueue"), "1") is None
    assert broker.lookup("fooQueue").queue.depth == peers
    (line, *_) = lines
    receiver(line, "r", "fooXchange")
    assert refusal(line) == "amqp:not-found"
    sender(line, "fooXchange")
    receiver(line, "r2", "fooXchange")
    assert line.take(LinkDetached) == []
    sender(line, "food")
    assert refusal(line) == "amqp:not-found"


def test_a_link_deletes_no_node_that_is_somebodys_alternate(line: Line, broker: Broker) -> None:
    broker.declare(QueueSpec("dead"))
    broker.declare_exchange(ExchangeSpec("x"))
    broker.declare(QueueSpec("q", alternate="dead", expiry_alternate="x"))
    for link in (
        receiver(line, "r", "dead; {delete: always}"),
        sender(line, "x; {delete: always}"),
        receiver(line, "r2", "q; {delete: sender}"),
    ):
        link.detach()
    line.exchange()
    assert [queue.spec.name for queue in broker.queues()] == ["dead", "q"]
    assert broker.exchanges.get("x") is not None


def test_a_links_bindings_of_an_exclusive_queue_go_with_it(line: Line, broker: Broker) -> None:
    broker.declare(QueueSpec("q", exclusive=Exclusive.CONNECTION))
    link = receiver(line, "r", "q; {link: {x-bindings: [{exchange: amq.fanout}]}}")
    assert line.take(LinkDetached) == []
    link.detach()
    line.exchange()
    assert broker.exchanges.bindings_of("q") == []


# ---------------------------------------------------------------------- Artemis addresses


@pytest.mark.parametrize(
    ("pattern", "sent", "gets"),
    [
        ("a.#", ("a.b.c", "a.c"), ["a.b.c", "a.c"]),
        ("a.*", ("a.b.c", "a.c"), ["a.c"]),
        ("*.b", ("a.b", "a.c"), ["a.b"]),
        ("*.*", ("a.b.c", "a.c"), ["a.c"]),
        ("*.b.*", ("a.b.c", "a.c"), ["a.b.c"]),
        ("*.b.#", ("a.b.c.d", "a.c"), ["a.b.c.d"]),
        ("#.b.*", ("a.b.c", "a.c"), ["a.b.c"]),
    ],
)
@pytest.mark.parametrize("routing", ["ANYCAST", "MULTICAST"])
def test_a_queue_of_a_wildcard_address_gets_what_the_address_matches(
    line: Line, broker: Broker, pattern: str, sent: tuple[str, ...], gets: list[str], routing: str
) -> None:
    """S-092, S-093."""
    link = receiver(line, "r", f"{pattern}::q?routing-type={routing}")
    # As in Artemis, an address exists once somebody uses it; here both are declared.
    for address in sent:
        broker.declare_exchange(ExchangeSpec(address, ExchangeType.ADDRESS))
        assert send(line, sender(line, address), address) is None
    assert received(line, link) == gets


def test_a_plain_queue_whose_name_a_wildcard_matches_shares_its_messages(line: Line, broker: Broker) -> None:
    broker.declare(QueueSpec("a.b"))
    link = receiver(line, "all", "a.#", capabilities=("topic",))
    assert refusal(line) == "amqp:not-found"
    broker.declare_exchange(ExchangeSpec("a.#", ExchangeType.ADDRESS))
    link = receiver(line, "all", "a.#", capabilities=("topic",))
    send(line, sender(line, "a.b"), "1")
    assert received(line, link) == ["1"]
    assert broker.lookup("a.b").queue.depth == 1


def test_one_queue_of_an_address_is_named_behind_it(line: Line, broker: Broker) -> None:
    broker.declare_exchange(ExchangeSpec("news", ExchangeType.ADDRESS))
    for name in ("1", "2"):
        broker.declare(QueueSpec(name))
        broker.bind("news", Binding(name, "", {"routing-type": "anycast"}), NOBODY, START_MS)
    link = sender(line, "news")
    for body in "abc":
        send(line, link, body)
    assert received(line, receiver(line, "r", "news::2")) == ["b"]
    send(line, sender(line, "news::1"), "direct")
    assert received(line, receiver(line, "r1", "news::1")) == ["a", "c", "direct"]
    broker.declare(QueueSpec("3"))
    receiver(line, "r3", "news::3")
    assert refusal(line) == "amqp:not-found"


def test_a_reader_of_an_address_reads_its_anycast_queue_or_subscribes(line: Line, broker: Broker) -> None:
    broker.declare_exchange(ExchangeSpec("news", ExchangeType.ADDRESS))
    broker.declare(QueueSpec("q"))
    broker.bind("news", Binding("q", "", {"routing-type": "anycast"}), NOBODY, START_MS)
    receiver(line, "subscriber", "news", capabilities=("topic",))
    receiver(line, "worker", "news")
    send(line, sender(line, "news"), "1")
    assert sorted(bodies(line)) == [("subscriber", "1"), ("worker", "1")]


# ---------------------------------------------------------------------- exclusivity and limits


@pytest.mark.parametrize("exclusive", [Exclusive.LINK, Exclusive.SESSION, Exclusive.CONNECTION])
def test_a_queue_in_exclusive_use_is_locked_to_others_who_may_browse(
    broker: Broker, exclusive: Exclusive
) -> None:
    broker.declare(QueueSpec("q", exclusive=exclusive))
    line, other = Line(broker, Clock()), Line(broker, Clock())
    first = receiver(line, "first", "q")
    receiver(other, "second", "q")
    assert refusal(other) == "amqp:resource-locked"
    receiver(other, "browser", "q", distribution_mode="copy")
    assert other.take(LinkDetached) == []
    receiver(line, "second", "q")
    assert bool(line.take(LinkDetached)) is (exclusive is Exclusive.LINK)
    first.detach()
    line.client.close()
    line.exchange()
    receiver(other, "third", "q")
    assert other.take(LinkDetached) == []


@pytest.mark.parametrize("lifetime", ["delete-on-session-end", "delete-on-connection-close"])
def test_a_queue_that_is_declared_by_request_goes_with_who_asked(broker: Broker, lifetime: str) -> None:
    line, other = Line(broker, Clock()), Line(broker, Clock())
    replies = line.session.attach_receiver("replies", Source(address="$management"), Target(address="me"))
    replies.add_credit(10)
    requests = sender(line, "$management")
    create = {"operation": "CREATE", "type": "queue", "name": "q"}
    body = {"lifetime": lifetime, "exclusive": "session"}
    requests.send(
        encode_content(MessageContent(application_properties=create, body=body, reply_to="me")), settled=False
    )
    line.exchange()
    receiver(other, "r", "q")
    assert refusal(other) == "amqp:resource-locked"
    line.session.end()
    line.client.close()
    line.exchange()
    assert broker.queues() == []


def test_a_container_shares_what_is_exclusively_its_own(broker: Broker) -> None:
    broker.declare(QueueSpec("q", exclusive=Exclusive.CONTAINER))
    line, other = Line(broker, Clock()), Line(broker, Clock())
    receiver(line, "first", "q")
    receiver(other, "second", "q")
    assert other.take(LinkDetached) == []


def test_a_consumer_too_many_is_refused(line: Line, broker: Broker) -> None:
    broker.declare(QueueSpec("q", readers=Readers(most=1)))
    receiver(line, "first", "q")
    receiver(line, "second", "q")
    assert refusal(line) == "amqp:resource-limit-exceeded"


def test_a_refused_attach_answers_without_a_source(line: Line, broker: Broker) -> None:
    broker.declare(QueueSpec("q", readers=Readers(most=1)))
    receiver(line, "first", "q")
    line.take(LinkAttached)
    link = line.session.attach_receiver("second", Source(address="q"))
    line.exchange()
    assert link.remote is not None
    assert link.remote.source is None


def test_the_options_of_an_address_are_no_part_of_its_subject(broker: Broker) -> None:
    """S-307"""
    line = Line(broker, Clock())
    line.session.attach_receiver("r", Source(address="amq.direct/key; {link: {name: mine}}"))
    line.exchange()
    (binding,) = broker.exchanges.find("amq.direct").bindings.values()
    assert binding.key == "key"


def sharing_line(broker: Broker, container: str) -> Line:
    """A connection whose peer knows SHARED-SUBS, as Qpid JMS."""
    return Line(broker, Clock(), ConnectionOptions(container, desired_capabilities=("SHARED-SUBS",)))


def test_shared_subscriptions_of_jms_are_their_clients_unless_they_are_global(broker: Broker) -> None:
    one, two = sharing_line(broker, "one"), sharing_line(broker, "two")
    for line in (one, two):
        receiver(line, "mine", "amq.fanout", capabilities=("shared",))
        receiver(line, "mine|2", "amq.fanout", capabilities=("shared",))
        receiver(line, "all|global", "amq.fanout", capabilities=("shared", "global"))
        receiver(line, "all|global-volatile1", "amq.fanout", capabilities=("shared", "global"))
    names = {queue.spec.name for queue in broker.queues()}
    assert {
        "$subscription//one/mine",
        "$subscription//two/mine",
        "$subscription///all",
        "$subscription///all.volatile",
    } <= names
    assert not names & {"mine", "one_mine|2", "all|global"}


def test_links_that_count_a_shared_subscription_share_it_without_shared_subs(
    line: Line, broker: Broker
) -> None:
    """As in Broker-J and Artemis; a bar that is followed by anything else is part of the name."""
    for name in ("d", "d|2", "v|volatile1", "v|volatile2", "d|global", "d|global3", "a|b", "a|c", "a|b|2"):
        receiver(line, name, "amq.fanout", capabilities=("shared",))
    assert {queue.spec.name.removeprefix("$subscription///") for queue in broker.queues()} == {
        "d",
        "v.volatile",
        "a%7Cb",
        "a%7Cc",
    }


def test_whoever_reads_a_subscription_takes_from_it_though_a_copy_is_asked_for(
    line: Line, broker: Broker
) -> None:
    """A durable subscription of Qpid JMS says `copy`, as every subscriber has a copy of the message."""
    link = receiver(line, "r", "amq.fanout", distribution_mode="copy")
    send(line, sender(line, "amq.fanout"), "1")
    (delivery,) = line.take(Delivery)
    assert not delivery.settled
    link.settle(delivery.delivery_id, delivery.delivery_id, Accepted())
    line.exchange()
    (queue,) = broker.queues()
    assert (queue.depth, queue.removed(Reason.ACCEPTED)) == (0, 1)


def test_a_container_that_wants_to_be_the_only_one_is_refused_a_second_connection(broker: Broker) -> None:
    options = ConnectionOptions("jms", desired_capabilities=("sole-connection-for-container",))
    first = Line(broker, Clock(), options)
    assert first.client.opened
    assert first.client.remote is not None
    assert first.client.remote.properties["sole-connection-detection-policy"] == 0
    second = Connection(Role.CLIENT, options, 0)
    server = Connection(Role.SERVER, ConnectionOptions("broker"), 0)
    frontend = Frontend(server, broker, lambda: None)
    second.open()
    for _ in range(3):
        server.receive(second.data_to_send(), 0)
        frontend.handle(0)
        second.receive(server.data_to_send(), 0)
    (closed,) = [event for event in second.events() if isinstance(event, ConnectionClosed)]
    assert closed.error is not None
    assert (closed.error.condition, closed.error.info) == (
        "amqp:invalid-field",
        {"invalid-field": "container-id"},
    )
    assert second.remote is not None
    assert second.remote.properties["amqp:connection-establishment-failed"] is True
    assert second.remote.properties["sole-connection-detection-policy"] == 0
    first.frontend.close(0)
    assert Line(broker, Clock(), options).client.opened


def test_who_does_not_ask_to_be_the_only_one_is_told_of_no_policy(line: Line) -> None:
    assert line.client.remote is not None
    assert "sole-connection-detection-policy" not in line.client.remote.properties
