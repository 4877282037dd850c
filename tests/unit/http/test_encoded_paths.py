"""lastvalue.http.encoded_paths."""

from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from lastvalue.http.encoded_paths import EncodedPaths, segment


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (b"/queues/a", ["queues", "a"]),
        (b"/queues/a%2Fb/keys/c%2fd", ["queues", "a/b", "keys", "c/d"]),
        (b"/queues/a%252Fb", ["queues", "a%2Fb"]),
        (b"/queues/a%2F%C3%A4", ["queues", "a/ä"]),
    ],
)
async def test_an_encoded_slash_stays_in_its_segment(raw: bytes, names: list[str]) -> None:
    seen: list[str] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        seen.extend(scope["path"].split("/")[1:])

    async def never() -> dict[str, object]:
        return {}

    async def nowhere(message: object) -> None:
        del message

    path = "/queues/a" if b"%" not in raw else raw.decode().replace("%252F", "%2F")
    await EncodedPaths(application)({"type": "http", "raw_path": raw, "path": path}, never, nowhere)
    assert [segment(name) for name in seen] == names


@pytest.mark.parametrize(
    ("path", "query"), [(b"/queues/q/keys/%FF", b""), (b"/queues/a%2F%C3", b""), (b"/keys", b"key=%E4")]
)
async def test_what_is_not_utf8_is_refused(path: bytes, query: bytes) -> None:
    said: list[Any] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("it is not asked")

    async def never() -> dict[str, object]:
        return {}

    async def hear(message: object) -> None:
        said.append(message)

    scope = {"type": "http", "raw_path": path, "path": "/", "query_string": query, "headers": []}
    await EncodedPaths(application)(scope, never, hear)
    assert (said[0]["status"], b"not UTF-8" in said[1]["body"]) == (400, True)
