"""RabbitMQ's health checks."""

import httpx
import pytest


@pytest.mark.parametrize(
    "path",
    [
        "aliveness-test/%2F",
        "healthchecks/node",
        "healthchecks/node/x",
        "health/checks/alarms",
        "health/checks/local-alarms",
        "health/checks/virtual-hosts",
        "health/checks/certificate-expiration/2/weeks",
    ],
)
async def test_checks_of_health(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(f"/api/{path}")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("port-listener/5672", 405, "connect to '5672'"),
        ("protocol-listener/amqp091", 405, "connect to"),
        ("everything", 422, "alarms"),
        ("certificate-expiration/2/fortnights", 422, "unit"),
        ("certificate-expiration/many/days", 422, "within"),
    ],
)
async def test_what_is_not_known_is_not_called_healthy(
    http: httpx.AsyncClient, path: str, status: int, told: str
) -> None:
    answer = await http.get(f"/api/health/checks/{path}")
    assert (answer.status_code, told in answer.json()["detail"]) == (status, True), answer.text
