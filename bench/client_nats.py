"""nats-py under the loads of bench/clients.py; see `client_costs`."""

import nats

from client_costs import BODY, HOST, IN_FLIGHT, KEYS, Costs, another, run


async def many(port: int, count: int) -> float:
    connection = await nats.connect(f"nats://{HOST}:{port}")
    for number in range(count // 10):
        await connection.publish(f"k.{number % KEYS}", BODY)
    await connection.flush(60)
    costs = Costs()
    for number in range(count):
        await connection.publish(f"k.{number % KEYS}", BODY)
    await connection.flush(60)
    cost = costs.per(count)
    await connection.close()
    return cost


async def one(port: int, count: int) -> float:
    connection = await nats.connect(f"nats://{HOST}:{port}")
    stream = connection.jetstream()
    await stream.add_stream(name="one", subjects=["one.>"], storage="memory", max_msgs_per_subject=1)
    for number in range(count // 10):
        await stream.publish(f"one.{number % KEYS}", BODY)
    costs = Costs()
    for number in range(count):
        await stream.publish(f"one.{number % KEYS}", BODY)
    cost = costs.per(count)
    await stream.delete_stream("one")
    await connection.close()
    return cost


async def received(port: int, count: int) -> float:
    """Without acknowledgements; another process publishes."""
    connection = await nats.connect(f"nats://{HOST}:{port}", pending_size=1 << 30)
    subscription = await connection.subscribe("many.>", pending_msgs_limit=-1, pending_bytes_limit=-1)
    await connection.flush(60)
    warm = count // 10
    publisher = await another("feed", port, count + warm)
    for _ in range(warm):
        await subscription.next_msg(timeout=60)
    got, costs = 0, Costs()
    async for message in subscription.messages:
        assert message.data == BODY
        got += 1
        if got == count:
            break
    cost = costs.per(count)
    await publisher.wait()
    await connection.close()
    return cost


async def feed(port: int, count: int) -> float:
    """Publish in pieces, so that the server need not drop a slow subscriber."""
    connection = await nats.connect(f"nats://{HOST}:{port}")
    for number in range(count):
        await connection.publish(f"many.{number % KEYS}", BODY)
        if number % IN_FLIGHT == 0:
            await connection.flush(60)
    await connection.flush(60)
    await connection.close()
    return 0.0


if __name__ == "__main__":
    run(many=many, one=one, received=received, feed=feed)
