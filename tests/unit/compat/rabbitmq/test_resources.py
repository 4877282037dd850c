"""lastvalue.compat.rabbitmq.resources."""

from lastvalue.client import BindingInfo, ExchangeInfo, QueueInfo
from lastvalue.compat.rabbitmq.resources import binding_resources, exchange_resource, queue_resource


def test_a_queue_s_counts_have_rabbitmq_s_names() -> None:
    shown = queue_resource(
        QueueInfo("q", "standard", depth=5, available=3, published=9, statistics={"unsettled": 2})
    )
    assert (shown["messages"], shown["messages_ready"], shown["messages_unacknowledged"]) == (5, 3, 2)
    assert shown["message_stats"]["publish"] == 9


def test_a_binding_says_whether_it_leads_to_a_queue_or_an_exchange() -> None:
    exchange = ExchangeInfo("x", "topic", bindings=(BindingInfo("q", "a"), BindingInfo("y", "b")))
    shown = list(binding_resources([exchange, ExchangeInfo("y", "fanout")], {"q"}, {"x", "y"}))
    assert [each["destination_type"] for each in shown] == ["queue", "exchange"]


def test_an_address_is_a_fanout() -> None:
    assert exchange_resource(ExchangeInfo("a", "address"))["type"] == "fanout"
