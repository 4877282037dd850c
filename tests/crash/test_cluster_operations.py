"""What operators of a cluster see and do: the commands, the metrics and the health of real brokers."""

import asyncio
import json
import sys
from typing import Any

import httpx
from broker_process import serving
from log_servers import free_ports
from served_gateway import served_gateway
from test_followers import WITHIN_S, cluster_state, leads, until_followed, until_role
from waiting import until_answer

from lastvalue.http.gateway_settings import GatewaySettings


async def command(*words: str) -> str:
    """What a command prints that does not fail."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lastvalue", *words), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode()


async def status(url: str) -> dict[str, Any]:
    """What `cluster status` tells."""
    told: dict[str, Any] = json.loads(await command("cluster", "status", "--url", url, "--output", "json"))
    return told


def gauges(metrics: str) -> dict[str, float]:
    """The lag by the metrics."""
    lines = [line.split() for line in metrics.splitlines() if line.startswith("lastvalue_follower_lag_")]
    return {name.removeprefix("lastvalue_follower_lag_"): float(value) for name, value in lines}


async def test_command_console_metrics_and_health_tell_who_leads_and_how_far_a_follower_is_behind(
    log_address: str,
) -> None:
    near_port, far_port = free_ports(2)
    async with serving(log_address, "--follow") as leader:
        await until_role(leader.url, "leader")
        near = serving(log_address, "--follow", "--health-port", str(near_port))
        # Who was asked last is some ms ago.
        far = serving(log_address, "--follow", "--health-port", str(far_port), "--max-lag-ms", "1")
        async with near as follower, far as late:
            for each in (follower, late):
                await until_role(each.url, "follower")

            async def both_are_known() -> bool:
                return len((await cluster_state(leader.url))["followers"]) == 2

            await until_answer(both_are_known, limit_s=WITHIN_S)
            address = leader.url.removeprefix("amqp://")
            leading, following = await status(leader.url), await status(follower.url)
            assert (leading["role"], leading["leader"]) == ("leader", address)
            assert {each["address"] for each in leading["followers"]} == {
                each.url.removeprefix("amqp://") for each in (follower, late)
            }
            assert (following["role"], following["leader"]) == ("follower", address)
            assert {"lag_ms", "lag_records", "term"} <= following.keys()
            assert "follower" in await command("cluster", "status", "--url", follower.url)

            async with httpx.AsyncClient(timeout=120) as http:
                async with served_gateway(GatewaySettings(url=follower.url, port=0)) as gateway:
                    shown = (await http.get(f"{gateway.url}/cluster")).json()
                    assert (shown["role"], shown["leader"]) == ("follower", address)
                    lag = gauges((await http.get(f"{gateway.url}/metrics")).text)
                    assert lag.keys() == {"seconds", "records"}
                    assert 0 <= lag["seconds"] < WITHIN_S
                async with served_gateway(GatewaySettings(url=leader.url, port=0)) as gateway:
                    assert gauges((await http.get(f"{gateway.url}/metrics")).text) == {}

                async def answers(port: int, code: int, text: str) -> bool:
                    ready = await http.get(f"http://127.0.0.1:{port}/readyz")
                    return ready.status_code == code and text in ready.text

                await until_answer(lambda: answers(near_port, 200, "ok"), limit_s=WITHIN_S)
                await until_answer(lambda: answers(far_port, 503, "max_lag_ms is 1"), limit_s=WITHIN_S)


async def test_the_command_hands_over(log_address: str) -> None:
    async with serving(log_address, "--follow") as leader:
        await until_role(leader.url, "leader")
        async with serving(log_address, "--follow") as follower:
            await until_role(follower.url, "follower")
            await until_followed(leader.url)
            assert "hands over" in await command("cluster", "step-down", "--url", leader.url)
            assert (await leader.ended())[0] == 0
            await until_answer(lambda: leads(follower.url), limit_s=WITHIN_S)
            assert (await status(follower.url))["followers"] == []
