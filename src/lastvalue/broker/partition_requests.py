"""Requests about the brokers that have a queue: a client asks once, and goes to the right one."""

from typing import Any, Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.broker.requests import Request, Response, unknown_operation
from lastvalue.broker.verbs import Verb

TYPE: Final = "partition"
READ: Final = "READ"


def ask_partition(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """READ of a queue's name returns `leaders`: the addresses of each broker that has it, or a part of it.

    The list is empty where the queue is not partitioned; `own` is the number of this broker, -1 for none.
    """
    del now
    if request.operation != READ:
        return unknown_operation(request, READ)
    if not request.name:
        return Response(400, "READ needs the property `name`", None, "amqp:invalid-field")
    broker.authorize(owner, Verb.QUERY, request.name)
    partitions = broker.authorization.partitions
    partition = None if partitions is None else partitions.of(request.name)
    state: dict[str, Any] = {"leaders": [], "own": -1}
    if partition is not None:
        state = {"leaders": list(partition.leaders), "own": int(partition.own)}
    return Response(200, "OK", state)
