"""Nodes that a management other than the protocols' own commands declares: QMF, Artemis's, REST."""

from typing import Final

from node_steps import (
    Clients,
    Declare,
    Row,
    Send,
    core_managed,
    core_sent,
    every,
    qmf_created,
    rejected_by_proton,
    requested,
    sent,
    sent010,
)

QMF: Final = [
    Row(
        "QMF", "exchange with a binding and an alternate",
        every(
            qmf_created("queue", "qmf unrouted", durable=True),
            qmf_created("exchange", "qmf alt", durable=True, **{"exchange-type": "fanout"}),
            qmf_created("binding", "qmf alt/qmf unrouted/"),
            qmf_created(
                "exchange", "qmf x", durable=True,
                **{"exchange-type": "direct", "alternate-exchange": "qmf alt"},
            ),
        ),
        sent010("qmf x", "nobody"), "qmf unrouted",
    ),
    Row(
        "QMF", "topic with a last-value queue",
        every(
            qmf_created("topic", "qmf.topic", durable=True),
            qmf_created("queue", "qmf values", durable=True, **{"qpid.last_value_queue_key": "k"}),
            qmf_created("binding", "qmf.topic/qmf values/a.#"),
        ),
        lambda it, text: sent("qmf.topic", "a.b", properties={"k": text})(it, text), "qmf values",
    ),
]  # fmt: skip

ARTEMIS: Final = [
    Row(
        "Artemis's management", "address and queues of both routing types",
        every(
            core_managed("createAddress", "art.both", "ANYCAST,MULTICAST"),
            core_managed(
                "createQueue", "art.both", "ANYCAST", "art.any", None, True, -1, False, True
            ),
            core_managed(
                "createQueue", "art.both", "MULTICAST", "art.copy", None, True, -1, False, True
            ),
        ),
        core_sent("art.both"), "art.copy",
    ),
    Row(
        "Artemis's management", "address whose routing types were changed",
        every(
            core_managed("createAddress", "art.changed", "ANYCAST"),
            core_managed("updateAddress", "art.changed", "ANYCAST,MULTICAST"),
            core_managed(
                "createQueue", "art.changed", "MULTICAST", "art.changedq", "color = 'red'", True, -1, False,
                True,
            ),
        ),
        core_sent("art.changed", color="red"), "art.changedq",
    ),
]  # fmt: skip


def published_by_rabbitmq(exchange: str, key: str = "") -> Send:
    """By the HTTP API of RabbitMQ, as persistent."""
    message = {"routing_key": key, "properties": {"delivery_mode": 2}}
    path = f"/api/exchanges/%2F/{exchange}/publish"
    return lambda it, text: requested("POST", path, payload=text, **message)(it)


RABBITMQ: Final = [
    Row(
        "RabbitMQ's HTTP API", "exchange bound to an exchange",
        every(
            requested("PUT", "/api/exchanges/%2F/rmq.from", type="topic", durable=True),
            requested("PUT", "/api/exchanges/%2F/rmq.to", type="fanout", durable=True),
            requested("PUT", "/api/queues/%2F/rmq.ends", durable=True),
            requested("POST", "/api/bindings/%2F/e/rmq.from/e/rmq.to", routing_key="a.#"),
            requested("POST", "/api/bindings/%2F/e/rmq.to/q/rmq.ends"),
        ),
        published_by_rabbitmq("rmq.from", "a.b"), "rmq.ends",
    ),
    Row(
        "RabbitMQ's HTTP API", "definitions with an alternate exchange",
        requested(
            "POST", "/api/definitions",
            exchanges=[
                {"vhost": "/", "name": "rmq.alt", "type": "fanout", "durable": True},
                {
                    "vhost": "/", "name": "rmq.main", "type": "direct", "durable": True,
                    "arguments": {"alternate-exchange": "rmq.alt"},
                },
            ],
            queues=[{"vhost": "/", "name": "rmq.unrouted", "durable": True}],
            bindings=[
                {
                    "vhost": "/", "source": "rmq.alt", "destination": "rmq.unrouted",
                    "destination_type": "queue", "routing_key": "",
                }
            ],
        ),
        published_by_rabbitmq("rmq.main", "nobody"), "rmq.unrouted",
    ),
]  # fmt: skip


def broker_j(category: str, name: str, **attributes: object) -> Declare:
    """An object of Broker-J's REST API, made or changed."""
    return requested("PUT", f"/api/latest/{category}/default/default/{name}", **attributes)


def published_by_broker_j(address: str, **headers: str) -> Send:
    """By Broker-J's REST API, as persistent."""
    path = "/api/latest/virtualhost/default/default/publishMessage"

    def send(it: Clients, text: str) -> None:
        message = {"address": address, "content": text, "persistent": True, "headers": headers}
        requested("POST", path, message=message)(it)

    return send


BROKER_J: Final = [
    Row(
        "Broker-J's REST API", "queue with an alternate binding",
        every(
            broker_j("queue", "bj.dead"),
            broker_j("queue", "bj.work", alternateBinding={"destination": "bj.dead", "attributes": {}}),
        ),
        rejected_by_proton("bj.work"), "bj.dead",
    ),
    Row(
        "Broker-J's REST API", "exchange with a binding",
        every(
            broker_j("exchange", "bj.x", type="fanout"),
            broker_j("queue", "bj.q", type="sorted", sortKey="k"),
            requested(
                "POST", "/api/latest/exchange/default/default/bj.x/bind",
                destination="bj.q"
            ),
        ),
        published_by_broker_j("bj.x", k="same"), "bj.q",
    ),
]  # fmt: skip

MANAGED: Final = [*QMF, *ARTEMIS, *RABBITMQ, *BROKER_J]
