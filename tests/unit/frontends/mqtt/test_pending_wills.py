"""lastvalue.frontends.mqtt.pending_wills."""

from lastvalue.broker.broker import Broker
from lastvalue.frontends.mqtt.pending_wills import PendingWills


def test_a_will_is_published_when_it_is_due() -> None:
    broker = Broker()
    wills = PendingWills(broker)
    published: list[int] = []
    wills.keep("s", "ann", 1000, published.append, 100, 10)
    broker.advance(99)
    assert (published, len(wills)) == ([], 1)
    broker.advance(100)
    assert (published, len(wills)) == ([100], 0)


def test_the_end_of_the_wait_publishes_it_or_forgets_it() -> None:
    broker = Broker()
    wills = PendingWills(broker)
    published: list[int] = []
    for publishes in (True, False):
        wills.keep("s", "ann", 1000, published.append, 100, 10)
        wills.end("s", publishes, 50)
        wills.end("s", publishes, 60)
    broker.advance(200)
    assert published == [50]


def test_a_waiting_will_takes_memory_of_its_user_and_is_published_at_once_where_that_has_no_room() -> None:
    broker = Broker()
    broker.memory.user_limit_bytes = 1500
    wills = PendingWills(broker)
    published: list[int] = []
    wills.keep("s", "ann", 1000, published.append, 100, 10)
    wills.keep("another", "ann", 1000, published.append, 100, 20)
    wills.keep("of another user", "bob", 1000, published.append, 100, 30)
    assert (published, len(wills), broker.memory.used_bytes) == ([20], 2, 2000)
    broker.advance(100)
    assert (published, broker.memory.used_bytes) == ([20, 100, 100], 0)
