"""Requests about the brokers that have a queue: a client asks once, and goes to the right one."""

from typing import Any, Final

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.broker.broker import Broker
from lastvalue.broker.partitions import Partition
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb

TYPE: Final = "partition"
READ: Final = "READ"
QUERY: Final = "QUERY"


def ask_partition(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """READ tells who has a queue, QUERY which brokers there are; both answer `leaders` and `own`.

    READ of a queue's name returns `leaders`: the addresses of each broker that has it, or a part of it. The
    list is empty where the queue is not partitioned; `own` is the number of this broker, -1 for none.

    QUERY returns the same of all brokers of the partitions that could have a queue which the caller may see.
    """
    del now
    if request.operation == QUERY:
        return Response(200, "OK", _brokers(broker.authorization.visible_partitions(owner)))
    if request.operation != READ:
        return unknown_operation(request, f"{READ} or {QUERY}")
    if not request.name:
        return Response(400, "READ needs the property `name`", None, "amqp:invalid-field")
    broker.authorize(owner, Verb.QUERY, request.name)
    partitions = broker.authorization.partitions
    partition = None if partitions is None else partitions.of(request.name)
    state: dict[str, Any] = {"leaders": [], "own": -1}
    if partition is not None:
        state = {"leaders": list(partition.leaders), "own": int(partition.own)}
    return Response(200, "OK", state)


def _brokers(partitions: list[Partition]) -> dict[str, Any]:
    """Each broker once: leaders that share an address are one, whatever else they have as followers."""
    brokers: list[dict[str, None]] = []
    own: list[str] = []
    for partition in partitions:
        if partition.own >= 0:
            own += partition.leaders[partition.own].split(",")
        for leader in partition.leaders:
            addresses = dict.fromkeys(leader.split(","))
            found = next((each for each in brokers if each.keys() & addresses.keys()), None)
            if found is None:
                brokers.append(addresses)
            else:
                found.update(addresses)
    number = next((at for at, each in enumerate(brokers) if each.keys() & set(own)), -1)
    return {"leaders": [",".join(each) for each in brokers], "own": number}
