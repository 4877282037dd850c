"""lastvalue.server.server_process."""

from contextlib import suppress
from pathlib import Path

from waiting import until

from lastvalue.broker.administration.broker_process import PROCESS
from lastvalue.client import connect
from lastvalue.client.errors import AuthenticationError
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.server_process import ServerProcess
from lastvalue.server.users import Users

_OF_SOME = (
    *("gateway_serves", "gateway_restarts", "config_hash"),
    *("role", "term", "lease_ms", "followers", "missing_brokers", "log_servers", "log_servers_current"),
    *("leader", "lag_ms", "lag_records"),
)


async def test_a_server_tells_what_its_process_knows(tmp_path: Path) -> None:
    options = ServerOptions(port=0, store=tmp_path / "store", memory_limit=10_000_000)
    async with BrokerServer(options) as server, connect(f"amqp://127.0.0.1:{server.port}") as connection:
        told = await connection.broker_statistics()
    assert set(PROCESS) - set(told) == {
        "certificate_expires_ms",
        "snapshot_ms",
        "config_reload_ok",
        *_OF_SOME,
    }
    assert (told["listeners"], told["store_write_failures"]) == ({"amqp": server.port}, 0)
    assert told["memory_limit_bytes"] == 10_000_000
    assert told["descriptors"] != 0
    assert isinstance(told["resident_bytes"], int)
    assert told["resident_bytes"] > 1 << 20
    assert told["cpu_ms"] != 0
    assert told["store_free_bytes"] != 0


def test_without_a_store_nothing_is_said_of_one() -> None:
    told = ServerProcess(lambda: None, lambda: 0, lambda: 0).statistics()
    assert set(PROCESS) - set(told) == {
        "login_failures",
        "login_failures_by",
        "config_reload_ok",
        "listeners",
        "store_write_failures",
        "store_salvaged_bytes",
        "certificate_expires_ms",
        "snapshot_ms",
        "store_bytes",
        "store_free_bytes",
        "store_segments",
        "store_waiting_bytes",
        "store_syncs",
        "store_sync_ms",
        "store_last_sync_ms",
        *_OF_SOME,
        "store_syncs_within",
        "store_live_bytes",
    }


async def test_failed_logins_are_counted(tmp_path: Path) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *", "all $*"))
    async with BrokerServer(ServerOptions(port=0, users_file=tmp_path / "users.toml")) as server:
        for password, failures in (("wrong", 1), ("a", 1)):
            with suppress(AuthenticationError):
                async with connect(f"amqp://ann:{password}@127.0.0.1:{server.port}"):
                    pass
            await until(lambda: server.connections == 0)
            async with connect(f"amqp://ann:a@127.0.0.1:{server.port}") as connection:
                assert (await connection.broker_statistics())["login_failures"] == failures
                by = (await connection.broker_statistics())["login_failures_by"]
                assert isinstance(by, dict)
                assert by["SCRAM-SHA-512"] == failures
