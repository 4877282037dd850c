"""pika under the loads of bench/clients.py; see `client_costs`."""

from typing import Any

import pika

from client_costs import BODY, HOST, KEYS, PREFETCH, Costs, run


def _pika(port: int) -> Any:
    return pika.BlockingConnection(pika.ConnectionParameters(HOST, port))


async def many(port: int, count: int) -> float:
    """Without confirmations."""
    connection = _pika(port)
    channel = connection.channel()
    channel.queue_declare("many", arguments={"qpid.last_value_queue_key": "key"})

    def send(count: int) -> None:
        for number in range(count):
            properties = pika.BasicProperties(headers={"key": f"k{number % KEYS}"})
            channel.basic_publish("", "many", BODY, properties)

    send(count // 10)
    costs = Costs()
    send(count)
    cost = costs.per(count)
    connection.close()
    return cost


async def one(port: int, count: int) -> float:
    connection = _pika(port)
    channel = connection.channel()
    channel.queue_declare("fifo")
    channel.queue_purge("fifo")
    channel.confirm_delivery()
    costs = Costs()
    for number in range(count):
        properties = pika.BasicProperties(headers={"key": f"k{number % KEYS}"})
        channel.basic_publish("", "fifo", BODY, properties)
    cost = costs.per(count)
    connection.close()
    return cost


async def received(port: int, count: int) -> float:
    connection = _pika(port)
    channel = connection.channel()
    channel.queue_declare("fifo")
    channel.queue_purge("fifo")
    warm = count // 10
    for number in range(count + warm):
        properties = pika.BasicProperties(headers={"key": f"k{number % KEYS}"})
        channel.basic_publish("", "fifo", BODY, properties)
    channel.basic_qos(prefetch_count=PREFETCH)
    costs = Costs()
    for got, (method, _, body) in enumerate(channel.consume("fifo"), 1):
        assert body == BODY
        channel.basic_ack(method.delivery_tag)
        if got == warm:
            costs = Costs()
        if got == count + warm:
            break
    cost = costs.per(count)
    connection.close()
    return cost


if __name__ == "__main__":
    run(many=many, one=one, received=received)
