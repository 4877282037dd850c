"""lastvalue.http.stored_content: stored texts as headers, stored bodies as answers."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection, Message

EVIL: list[str] = ["text/html\r\nX-Evil: 1", "a\nb", "a\0b", "text/€"]


@pytest.mark.parametrize("content_type", EVIL)
async def test_a_content_type_that_cannot_be_a_header_is_refused_before_anything_is_stored(
    http: httpx.AsyncClient, connection: Connection, content_type: str
) -> None:
    queue = await connection.declare("q", lvq_key="k")
    message = {"body": "x", "content_type": content_type}
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("PUT", "/queues/q/keys/a", message),
        ("POST", "/queues/q/messages", message | {"properties": {"k": "a"}}),
        ("PATCH", "/queues/q/keys", {"put": [message | {"key": "a"}]}),
        (
            "POST",
            "/api/exchanges/%2F/amq.default/publish",
            {"routing_key": "q", "payload": "x", "properties": {"content_type": content_type}},
        ),
        (
            "POST",
            "/api/latest/virtualhost/default/default/publishMessage",
            {"message": {"address": "q", "content": "x", "mimeType": content_type}},
        ),
    ]
    for method, path, body in asked:
        answer = await http.request(method, path, json=body)
        assert (answer.status_code, "content type" in answer.text) == (400, True), (path, answer.text)
    assert (await queue.info()).published == 0


@pytest.mark.parametrize("content_type", ["text/html", "image/svg+xml", *EVIL[:3]])
async def test_a_stored_body_is_a_file_to_a_browser(
    http: httpx.AsyncClient, connection: Connection, content_type: str
) -> None:
    queue = await connection.declare("q", lvq_key="k")
    await queue.put("a", Message(b"<meta http-equiv=refresh>", content_type=content_type))
    for path in (
        "/queues/q/keys/a?raw=true",
        "/api/latest/queue/default/default/q/getMessageContent?messageId=1",
    ):
        answer = (await http.get(path)).raise_for_status()
        assert answer.content == b"<meta http-equiv=refresh>"
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
        assert answer.headers["content-security-policy"].startswith("sandbox")
        assert answer.headers["x-content-type-options"] == "nosniff"
        wanted = "application/octet-stream" if content_type in EVIL else content_type
        assert answer.headers["content-type"].partition(";")[0] == wanted


@pytest.mark.parametrize("key", ["a\r\nX-Evil: 1", "€", "a/b c"])
async def test_a_binding_with_any_routing_key_is_made_and_answered(
    http: httpx.AsyncClient, connection: Connection, key: str
) -> None:
    await connection.declare("q")
    answer = await http.post("/api/bindings/%2F/e/amq.topic/q/q", json={"routing_key": key})
    assert answer.status_code == 201
    assert "x-evil" not in answer.headers
    shown = await http.get(f"/api/bindings/%2F/e/amq.topic/q/q/{answer.headers['location']}")
    assert shown.json()["routing_key"] == key
