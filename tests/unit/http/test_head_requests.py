"""HEAD, as GET without the content."""

import httpx
import pytest

from lastvalue.client import Connection


@pytest.mark.parametrize(
    "path", ["/healthz", "/nothing", "/queues", "/console/", "/api/overview", "/metrics"]
)
async def test_head_is_answered_as_get_without_the_content(http: httpx.AsyncClient, path: str) -> None:
    answer, head = await http.get(path), await http.head(path)
    assert head.status_code == answer.status_code
    assert head.headers.get("content-type") == answer.headers.get("content-type")
    assert head.content == b""


async def test_head_of_what_does_not_end_is_answered(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    for _ in range(2):
        # On one connection: nothing of an answer comes behind it.
        head = await served.head("/queues/prices/follow")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"].startswith("text/event-stream")
    assert (await served.get("/healthz")).status_code == 200
