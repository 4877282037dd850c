"""lastvalue.http.broker_j.object_tree."""

import pytest

from lastvalue.client import Connection
from lastvalue.http.broker_j.object_tree import CATEGORIES


@pytest.mark.parametrize("category", [each for each in CATEGORIES if each != "user"])
async def test_each_object_has_an_id_of_its_own_and_a_name(connection: Connection, category: str) -> None:
    await connection.declare("a")
    await connection.declare("b")
    for key in ("x", "y"):
        await connection.bind("amq.topic", "a", key)
    async with connection.queue("a").browse(follow=True), connection.queue("b").browse(follow=True):
        objects = await CATEGORIES[category][1](connection)
    assert objects
    assert all("name" in each for each in objects)
    assert len({each["id"] for each in objects}) == len(objects)
