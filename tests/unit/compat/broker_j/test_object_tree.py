"""lastvalue.compat.broker_j.object_tree."""

from typing import Any

import pytest

from lastvalue.client import Connection, Message, connect
from lastvalue.compat.broker_j.object_tree import CATEGORIES, ports, queue_named
from lastvalue.compat.broker_j.queue_attributes import SORTED_BY
from lastvalue.server.broker_server import BrokerServer, ServerOptions


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


async def test_what_queues_are_sorted_by_is_what_is_shown(connection: Connection) -> None:
    """So a page that the broker sorts is in the order of the attribute."""
    queue = await connection.declare("q", lvq_key="k", max_messages=1, when_full="drop-oldest")
    await queue.send_many(Message("x" * number, {"k": number % 2}) for number in range(7))
    async with queue.receive() as receiver:
        await anext(receiver)
        (shown,) = await queue_named(connection, "q")
        read: Any = await connection.manage("READ", "q")
    told = {**read, "type": read["options"]["type"]}
    flat = {**shown, **shown["statistics"]}
    assert {name: flat[name] for name in SORTED_BY} == {name: told[its] for name, its in SORTED_BY.items()}
    assert len({*map(str, flat.values())}) > len(SORTED_BY) // 2


async def test_each_kind_of_port_has_its_transport() -> None:
    options = ServerOptions(port=0, core_port=0, ws_port=0)
    async with BrokerServer(options) as server, connect(f"amqp://127.0.0.1:{server.port}") as connection:
        shown = await ports(connection)
    transports = {"amqp": ["TCP"], "tcp": ["TCP"], "ws": ["WS"]}
    assert {each["name"]: each["transports"] for each in shown} == transports
