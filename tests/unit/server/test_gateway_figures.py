"""lastvalue.server.gateway_figures."""

from lastvalue.client import Message, connect
from lastvalue.model.gateway_figures import GATEWAY_FIGURES
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.gateway_figures import gateway_figures


async def test_the_figures_are_of_all_queues_and_of_the_broker() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
            prices = await connection.declare("prices", lvq_key="symbol")
            await prices.send_many([Message(number, {"symbol": "A"}) for number in range(3)])
            await (await connection.declare("orders")).send(Message("x"))
        figures = await gateway_figures(server.broker)
    assert figures.keys() == {"time_ms", "alerts", *GATEWAY_FIGURES}
    assert (figures["published"], figures["conflated"], figures["acquired"]) == (4, 2, 0)
    assert figures["held_bytes"] > 0
    assert figures["time_ms"] > 1_700_000_000_000
