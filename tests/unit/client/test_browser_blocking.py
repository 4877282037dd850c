"""lastvalue.client.browser_blocking, against a broker in a thread."""

from lastvalue.client import Message, Wanted, WatchOptions, blocking
from lastvalue.testing import BrokerThread


def test_a_browser_changes_its_pace_and_asks_for_full_values(lastvalue_broker: BrokerThread) -> None:
    asked = Wanted(watch=WatchOptions(rate=0.01, unchanged="body"))
    with blocking.connect(lastvalue_broker.url) as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        with prices.browse(follow=True, wanted=asked) as browser:
            prices.send(Message(1, {"symbol": "A"}))
            assert next(browser).sequence == 1
            browser.change_pace()
            browser.ask_full_values()
            prices.info()
            prices.send(Message(1, {"symbol": "A"}))
            assert next(browser).sequence == 2
