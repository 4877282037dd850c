import pytest
from canned_message import CannedMessage

from lastvalue.broker.routing.bindings import Binding, BindingError
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.broker.routing.matchers import Matcher, matcher_of

RED = {"x-match": "all", "colour": "red"}
ANYCAST = {"routing-type": "anycast"}


def matched(matcher: Matcher, key: str = "", **properties: object) -> list[str]:
    return sorted(binding.destination for binding in matcher.match(key, CannedMessage(properties)))


def with_bindings(kind: ExchangeType, *bindings: Binding) -> Matcher:
    matcher = matcher_of(kind)
    for binding in bindings:
        matcher.add(binding)
    return matcher


@pytest.mark.parametrize(
    ("kind", "bindings", "key", "destinations"),
    [
        (ExchangeType.DIRECT, [Binding("a", "k"), Binding("b", "k"), Binding("c", "l")], "k", ["a", "b"]),
        (ExchangeType.DIRECT, [Binding("a", "k")], "", []),
        (
            ExchangeType.TOPIC,
            [Binding("a", "x.*"), Binding("b", "x.#"), Binding("c", "y")],
            "x.1",
            ["a", "b"],
        ),
        (ExchangeType.TOPIC, [Binding("a", "x.*"), Binding("b", "x.#")], "x.1.2", ["b"]),
        (ExchangeType.FANOUT, [Binding("a", "k"), Binding("b", "")], "any", ["a", "b"]),
        (ExchangeType.ADDRESS, [Binding("a", "k"), Binding("b", "")], "any", ["a", "b"]),
    ],
)
def test_each_type_finds_its_bindings(
    kind: ExchangeType, bindings: list[Binding], key: str, destinations: list[str]
) -> None:
    assert matched(with_bindings(kind, *bindings), key) == destinations


def test_a_headers_exchange_asks_each_binding() -> None:
    matcher = with_bindings(ExchangeType.HEADERS, Binding("a", "", RED), Binding("b", "", {"x-match": "any"}))
    assert matched(matcher, colour="red") == ["a"]
    assert matched(matcher, colour="green") == []


def test_a_headers_exchange_refuses_a_binding_that_does_not_say_how_to_match() -> None:
    with pytest.raises(BindingError, match="x-match"):
        with_bindings(ExchangeType.HEADERS, Binding("a", ""))


def test_anycast_queues_of_an_address_take_turns_and_the_others_get_each_a_copy() -> None:
    matcher = with_bindings(
        ExchangeType.ADDRESS, Binding("m", ""), Binding("a", "", ANYCAST), Binding("b", "", ANYCAST)
    )
    assert [matched(matcher) for _ in range(3)] == [["a", "m"], ["b", "m"], ["a", "m"]]


def test_an_anycast_queue_that_does_not_admit_a_message_leaves_its_turn_to_the_next() -> None:
    picky = Binding("a", "", {**ANYCAST, "x-filter-jms-selector": "n = 1"})
    matcher = with_bindings(ExchangeType.ADDRESS, picky, Binding("b", "", ANYCAST))
    assert [matched(matcher, n=2), matched(matcher, n=1), matched(matcher, n=1)] == [["b"], ["a"], ["b"]]


@pytest.mark.parametrize("kind", ExchangeType)
def test_a_binding_that_is_removed_is_found_no_more(kind: ExchangeType) -> None:
    first, second = Binding("a", "k", RED), Binding("b", "k", RED)
    matcher = with_bindings(kind, first, second)
    matcher.remove(first)
    assert matched(matcher, "k", colour="red") == ["b"]
    matcher.remove(second)
    assert matched(matcher, "k", colour="red") == []
