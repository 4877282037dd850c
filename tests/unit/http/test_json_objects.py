"""lastvalue.http.json_objects."""

import pytest
from starlette.requests import Request

from lastvalue.http.json_objects import json_object
from lastvalue.http.problems import Problem


def request(*parts: bytes) -> Request:
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    waiting = iter(messages)

    async def receive() -> dict[str, object]:
        return next(waiting)

    return Request({"type": "http", "method": "PUT", "headers": []}, receive)


async def test_a_body_is_read_wholly() -> None:
    assert await json_object(request(b'{"a"', b": 1}")) == {"a": 1}
    assert await json_object(request()) == {}


@pytest.mark.parametrize("body", [b"{", b"[]", b"1", b"\xff", b"[" * 100_000])
async def test_what_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(Problem) as refused:
        await json_object(request(body))
    assert refused.value.status_code == 422
