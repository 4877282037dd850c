"""lastvalue.broker.routing.routing_work."""

import pytest
from broker_desk import made, message
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import SELECTOR_ARGUMENT, Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.routing_work import MOST_WORK, RoutingWork
from lastvalue.broker.transactions import MESSAGES_OF_A_QUEUE_MORE, Transaction, TransactionSizeError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import Message

NOW = 1_000_000


def test_a_piece_is_over_when_it_has_caused_so_much() -> None:
    work = RoutingWork()
    over = []
    for spent_now in (MOST_WORK - 1, 1):
        work.spend(spent_now)
        over.append(work.is_over)
    work.begin()
    assert [*over, work.is_over] == [False, True, False]


def spent(kind: ExchangeType, bindings: list[Binding], key: str, to: Message) -> int:
    exchange, work = Exchange(ExchangeSpec("x", kind)), RoutingWork()
    for binding in bindings:
        exchange.bind(binding)
    exchange.match(key, to, work)
    return int(work.spent)


def test_what_matches_costs_and_what_is_compared_and_selectors_do() -> None:
    to = CannedMessage({f"h{number}": number for number in range(80)})
    fanout = [Binding(f"q{number}", "") for number in range(50)]
    assert spent(ExchangeType.FANOUT, fanout, "", to) == 50
    assert spent(ExchangeType.DIRECT, [Binding("q", "k"), Binding("r", "l")], "k", to) == 1
    selector = {SELECTOR_ARGUMENT: " OR ".join(["a = 1"] * 20)}
    assert spent(ExchangeType.FANOUT, [Binding("q", "", selector)], "", to) > 10
    patterns = [Binding(f"q{number}", "#.a." * 8 + f"z{number}") for number in range(38)]
    assert spent(ExchangeType.TOPIC, patterns, ".".join(["a"] * 128), to) > 100
    headers = [
        Binding(f"q{number}", "", {"x-match": "any", f"h{number}": -1, "h0": None}) for number in range(80)
    ]
    assert spent(ExchangeType.HEADERS, headers, "", to) >= 80


def transaction(broker: Broker, messages: int) -> Transaction:
    begun = Transaction(MemoryAccount(broker.memory))
    target = broker.target(Node("x", None, broker.exchanges.find("x")))
    for number in range(messages):
        begun.post(target, "", message(str(number)), NOW)
    return begun


def test_a_commit_whose_messages_reach_very_many_queues_is_refused_and_changes_nothing() -> None:
    names = [f"q{number}" for number in range(5)]
    broker = made(*names)
    broker.memory.transaction_limit = 100
    broker.declare_exchange(ExchangeSpec("x", ExchangeType.FANOUT))
    for name in names:
        broker.bind("x", Binding(name, ""), NOBODY, NOW)
    # Each reaches four queues beside the first.
    most = 100 // MESSAGES_OF_A_QUEUE_MORE // 4
    broker.commit(transaction(broker, most), NOW)
    with pytest.raises(TransactionSizeError, match="fewer if each reaches several queues"):
        broker.commit(transaction(broker, most + 1), NOW)
    assert [broker.lookup(name).queue.depth for name in names] == [most] * 5
