"""lastvalue.client.watcher_blocking, against a broker in a thread."""

from lastvalue.client import Message, blocking
from lastvalue.client.watcher_blocking import CHUNK
from lastvalue.testing import BrokerThread


def test_a_watcher_is_a_mapping_whose_changes_are_told(lastvalue_broker: BrokerThread) -> None:
    with blocking.connect(lastvalue_broker.url) as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        prices.send(Message(1, {"symbol": "A"}))
        with connection.watch("prices", selector="symbol <> 'B'") as watcher:
            watcher.complete()
            assert {key: value.body for key, value in watcher.items()} == {"A": 1}
            assert watcher.stale_for_s is None
            changes = watcher.changes()
            assert next(changes).key == "A"
            prices.send(Message(2, {"symbol": "B"}))
            prices.delete("A")
            last = next(changes)
            assert (last.key, last.reason, len(watcher)) == ("A", "key_deleted", 0)


def test_changes_that_come_together_are_each_told_once(lastvalue_broker: BrokerThread) -> None:
    with blocking.connect(lastvalue_broker.url) as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        count = 2 * CHUNK + 50
        prices.send_many(Message(number, {"symbol": number}) for number in range(count))
        with connection.watch("prices") as watcher:
            watcher.complete()
            changes = watcher.changes()
            assert [next(changes).key for _ in range(count)] == list(range(count))
