"""lastvalue.frontends.mqtt.pending_wills."""

from lastvalue.broker.broker import Broker
from lastvalue.frontends.mqtt.pending_wills import PendingWills


def test_a_will_is_published_when_it_is_due() -> None:
    broker = Broker()
    wills = PendingWills(broker)
    published: list[int] = []
    wills.keep("s", published.append, 100)
    broker.advance(99)
    assert (published, len(wills)) == ([], 1)
    broker.advance(100)
    assert (published, len(wills)) == ([100], 0)


def test_the_end_of_the_wait_publishes_it_or_forgets_it() -> None:
    broker = Broker()
    wills = PendingWills(broker)
    published: list[int] = []
    for publishes in (True, False):
        wills.keep("s", published.append, 100)
        wills.end("s", publishes, 50)
        wills.end("s", publishes, 60)
    broker.advance(200)
    assert published == [50]
