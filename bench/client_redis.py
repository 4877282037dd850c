"""redis-py under the loads of bench/clients.py; see `client_costs`."""

import redis

from client_costs import BODY, HOST, KEYS, Costs, another, run


async def many(port: int, count: int) -> float:
    """SET in pipelines of a hundred."""
    client = redis.Redis(HOST, port)

    def send(count: int) -> None:
        for first in range(0, count, 100):
            pipeline = client.pipeline(transaction=False)
            for number in range(first, first + 100):
                pipeline.set(f"k{number % KEYS}", BODY)
            pipeline.execute()

    send(count // 10)
    costs = Costs()
    send(count)
    return costs.per(count)


async def one(port: int, count: int) -> float:
    client = redis.Redis(HOST, port)
    for number in range(count // 10):
        client.set(f"k{number % KEYS}", BODY)
    costs = Costs()
    for number in range(count):
        client.set(f"k{number % KEYS}", BODY)
    return costs.per(count)


async def received(port: int, count: int) -> float:
    """Without acknowledgements; another process publishes."""
    subscription = redis.Redis(HOST, port).pubsub(ignore_subscribe_messages=True)
    subscription.subscribe("many")
    while not subscription.subscribed:
        subscription.get_message()
    warm = count // 10
    publisher = await another("feed", port, count + warm)
    got, costs = 0, Costs()
    while got < count + warm:
        message = subscription.get_message(timeout=60)
        if message is None:
            continue
        assert message["data"] == BODY
        got += 1
        if got == warm:
            costs = Costs()
    cost = costs.per(count)
    await publisher.wait()
    return cost


async def feed(port: int, count: int) -> float:
    client = redis.Redis(HOST, port)
    for _ in range(0, count, 100):
        pipeline = client.pipeline(transaction=False)
        for _ in range(100):
            pipeline.publish("many", BODY)
        pipeline.execute()
    return 0.0


if __name__ == "__main__":
    run(many=many, one=one, received=received, feed=feed)
