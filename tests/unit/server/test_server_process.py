"""lastvalue.server.server_process."""

from pathlib import Path

from lastvalue.broker.broker_process import PROCESS
from lastvalue.client import connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.server_process import ServerProcess


async def test_a_server_tells_what_its_process_knows(tmp_path: Path) -> None:
    options = ServerOptions(port=0, store=tmp_path / "store", memory_limit=10_000_000)
    async with BrokerServer(options) as server, connect(f"amqp://127.0.0.1:{server.port}") as connection:
        told = await connection.broker_statistics()
    assert set(PROCESS) <= set(told)
    assert told["memory_limit_bytes"] == 10_000_000
    assert told["descriptors"] != 0
    assert told["store_free_bytes"] != 0


def test_without_a_store_nothing_is_said_of_one() -> None:
    told = ServerProcess(lambda: None, lambda: 0, lambda: 0).statistics()
    assert set(PROCESS) - set(told) == {
        "store_bytes",
        "store_free_bytes",
        "store_segments",
        "store_waiting_bytes",
    }
