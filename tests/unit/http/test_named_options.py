"""lastvalue.http.named_options."""

import httpx
import pytest

from lastvalue.http.named_options import named_options


def test_options_are_passed_on() -> None:
    assert named_options({"max_messages": 5}) == {"max_messages": 5}


@pytest.mark.parametrize("option", ["name", "timeout_s"])
@pytest.mark.parametrize(
    ("method", "path", "around", "status"),
    [
        ("PUT", "/queues/x", None, 422),
        ("PATCH", "/queues/x", None, 422),
        ("PUT", "/exchanges/x", None, 422),
        ("PUT", "/api/queues/%2F/x", "arguments", 400),
        ("PUT", "/api/exchanges/%2F/x", "arguments", 400),
    ],
)
async def test_an_argument_of_the_clients_calls_is_no_option(
    http: httpx.AsyncClient, method: str, path: str, around: str | None, status: int, option: str
) -> None:
    options = {option: "y"}
    answer = await http.request(method, path, json=options if around is None else {around: options})
    assert (answer.status_code, answer.json()["detail"]) == (status, f"there is no option {option!r}")


async def test_an_object_of_broker_j_has_no_argument_of_the_clients_calls(http: httpx.AsyncClient) -> None:
    answer = await http.put("/api/latest/queue/n/h/x", json={"timeout_s": "y"})
    assert (answer.status_code, answer.json()["detail"]) == (422, "there is no option 'timeout_s'")
