"""The whole OpenAPI document, with requests that are made from it."""

import asyncio
import threading
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from example_counts import example_count
from hypothesis import HealthCheck, Phase, given, settings

from lastvalue.gateway.gateway import make_gateway
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.conditions import CONDITION_BY_SYMBOL
from lastvalue.server.broker_server import BrokerServer, ServerOptions

if TYPE_CHECKING:
    import schemathesis
    from schemathesis.checks import CheckContext, CheckFunction

EXAMPLES = max(1, example_count(100) // 20)
ENDLESS = "/queues/{queue}/follow"

DOCUMENT: dict[str, Any] = make_gateway(GatewaySettings(url="amqp://127.0.0.1")).openapi()
OPERATIONS = [
    (method, path)
    for path, operations in DOCUMENT["paths"].items()
    if path != ENDLESS
    for method in operations
]


@pytest.fixture(scope="module")
def gateway_url() -> Iterator[str]:
    """A gateway before a broker that has a queue."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = BrokerServer(ServerOptions(port=0))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    gateway = GatewayServer(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}", port=0))
    serving = asyncio.run_coroutine_threadsafe(gateway.serve(), loop)
    yield gateway.url
    gateway.stop()
    serving.result(60)
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.fixture(scope="module")
def caller(gateway_url: str) -> Iterator[httpx.Client]:
    """One for all requests: each new one reads the system's certificates, which takes 30 ms."""
    with httpx.Client(base_url=gateway_url, timeout=120) as client:
        yield client


@cache
def schema() -> Any:
    """The document as schemathesis reads it."""
    from schemathesis import openapi  # noqa: PLC0415 - every worker that collects tests would import it for a second

    return openapi.from_dict(DOCUMENT)


def refusals_name_a_field(
    ctx: "CheckContext", response: "schemathesis.Response", case: "schemathesis.Case[Any]"
) -> None:
    """A 4xx is a problem document; where something that was sent is wrong, it says what.

    The gateway names the field; the text of a refusal of the broker does, which has a condition.
    """
    del ctx
    if not 400 <= response.status_code < 500:
        return
    told = response.json()
    assert response.headers["content-type"] == ["application/problem+json"]
    assert (told["status"], bool(told["detail"])) == (response.status_code, True)
    assert "Traceback" not in told["detail"]
    if response.status_code not in (400, 422) or of_state(told):
        return
    named = [each["field"] for each in told.get("errors", [])]
    assert all(named)
    by_text = "condition" in told and any(field in told["detail"] for field in fields_of(case))
    assert named or by_text, told["detail"]


def of_state(told: dict[str, Any]) -> bool:
    """Whether the broker refused because of what there is, for which RabbitMQ has no other status."""
    condition = CONDITION_BY_SYMBOL.get(told.get("condition", ""))
    return condition is not None and condition.http not in (400, 422)


def fields_of(case: "schemathesis.Case[Any]") -> list[str]:
    """What a request could have wrong: its parameters, the fields of its body, and the body itself."""
    sent = [*(case.path_parameters or {}), *(case.query or {}), "the body"]
    parameters = case.operation.definition.raw.get("parameters", [])
    body = case.body if isinstance(case.body, dict) else {}
    # The text shows what was sent as a literal of Python.
    return [*sent, *(each["name"] for each in parameters), *(repr(str(name))[1:-1] for name in body)]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_is_the_gateway_s_fault(
    gateway_url: str, caller: httpx.Client, method: str, path: str
) -> None:
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415 - see above

    @settings(
        max_examples=EXAMPLES,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(schema()[path][method].as_strategy())
    def send(case: Any) -> None:
        if "{queue}" in path:
            caller.put("/queues/prices", json={"lvq_key": "symbol"})
            case.path_parameters["queue"] = "prices"
        answer = case.call(base_url=gateway_url, timeout=120)
        checks: list[CheckFunction] = [refusals_name_a_field]
        if answer.status_code != 503 or "503" not in DOCUMENT["paths"][path][method]["responses"]:
            checks.append(not_a_server_error)
        case.validate_response(answer, checks=checks)

    send()
    assert caller.get("/readyz").status_code == 200
