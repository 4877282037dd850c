"""lastvalue.http.alert_routes."""

from pathlib import Path

import httpx

from lastvalue.client import connect
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users


async def test_alerts_are_shown_to_those_who_may_see_the_queue(tmp_path: Path) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *",))
    users.put("bob", "b", ("browse prices",))
    options = ServerOptions(port=0, users_file=users.path, anonymous=False)
    async with BrokerServer(options) as server:
        async with connect(f"amqp://ann:a@127.0.0.1:{server.port}") as connection:
            await connection.declare("prices")
            await connection.declare("secret")
        gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}"))
        told = [
            {"queue": each, "what": "messages", "value": 2, "most": 1} for each in ("prices", "secret", "x")
        ]
        gateway.state.access.alerts.take(told)
        transport = httpx.ASGITransport(gateway)
        async with (
            gateway.router.lifespan_context(gateway),
            httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
        ):
            of_ann = (await client.get("/alerts", auth=("ann", "a"))).json()["alerts"]
            of_bob = (await client.get("/alerts", auth=("bob", "b"))).json()["alerts"]
            assert [each["queue"] for each in of_ann] == ["prices", "secret"]
            assert [each["queue"] for each in of_bob] == ["prices"]
            assert (await client.get("/alerts", auth=("eve", "x"))).status_code == 401
