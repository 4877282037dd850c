"""lastvalue.server.gateway_figures."""

from lastvalue.client import Message, connect
from lastvalue.http import recent_figures
from lastvalue.server import gateway_figures as module
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.gateway_figures import gateway_figures


def test_a_broker_tells_what_its_gateway_keeps() -> None:
    assert (module.SUMS, module.OF_BROKER) == (recent_figures.SUMS, recent_figures.OF_BROKER)
    assert module.TOLD_EVERY_S == recent_figures.KEPT_EVERY_S


async def test_the_figures_are_of_all_queues_and_of_the_broker() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
            prices = await connection.declare("prices", lvq_key="symbol")
            await prices.send_many([Message(number, {"symbol": "A"}) for number in range(3)])
            await (await connection.declare("orders")).send(Message("x"))
        figures = await gateway_figures(server.broker)
    assert (figures["published"], figures["conflated"], figures["acquired"]) == (4, 2, 0)
    assert figures["held_bytes"] > 0
    assert figures["time_ms"] > 1_700_000_000_000
