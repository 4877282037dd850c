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
        ("protocol-listener/amqp091", 400, "connect by 'amqp091'"),
        ("port-listener/amqp", 400, "port"),
        ("everything", 400, "alarms"),
        ("certificate-expiration/2/fortnights", 400, "unit"),
        ("certificate-expiration/many/days", 400, "within"),
    ],
)
async def test_what_is_not_known_is_not_called_healthy(
    http: httpx.AsyncClient, path: str, status: int, told: str
) -> None:
    answer = await http.get(f"/api/health/checks/{path}")
    assert (answer.status_code, told in answer.json()["detail"]) == (status, True), answer.text


async def test_a_port_is_looked_up_among_those_of_the_broker(http: httpx.AsyncClient, url: str) -> None:
    port = url.rpartition(":")[2].rstrip("/")
    assert (await http.get(f"/api/health/checks/port-listener/{port}")).json() == {"status": "ok"}
    other = await http.get("/api/health/checks/port-listener/1")
    assert (other.status_code, port in other.json()["reason"]) == (503, True)
    overview = (await http.get("/api/overview")).json()
    assert [(each["protocol"], each["port"]) for each in overview["listeners"]] == [("amqp", int(port))]
