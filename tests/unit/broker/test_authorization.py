"""What the broker lets callers do, as far as the matrix of verbs and protocols does not show it."""

import pytest
from broker_desk import LimitedReceiver, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.histories import default_history
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.rights.owner import BROKER, NOBODY, Owner
from lastvalue.broker.rights.permissions import NotPermittedError, Permissions, parse_rule
from lastvalue.broker.rights.verbs import NEEDS, Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.queues.spec import Limit, QueueSpec
from lastvalue.queues.subscription import ANY, Mode

NOW = 1_700_000_000_000
ANN = Owner(principal="ann")


class Rules:
    """The rules of users, which a test changes."""

    def __init__(self, broker: Broker, **rules: str) -> None:
        self._broker = broker
        self.by_user = {user: text.split("; ") for user, text in rules.items()}
        broker.authorization.permissions = self.permissions

    def permissions(self, user: str) -> Permissions:
        return Permissions(parse_rule(rule) for rule in self.by_user.get(user, []))

    def change(self, **rules: str) -> None:
        self.by_user |= {user: text.split("; ") if text else [] for user, text in rules.items()}
        self._broker.permissions_changed(NOW)


def test_who_gives_no_name_may_do_nothing_and_the_broker_everything() -> None:
    broker = Broker()
    Rules(broker, ann="all *")
    with pytest.raises(NotPermittedError, match="user '' may not configure 'q'"):
        broker.declare(QueueSpec("q"), NOBODY)
    with pytest.raises(NotPermittedError):
        broker.declare(QueueSpec("q"))
    assert broker.declare(QueueSpec("q"), BROKER)


def test_what_is_refused_is_told_once() -> None:
    broker = made("q")
    broker.authorization.take_audit()
    Rules(broker, ann="read q")
    broker.authorize(ANN, Verb.BROWSE, "q")
    with pytest.raises(NotPermittedError, match="user 'ann' may not write 'q'"):
        broker.queue_target("q", ANN)
    [record] = broker.authorization.take_audit()
    assert (record.owner, record.verb, record.name, record.right) == (ANN, Verb.PUBLISH, "q", "write")
    assert broker.authorization.take_audit() == []


class _OtherwiseError(Exception):
    """A protocol refuses a node that exists."""


def test_how_a_protocol_compares_a_node_that_exists_is_asked_after_the_rights_and_of_no_new_node() -> None:
    broker = made("q")
    broker.declare_exchange(ExchangeSpec("x"), BROKER)
    Rules(broker, ann="configure q; configure x; configure new; configure z")
    asked: list[str] = []

    def queue_suits(present: HostedQueue) -> None:
        asked.append(present.queue.spec.name)

    def exchange_suits(present: Exchange) -> None:
        asked.append(present.name)

    otherwise = QueueSpec("q", limit=Limit(1)), ExchangeSpec("x", ExchangeType.FANOUT)
    with pytest.raises(NotPermittedError):
        broker.declare(otherwise[0], NOBODY, queue_suits)
    with pytest.raises(NotPermittedError):
        broker.declare_exchange(otherwise[1], NOBODY, suits=exchange_suits)
    assert broker.declare(QueueSpec("new"), ANN, queue_suits)
    assert broker.declare_exchange(ExchangeSpec("z"), ANN, suits=exchange_suits)
    assert asked == []
    assert not broker.declare(otherwise[0], ANN, queue_suits)
    assert not broker.declare_exchange(otherwise[1], ANN, suits=exchange_suits)
    assert asked == ["q", "x"]
    assert broker.lookup("q").queue.spec == QueueSpec("q")


def test_a_protocol_may_refuse_a_node_that_exists_as_it_is_declared() -> None:
    broker = made("q")

    def refuse(present: HostedQueue) -> None:
        raise _OtherwiseError

    with pytest.raises(_OtherwiseError):
        broker.declare(QueueSpec("q"), BROKER, refuse)


@pytest.mark.parametrize("named", ["alternate", "expiry_alternate", "history"])
def test_a_declaration_needs_write_on_what_it_names_and_read_on_what_is_sent_there(named: str) -> None:
    broker = made("q", default_history(QueueSpec("mine"), "named"))
    rules = Rules(broker, ann="configure,read mine")
    spec = QueueSpec("mine", **{named: "named"})  # type: ignore[arg-type]  # one of three texts
    with pytest.raises(NotPermittedError, match="may not write 'named'"):
        broker.declare(spec, ANN)
    rules.change(ann="configure mine; all named")
    with pytest.raises(NotPermittedError, match="may not read 'mine'"):
        broker.declare(spec, ANN)
    assert not broker.has_queue("mine")
    rules.change(ann="configure,read mine; write named")
    assert broker.declare(spec, ANN)


def test_whoever_may_configure_a_queue_cannot_have_its_messages_sent_to_a_queue_of_their_own() -> None:
    broker = made("secrets")
    Rules(broker, ann="configure secrets; all mine")
    broker.declare(QueueSpec("mine"), ANN)
    with pytest.raises(NotPermittedError, match="may not read 'secrets'"):
        broker.reconfigure(QueueSpec("secrets", expiry_alternate="mine"), NOW, ANN)
    with pytest.raises(NotPermittedError, match="may not read 'secrets'"):
        broker.reconfigure(QueueSpec("secrets", redirect="mine"), NOW, ANN)


def test_an_exchange_that_sends_elsewhere_what_no_queue_gets_needs_read_on_itself() -> None:
    broker = Broker()
    rules = Rules(broker, ann="configure x; write y")
    with pytest.raises(NotPermittedError, match="may not read 'x'"):
        broker.declare_exchange(ExchangeSpec("x", alternate="y"), ANN)
    assert broker.declare_exchange(ExchangeSpec("x"), ANN)
    with pytest.raises(NotPermittedError, match="may not read 'x'"):
        broker.reconfigure_exchange(ExchangeSpec("x", alternate="y"), ANN)
    rules.change(ann="configure,read x; write y")
    broker.reconfigure_exchange(ExchangeSpec("x", alternate="y"), ANN)


def test_a_history_that_is_made_with_its_queue_needs_configure() -> None:
    broker = Broker()
    Rules(broker, ann="configure,read mine; write told")
    with pytest.raises(NotPermittedError, match="may not configure 'told'"):
        broker.declare(QueueSpec("mine", history="told"), ANN)
    assert broker.queues() == []


def test_a_right_to_publish_that_is_taken_away_ends_with_the_next_message() -> None:
    broker = made("q")
    rules = Rules(broker, ann="write q")
    target = broker.queue_target("q", ANN)
    assert broker.publish(target, message("1"), NOW)
    rules.change(ann="")
    with pytest.raises(NotPermittedError, match="may not write 'q'"):
        broker.publish(target, message("2"), NOW)
    rules.change(ann="write q")
    assert broker.publish(target, message("3"), NOW)
    assert broker.lookup("q").queue.depth == 2


def test_a_right_to_read_that_is_taken_away_ends_the_subscription_and_gives_back_what_it_held() -> None:
    broker = made("q")
    rules = Rules(broker, ann="read q; write q", bob="read q")
    broker.publish(broker.queue_target("q", ANN), message("1"), NOW)
    ours, others = LimitedReceiver(5), LimitedReceiver(0)
    broker.read(broker.lookup("q"), Mode.CONSUME, ours, ANY, ANN, NOW).wake()
    kept = broker.read(broker.lookup("q"), Mode.CONSUME, others, ANY, Owner(principal="bob"), NOW)
    broker.pump(NOW)
    assert broker.lookup("q").queue.available == 0
    rules.change(ann="write q")
    hosted = broker.lookup("q")
    assert (list(hosted.readers), hosted.queue.available) == ([kept], 1)


def test_a_subscription_needs_read_on_its_exchanges_and_nobody_else_reaches_it() -> None:
    broker = Broker()
    rules = Rules(broker, ann="read amq.topic", bob="all *")
    name = subscription_queue("ann", "c", "s")
    broker.declare(QueueSpec(name), ANN)
    broker.bind("amq.topic", Binding(name, "#"), ANN, NOW)
    hosted = broker.lookup(name)
    broker.read(hosted, Mode.CONSUME, LimitedReceiver(0), ANY, ANN, NOW)
    bob = Owner(principal="bob")
    for refused in (
        lambda: broker.read(hosted, Mode.BROWSE, LimitedReceiver(0), ANY, bob, NOW),
        lambda: broker.delete(name, NOW, bob),
        lambda: broker.purge(name, bob),
        lambda: broker.unbind("amq.topic", name, "#", bob),
        lambda: broker.declare(QueueSpec(name), bob),
        lambda: broker.queue_target(name, bob),
    ):
        with pytest.raises(NotPermittedError):
            refused()
    rules.change(ann="")
    assert not hosted.readers
    # What is one's own can always be given up.
    assert broker.unbind("amq.topic", name, "#", ANN)
    broker.delete(name, NOW, ANN)


def test_only_what_the_caller_reaches_is_visible_and_the_default_exchange_always() -> None:
    broker = made("q", "other", ExchangeSpec("x"), ExchangeSpec("y"))
    Rules(broker, ann="read q; write x")
    authorization = broker.authorization
    assert authorization.visible_queue(ANN, "q") is broker.lookup("q")
    assert authorization.visible_exchange(ANN, "x") is broker.exchanges.find("x")
    assert authorization.visible_exchange(ANN, "") is broker.exchanges.default
    assert authorization.visible_queue(ANN, "other") is None
    assert authorization.visible_queue(BROKER, "none") is None
    assert authorization.visible_exchange(ANN, "y") is None


def test_the_visible_bindings_are_those_of_queues_and_on_the_default_exchange_that_of_a_queue() -> None:
    broker = made("q", ExchangeSpec("x"), ExchangeSpec("y"))
    for binding in (Binding("q", "a"), Binding("y", "b", {}, True)):
        broker.bind("x", binding, NOBODY, NOW)
    Rules(broker, ann="read x")
    visible = broker.authorization.visible_bindings
    assert [each.key for each in visible(ANN, broker.exchanges.find("x"), "")] == ["a"]
    default = broker.exchanges.default
    assert [each.destination for each in visible(BROKER, default, "q")] == ["q"]
    assert visible(ANN, default, "q") == visible(BROKER, default, "none") == []


def test_every_verb_says_what_it_needs() -> None:
    assert set(NEEDS) == set(Verb)
    assert all(needs for needs in NEEDS.values())
