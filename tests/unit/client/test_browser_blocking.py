"""lastvalue.client.browser_blocking, against a broker in a process of its own."""

import pytest
from served_broker import ServedBroker

from lastvalue.client import Message, Wanted, WatchOptions, blocking


@pytest.mark.interop
def test_a_browser_changes_its_pace_and_asks_for_full_values() -> None:
    asked = Wanted(watch=WatchOptions(rate=0.01, unchanged="body"))
    with ServedBroker("--port", "0") as broker, blocking.connect(broker.url) as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        with prices.browse(follow=True, wanted=asked) as browser:
            prices.send(Message(1, {"symbol": "A"}))
            assert next(browser).sequence == 1
            browser.change_pace()
            browser.ask_full_values()
            prices.info()
            prices.send(Message(1, {"symbol": "A"}))
            assert next(browser).sequence == 2
