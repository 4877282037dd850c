"""Routes that are known, and how long."""

import pytest
from broker_desk import made

from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.routing.known_routes import KnownRoute, KnownRoutes, takes_all
from lastvalue.queues.spec import LastValue, Limit, QueueSpec


@pytest.fixture
def exchange() -> Exchange:
    return made("q").exchanges.find("amq.topic")


def test_keys_of_one_place_have_one_route_until_bindings_change(exchange: Exchange) -> None:
    known, route = KnownRoutes(), KnownRoute([exchange], [])
    assert known.find(exchange, "a", 1) is None
    known.add(exchange, "a", (7,), route)
    assert known.share(exchange, "b", (8,)) is None
    assert known.share(exchange, "b", (7,)) is route
    assert known.share(exchange, "c", None) is None
    assert [known.find(exchange, key, 1) for key in "abc"] == [route, route, None]
    assert known.find(exchange, "a", 2) is None
    # Somebody may still have it, and its queues may be gone.
    assert (route.queues, route.takers()) == (None, [])


def test_the_keys_that_are_known_are_bounded_and_places_outlast_them(exchange: Exchange) -> None:
    known, route = KnownRoutes(most_keys=2), KnownRoute([exchange], [])
    known.add(exchange, "a", (7,), route)
    known.share(exchange, "b", (7,))
    assert known.find(exchange, "a", 0) is None
    assert known.share(exchange, "a", (7,)) is route
    assert route.queues == []


def test_the_queues_in_known_routes_are_bounded(exchange: Exchange) -> None:
    hosted = made("q").lookup("q")
    known = KnownRoutes(most_queues=3)
    routes = [KnownRoute([exchange], [hosted, hosted]) for _ in "ab"]
    for key, route in zip("ab", routes, strict=True):
        assert known.find(exchange, key, 0) is None
        known.add(exchange, key, None, route)
    assert known.find(exchange, "a", 0) is None
    assert [route.queues for route in routes] == [None, None]


def test_several_queues_take_messages_together_if_each_takes_all_of_them() -> None:
    broker = made(
        "q", "r", QueueSpec("values", ordering=LastValue("k")), QueueSpec("small", limit=Limit(messages=1))
    )
    queues = {each.queue.spec.name: each for each in map(broker.lookup, ("q", "r", "values", "small"))}
    assert [name for name, each in queues.items() if takes_all(each)] == ["q", "r", "values"]
    several = [queues[name] for name in ("q", "r", "values")]
    assert KnownRoute([], several).takers() == several
    assert KnownRoute([], [queues["q"], queues["small"]]).takers() == []
    assert KnownRoute([], [queues["small"]]).takers() == [queues["small"]]
    assert KnownRoute([], []).takers() == []
