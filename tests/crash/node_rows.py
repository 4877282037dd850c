"""The kinds of nodes of each protocol, each declared and used by a client of that protocol."""

from typing import Any, Final

from delivery_rows import DELIVERIES
from managed_rows import MANAGED
from mqtt_rows import MQTT, MQTT_PASSING, enter_passing
from node_steps import (
    ANYCAST,
    CONTAINER,
    JMS,
    Clients,
    Row,
    Shared,
    address,
    bound,
    bound010,
    bound091,
    core_address,
    core_managed,
    core_once,
    core_prepared,
    core_queue,
    core_sent,
    done010,
    every,
    exchange,
    exchange010,
    exchange091,
    made_by_use,
    prepared010,
    queue,
    queue010,
    queue091,
    rejected010,
    rejected091,
    rejected_by_proton,
    sent,
    sent010,
    sent091,
    sent_by_proton,
    subscribed,
    subscribed_by_jms,
)
from transaction_rows import OPEN
from unused_rows import LEASED, TIMED, subscribe_timed

from lastvalue.codec.core import packets

AMQP10: Final = [
    Row("AMQP 1.0", "queue", queue("10 queue"), sent("10 queue"), "10 queue"),
    Row(
        "AMQP 1.0", "topic exchange",
        every(exchange("10 x", type="topic"), queue("10 xq"), bound("10 x", "10 xq", "a.#")),
        sent("10 x", "a.b"), "10 xq",
    ),
    Row(
        "AMQP 1.0", "exchange bound to an exchange",
        every(
            exchange("10 from", type="fanout"), exchange("10 to", type="fanout"), queue("10 ends"),
            bound("10 from", "10 to"), bound("10 to", "10 ends"),
        ),
        sent("10 from"), "10 ends",
    ),
    Row(
        "AMQP 1.0", "binding with a selector",
        every(
            exchange("10 sx", type="fanout"), queue("10 sq"),
            bound("10 sx", "10 sq", "", **{"x-filter-jms-selector": "color = 'red'"}),
        ),
        sent("10 sx", properties={"color": "red"}), "10 sq",
    ),
    Row(
        "AMQP 1.0", "address by management",
        every(address("10 address"), queue("10 aq"), bound("10 address", "10 aq")),
        sent("10 address"), "10 aq",
    ),
    Row(
        "AMQP 1.0", "anycast address",
        every(
            address("10 any"), queue("10 anyq"), bound("10 any", "10 anyq", "", **{"routing-type": "anycast"})
        ),
        sent("10 any"), "10 anyq",
    ),
    Row(
        "AMQP 1.0", "address::queue created by use",
        made_by_use("ten::tenq?durable=true&routing-type=MULTICAST"), sent_by_proton("ten"), "tenq",
    ),
    Row(
        "AMQP 1.0", "durable subscription",
        every(address("ten.news"), subscribed("ten.news", "sub")), sent_by_proton("ten.news"),
        f"$subscription/anonymous/{CONTAINER}/sub",
    ),
    Row(
        "AMQP 1.0", "durable subscription to a topic exchange",
        every(exchange("ten.topic", type="topic"), subscribed("ten.topic/a.*", "topical")),
        sent_by_proton("ten.topic/a.b"), f"$subscription/anonymous/{CONTAINER}/topical",
    ),
    Row(
        "AMQP 1.0", "shared durable subscription",
        every(address("ten.shared"), subscribed("ten.shared", "shared|1", "shared")),
        sent_by_proton("ten.shared"), "$subscription/anonymous//shared",
    ),
    Row(
        "AMQP 1.0", "global shared durable subscription",
        every(address("ten.global"), subscribed("ten.global", "all|global1", "shared", "global")),
        sent_by_proton("ten.global"), "$subscription/anonymous//all",
    ),
    Row(
        "AMQP 1.0", "shared durable subscription of Qpid JMS",
        every(address("jms.shared"), subscribed_by_jms("jms.shared", "shared|1", "shared")),
        sent_by_proton("jms.shared"), f"$subscription/anonymous/{JMS}/shared",
    ),
    Row(
        "AMQP 1.0", "global shared durable subscription of Qpid JMS",
        every(
            address("jms.global"), subscribed_by_jms("jms.global", "jms-all|global1", "shared", "global")
        ),
        sent_by_proton("jms.global"), "$subscription/anonymous//jms-all",
    ),
    Row(
        "AMQP 1.0", "durable subscription to an address that a pattern matches",
        every(address("ten.wild.#"), subscribed("ten.wild.a", "wild")), sent_by_proton("ten.wild.a"),
        f"$subscription/anonymous/{CONTAINER}/wild",
    ),
    Row(
        "AMQP 1.0", "alternate of an exchange",
        every(queue("10 unrouted"), exchange("10 alt", type="direct", alternate="10 unrouted")),
        sent("10 alt", "nobody"), "10 unrouted",
    ),
    Row(
        "AMQP 1.0", "alternates in a circle",
        every(
            queue("10 one"), queue("10 two"),
            lambda it: it.own.queue("10 one").update(alternate="10 two"),
            lambda it: it.own.queue("10 two").update(alternate="10 one"),
        ),
        sent("10 one"), "10 one",
    ),
    Row(
        "AMQP 1.0", "expiry address",
        every(queue("10 expired"), queue("10 short", expiry_alternate="10 expired")),
        sent("10 short", ttl_ms=1), "10 expired",
    ),
    Row(
        "AMQP 1.0", "alternate of a queue",
        every(queue("10 dead"), queue("10 work", alternate="10 dead")),
        rejected_by_proton("10 work"), "10 dead",
    ),
    Row(
        "AMQP 1.0", "full queue with an alternate",
        every(
            queue("10 over"),
            queue("10 full", max_messages=1, when_full="drop-oldest", alternate="10 over"),
        ),
        lambda it, text: [
            sent("10 full")(it, text), sent("10 full")(it, "newer"), it.own.purge("10 full")
        ],
        "10 over",
    ),
    Row(
        "AMQP 1.0", "last-value queue with tombstones and history",
        queue("10 values", lvq_key="k", tombstone_ms=60_000, history="10 history"),
        lambda it, text: sent("10 values", properties={"k": text})(it, text), "10 values",
    ),
    Row(
        "AMQP 1.0", "sorted queue", queue("10 sorted", sort_key="k"),
        sent("10 sorted", properties={"k": "same"}), "10 sorted",
    ),
    Row(
        "AMQP 1.0", "queue with groups",
        queue("10 groups", priorities=5, group_mode="default", group_key="g"),
        sent("10 groups", properties={"g": "one"}), "10 groups",
    ),
]  # fmt: skip


AMQP091: Final = [
    Row("AMQP 0-9-1", "queue", queue091("091 queue"), sent091("", "091 queue"), "091 queue"),
    Row(
        "AMQP 0-9-1", "topic exchange",
        every(exchange091("091 x", "topic"), queue091("091 xq"), bound091("091 x", "091 xq", "a.*")),
        sent091("091 x", "a.b"), "091 xq",
    ),
    Row(
        "AMQP 0-9-1", "exchange bound to an exchange",
        every(
            exchange091("091 from", "fanout"), exchange091("091 to", "fanout"), queue091("091 ends"),
            lambda it: it.pika.exchange_bind("091 to", "091 from"), bound091("091 to", "091 ends"),
        ),
        sent091("091 from"), "091 ends",
    ),
    Row(
        "AMQP 0-9-1", "headers exchange",
        every(
            exchange091("091 hx", "headers"), queue091("091 hq"),
            lambda it: it.pika.queue_bind("091 hq", "091 hx", "", {"x-match": "all"}),
        ),
        sent091("091 hx"), "091 hq",
    ),
    Row(
        "AMQP 0-9-1", "alternate exchange",
        every(
            exchange091("091 alt", "fanout"), queue091("091 unrouted"), bound091("091 alt", "091 unrouted"),
            exchange091("091 main", "direct", alternate_exchange="091 alt"),
        ),
        sent091("091 main", "nobody"), "091 unrouted",
    ),
    Row(
        "AMQP 0-9-1", "dead letters",
        every(
            exchange091("091 dlx", "fanout"), queue091("091 dead"), bound091("091 dlx", "091 dead"),
            queue091("091 work", x_dead_letter_exchange="091 dlx"),
        ),
        rejected091("091 work"), "091 dead",
    ),
]  # fmt: skip


AMQP010: Final = [
    Row("AMQP 0-10", "queue", queue010("010 queue"), sent010("", "010 queue"), "010 queue"),
    Row(
        "AMQP 0-10", "topic exchange",
        every(exchange010("010 x", "topic"), queue010("010 xq"), bound010("010 x", "010 xq", "a.#")),
        sent010("010 x", "a.b"), "010 xq",
    ),
    Row(
        "AMQP 0-10", "predeclared exchange",
        every(queue010("010 pq"), bound010("amq.topic", "010 pq", "only.here")),
        sent010("amq.topic", "only.here"), "010 pq",
    ),
    Row(
        "AMQP 0-10", "alternate exchange",
        every(
            exchange010("010 alt", "fanout"), queue010("010 unrouted"), bound010("010 alt", "010 unrouted"),
            exchange010("010 main", "direct", alternate_exchange="010 alt"),
        ),
        sent010("010 main", "nobody"), "010 unrouted",
    ),
    Row(
        "AMQP 0-10", "ring queue",
        queue010("010 ring", arguments={"qpid.policy_type": "ring", "qpid.max_count": 5}),
        sent010("", "010 ring"), "010 ring",
    ),
    Row(
        "AMQP 0-10", "dead letters",
        every(
            exchange010("010 dlx", "fanout"), queue010("010 dead"), bound010("010 dlx", "010 dead"),
            queue010("010 work", alternate_exchange="010 dlx"),
        ),
        rejected010("010 work"), "010 dead",
    ),
    Row("AMQP 0-10", "prepared branch", queue010("010 xa"), prepared010("010 xa"), "010 xa", held=True),
]  # fmt: skip

CORE: Final = [
    Row(
        "CORE", "queue", core_queue("core.queue", routing=ANYCAST), core_sent("core.queue"), "core.queue"
    ),
    Row(
        "CORE", "anycast address",
        core_queue("core.anyq", "core.any", ANYCAST), core_sent("core.any"), "core.anyq",
    ),
    Row(
        "CORE", "multicast address of a JMS subscription",
        every(core_address("core.topic"), core_queue("client.sub", "core.topic")),
        core_sent("core.topic"), "client.sub",
    ),
    Row(
        "CORE", "second queue of an address",
        every(core_queue("core.first", "core.many"), core_queue("core.second", "core.many")),
        core_sent("core.many"), "core.second",
    ),
    Row(
        "CORE", "address with both routing types",
        every(core_queue("core.both", routing=ANYCAST), core_queue("core.copy", "core.both")),
        core_sent("core.both"), "core.copy",
    ),
    Row(
        "CORE", "address with a pattern",
        core_queue("core.wildq", "core.wild.#"), core_sent("core.wild.a"), "core.wildq",
    ),
    Row(
        "CORE", "queue with a filter",
        core_queue("core.red", "core.colors", filter="color = 'red'"), core_sent("core.colors", color="red"),
        "core.red",
    ),
    Row(
        "CORE", "last-value queue of an address",
        core_queue("core.lvq", "core.values", last_value=True, last_value_key="k"),
        lambda it, text: core_sent("core.values", k=text)(it, text), "core.lvq",
    ),
    Row(
        "CORE", "address and queue by management",
        every(
            core_managed("createAddress", "core.managed", "MULTICAST"),
            core_managed("createQueue", "core.managed", "MULTICAST", "core.mq", None, True, -1, False, True),
        ),
        core_sent("core.managed"), "core.mq",
    ),
    Row(
        "CORE", "ids of duplicates",
        core_queue("core.once", "core.oncely"), core_once("core.oncely"), "core.once",
    ),
    Row(
        "CORE", "prepared branch",
        core_queue("core.xa", "core.branch"), core_prepared("core.branch"), "core.xa", held=True,
    ),
]  # fmt: skip

ROWS: Final = [*AMQP10, *AMQP091, *AMQP010, *CORE, *MANAGED, *DELIVERIES, *OPEN, *LEASED, *MQTT]


# ---------------------------------------------------------------------- what goes with its connection


def declare_passing(it: Clients) -> None:
    """Make nodes that no restart keeps, bound to nodes that it keeps and to ones of their own."""
    it.pika.queue_declare("091 passing")
    bound091("091 x", "091 passing", "#")(it)
    it.pika.queue_declare("091 mine", durable=True, exclusive=True)
    bound091("091 x", "091 mine", "#")(it)
    done010("queue.declare", queue="010 passing", exclusive=True, auto_delete=True)(it)
    bound010("010 x", "010 passing", "#")(it)
    done010("queue.declare", queue="010 mine", durable=True, exclusive=True, auto_delete=True)(it)
    bound010("010 x", "010 mine", "#")(it)
    core_queue("core.passing", "core.topic", durable=False)(it)
    temporary: dict[str, Any] = {
        "address": "core.temporary",
        "queue": "core.tq",
        "temporary": True,
        "max_consumers": -1,
    }
    it.core.ask(packets.CREATE_QUEUE_V2, **temporary)
    core_queue("core.loose", "core.looseness", durable=False)(it)
    it.proton.create_receiver("ten.news", credit=0, name="passing")
    it.jms.create_receiver("jms.shared", credit=0, name="passing|volatile1", options=Shared())
    it.jms.create_receiver("jms.shared", credit=0, name="passing|global-volatile1", options=Shared("global"))
    subscribe_timed(it)
    address("passing.#")(it)
    it.proton.create_receiver("passing.a", credit=0, name="alone")
    it.proton.create_receiver(None, dynamic=True, credit=0)
    enter_passing(it)


PASSING: Final = (
    "091 passing", "091 mine", "010 passing", "010 mine", "core.passing", "core.temporary", "core.tq",
    "core.loose", "core.looseness", "passing.a",
    # Shared subscriptions that are not durable, by their names.
    f"$subscription/anonymous/{JMS}/passing.volatile", "$subscription/anonymous//passing.volatile",
    TIMED,
    MQTT_PASSING,
)  # fmt: skip
