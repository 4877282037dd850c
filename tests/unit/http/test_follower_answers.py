"""What a gateway answers whose broker follows another one."""

import httpx
import pytest

from lastvalue.client import Connection
from lastvalue.server.broker_server import BrokerServer

VALUE = "/queues/prices/keys/A"


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [("PUT", VALUE, {"body": 1}), ("DELETE", VALUE, None), ("PUT", "/queues/new", {})],
)
async def test_what_changes_something_is_refused_with_the_leaders_address(
    http: httpx.AsyncClient, connection: Connection, server: BrokerServer, verb: str, path: str, body: object
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    assert (await http.put(VALUE, json={"body": 7})).status_code == 200
    server.broker.authorization.leader = "one:5673"
    answer = await http.request(verb, path, json=body)
    assert answer.status_code == 421
    assert "ask one:5673, which leads" in answer.json()["detail"]
    assert (await http.get(VALUE)).json()["body"] == 7
