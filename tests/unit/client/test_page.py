"""lastvalue.client.page."""

import pytest

from lastvalue.client import Connection
from lastvalue.client.page import EVERY_NAME, Page


async def test_a_page_of_queues_and_of_exchanges(connection: Connection) -> None:
    for name in ("b", "a", "c"):
        await connection.declare(name)
        await connection.declare_exchange(f"x{name}")
    assert [queue.name for queue in await connection.queues(page=Page(after="a", count=1))] == ["b"]
    assert [each.name for each in await connection.exchanges(page=Page(contains="x", after="xa"))] == [
        "xb",
        "xc",
    ]


def test_every_name_asks_for_nothing() -> None:
    assert EVERY_NAME.body() == {}


def test_an_empty_page_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Page(count=0)
