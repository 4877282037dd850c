"""Every verb of the broker on every protocol that has it: done with exactly its rights, or no trace.

Every verb with every set of rights of a table is in the long run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pytest
from core_peer import keyed
from pamqp.commands import Basic, Exchange, Queue
from rights_world import BROKER, NOW, OTHER, World

from lastvalue.broker.rights.permissions import ACTIONS, Permissions, Rule, parse_rule
from lastvalue.broker.rights.verbs import NEEDS, REACH, WITHOUT_LEADING, Need, Verb
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.core import packets
from lastvalue.codec.core.jms_names import USER
from lastvalue.codec.core.packets import HEADER_BYTES, PacketType
from lastvalue.frontends.amqp091.consumer_terms import BROWSE
from lastvalue.queues.subscription import Mode

RULES: Final[dict[str, tuple[str, ...]]] = {
    "no rule": (),
    "browse only": ("browse *",),
    "write only": ("write *",),
    "read only": ("read *",),
    "configure only": ("configure *",),
    "manage only": ("manage *",),
    "administer only": ("administer $*",),
    "own names": ("all ann.*",),
    "read the exchange, write the destination": ("read x", "write other,q"),
    "read and write": ("read,write *",),
    "configure and write": ("configure,write *",),
    "manage and write": ("manage,write *",),
    "all but the broker's own": ("all *",),
    "all": ("all *", "all $*"),
}

MANAGED: Final = "CORE's management"

Act: TypeAlias = Callable[[World], object]
Done: TypeAlias = Callable[[World], bool]


@dataclass(frozen=True)
class Trial:
    """A verb on a protocol: how it is asked for, how one sees that it was done, and the names it needs."""

    protocol: str
    verb: Verb
    act: Act
    done: Done
    names: tuple[str, ...] = ()


# ---------------------------------------------------------------------- asking


def request(operation: str, kind: str, name: str = "", **body: Any) -> Act:
    return lambda world: world.request(operation, kind, name, **body)


def path(method: str, path: str, **body: Any) -> Act:
    return lambda world: world.path(method, path, body)


def command(name: str, **fields: Any) -> Act:
    return lambda world: world.v010.do(name, **fields)


def qmf(method: str, target: str = BROKER, **arguments: Any) -> Act:
    return lambda world: world.call(target, method, arguments)


def say(method: Any) -> Act:
    return lambda world: world.v091.say(method)


def core(kind: PacketType, **values: Any) -> Act:
    return lambda world: world.core.say(kind, **{"wants_response": True, **values})


def management(resource: str, operation: str, *parameters: Any) -> Act:
    """An operation of Artemis's management."""
    return lambda world: world.manages(resource, {"_AMQ_OperationName": operation}, *parameters)


def attribute(resource: str, name: str) -> Act:
    """An attribute of Artemis's management."""
    return lambda world: world.manages(resource, {"_AMQ_Attribute": name})


def links(**source: Any) -> Act:
    return lambda world: world.v10.reads(**source)


# ---------------------------------------------------------------------- seeing


def depth(queue: str, messages: int) -> Done:
    return lambda world: world.depth(queue) == messages


def exchange(name: str, *, exists: bool) -> Done:
    return lambda world: (world.broker.exchanges.get(name) is not None) is exists


def bound(queue: str, times: int) -> Done:
    return lambda world: len(world.broker.exchanges.bindings_of(queue)) == times


def reads(mode: Mode) -> Done:
    return lambda world: world.reads(mode)


def _answered(world: World) -> bool:
    return bool(world.replies[-1].status < 300)


def _lists(name: str) -> Done:
    return lambda world: any(each["name"] == name for each in world.replies[-1].body)


def _shown_010(world: World) -> bool:
    return any(record is not None and record.text("queue") == "q" for record in world.v010.results.values())


def _shown_091(world: World) -> bool:
    return any(isinstance(each, Queue.DeclareOk) for _, each in world.v091.frames)


def _shown_core(world: World) -> bool:
    return b"\x01" in [data[HEADER_BYTES:][:1] for _, _, data in world.core.heard]


def _managed(world: World) -> bool:
    return world.succeeded[-1]


def _completed(world: World) -> bool:
    return not world.broker_state.branches.in_doubt(OTHER)


def _shows_late(world: World) -> bool:
    return bool(world.broker.lookup("late").queue.available == 1)


def _has_priority(world: World) -> bool:
    return [each.message.priority for each in world.broker.lookup("q").queue.entries()] == [9, 9]


MADE, GONE, EMPTY, MOVED, SENT = (
    depth("new", 0),
    depth("spare", -1),
    depth("q", 0),
    depth("other", 2),
    depth("other", 1),
)
Z, NO_Y = exchange("z", exists=True), exchange("y", exists=False)
BOUND, UNBOUND = bound("other", 1), bound("q", 0)

MAY_BOB = request("MAY", "permission", user="bob")
ROUTE_X = request("ROUTE", "exchange", "x", message=encode_content(MessageContent(body="1")))
REDIRECT = ("q", "q", "q", "other", "other", "other")


def _redirected(name: str) -> Done:
    return lambda world: world.broker.has_queue(name) and world.broker.lookup(name).redirect is not None


TRIALS: Final = [
    Trial("1.0", Verb.PUBLISH, World.publishes_10, SENT, ("other",)),
    Trial("1.0 without target", Verb.PUBLISH, World.publishes_10_without_target, SENT, ("other",)),
    Trial("1.0", Verb.IMPERSONATE, World.impersonates_10, SENT, ("other",)),
    Trial("1.0", Verb.CONSUME, links(address="q"), reads(Mode.CONSUME), ("q",)),
    Trial("1.0", Verb.BROWSE, links(address="q", distribution_mode="copy"), reads(Mode.BROWSE), ("q",)),
    # ---- $management
    Trial(
        "$management",
        Verb.DECLARE_QUEUE,
        request("CREATE", "queue", "new", alternate="y"),
        MADE,
        ("new", "y"),
    ),
    Trial(
        "$management",
        Verb.UPDATE_QUEUE,
        request("UPDATE", "queue", "q", alternate="y"),
        lambda world: world.broker.lookup("q").queue.spec.alternate == "y",
        ("q", "y"),
    ),
    Trial(
        "$management",
        Verb.REDIRECT_QUEUE,
        request("UPDATE", "queue", "q", redirect="other"),
        _redirected("q"),
        REDIRECT,
    ),
    Trial("$management", Verb.DELETE_QUEUE, request("DELETE", "queue", "spare"), GONE, ("spare",)),
    Trial("$management", Verb.PURGE_QUEUE, request("PURGE", "queue", "q"), EMPTY, ("q",)),
    Trial(
        "$management", Verb.DECLARE_EXCHANGE, request("CREATE", "exchange", "z", alternate="y"), Z, ("z", "y")
    ),
    Trial("$management", Verb.DELETE_EXCHANGE, request("DELETE", "exchange", "y"), NO_Y, ("y",)),
    Trial(
        "$management", Verb.BIND, request("BIND", "exchange", "x", destination="other"), BOUND, ("x", "other")
    ),
    Trial(
        "$management",
        Verb.UNBIND,
        request("UNBIND", "exchange", "x", destination="q", key="bound"),
        UNBOUND,
        ("x", "q"),
    ),
    Trial(
        "$management",
        Verb.MOVE,
        request("moveMessages", "queue", "q", destination="other"),
        MOVED,
        ("q", "other"),
    ),
    Trial(
        "$management",
        Verb.COPY,
        request("copyMessages", "queue", "q", destination="other"),
        MOVED,
        ("q", "other"),
    ),
    Trial("$management", Verb.DELETE_MESSAGES, request("deleteMessages", "queue", "q"), EMPTY, ("q",)),
    Trial(
        "$management",
        Verb.CHANGE_PRIORITY,
        request("reenqueueMessagesForPriorityChange", "queue", "q", newPriority=9),
        _has_priority,
        ("q",),
    ),
    Trial(
        "$management",
        Verb.DELIVER_EARLY,
        request("deliverScheduledMessages", "queue", "late"),
        _shows_late,
        ("late",),
    ),
    Trial("$management", Verb.QUERY, request("READ", "queue", "q"), _answered, ("q",)),
    Trial("$management sequences", Verb.QUERY, request("SEQUENCES", "queue", "q"), _answered, ("q",)),
    Trial("$management exchange", Verb.QUERY, request("READ", "exchange", "x"), _answered, ("x",)),
    Trial("$management", Verb.SHOW_BROKER, request("READ", "broker"), _answered),
    Trial(
        "$management",
        Verb.SNAPSHOT,
        request("SNAPSHOT", "store", directory="/backup"),
        lambda world: world.copies.begun == ["/backup"],
    ),
    Trial(
        "$management",
        Verb.STEP_DOWN,
        request("STEP_DOWN", "cluster", alone=True),
        lambda world: world.cluster.handed_over == [True],
    ),
    Trial(
        "$management",
        Verb.MOVE_CLOCK,
        request("ADVANCE", "clock", by_ms=1),
        lambda world: world.time.now == NOW + 1,
    ),
    Trial(
        "$management",
        Verb.RELOAD,
        request("RELOAD", "configuration"),
        lambda world: world.file.reloads == 1,
    ),
    Trial("$management", Verb.SHOW_LOG, request("QUERY", "log"), _answered),
    Trial("$management of others", Verb.CHANGE_PERMISSIONS, MAY_BOB, _answered),
    Trial("$management", Verb.SHOW_PIPELINE, request("READ", "pipeline"), _answered),
    Trial(
        "$management",
        Verb.RESTART_PART,
        request("RESTART", "pipeline", "feed"),
        lambda world: world.pipeline.restarted == ["feed"],
    ),
    Trial("$management route", Verb.QUERY, ROUTE_X, _answered, ("x",)),
    Trial(
        "$management",
        Verb.CHANGE_PERMISSIONS,
        request("CREATE", "permission", "bob", rules=["read a.*"]),
        lambda world: world.users.permitted == {"bob": ("read a.*",)},
    ),
    Trial(
        "$management",
        Verb.CHANGE_POLICY,
        request("UPDATE", "policy", policies=[{"pattern": "a.*", "on_publish": True}]),
        lambda world: bool(world.broker.missing.policies),
    ),
    Trial(
        "$management",
        Verb.CLOSE_CONNECTION,
        request("DELETE", "connection", "bobs"),
        lambda world: not world.others.open,
    ),
    Trial(
        "$management",
        Verb.CLOSE_CONSUMER,
        request("DELETE", "consumer", "bobs reader", session="1", connection="bobs"),
        lambda world: not world.broker.lookup("read").readers,
    ),
    Trial("$management shows", Verb.CLOSE_CONNECTION, request("READ", "connection", "bobs"), _answered),
    Trial("$management lists", Verb.CLOSE_CONNECTION, request("QUERY", "connection"), _lists("bobs")),
    # ---- /management, as clients of RabbitMQ ask
    Trial("/management", Verb.DECLARE_QUEUE, path("PUT", "/queues/new", durable=False), MADE, ("new",)),
    Trial("/management", Verb.DELETE_QUEUE, path("DELETE", "/queues/spare"), GONE, ("spare",)),
    Trial("/management", Verb.PURGE_QUEUE, path("DELETE", "/queues/q/messages"), EMPTY, ("q",)),
    Trial("/management", Verb.DECLARE_EXCHANGE, path("PUT", "/exchanges/z", durable=False), Z, ("z",)),
    Trial("/management", Verb.DELETE_EXCHANGE, path("DELETE", "/exchanges/y"), NO_Y, ("y",)),
    Trial(
        "/management",
        Verb.BIND,
        path("POST", "/bindings", source="x", destination_queue="other", binding_key="k"),
        BOUND,
        ("x", "other"),
    ),
    Trial(
        "/management",
        Verb.UNBIND,
        path("DELETE", "/bindings/src=x;dstq=q;key=bound;args="),
        UNBOUND,
        ("x", "q"),
    ),
    Trial("/management", Verb.QUERY, path("GET", "/queues/q"), _answered, ("q",)),
    # ---- AMQP 0-10
    Trial(
        "0-10",
        Verb.DECLARE_QUEUE,
        command("queue.declare", queue="new", alternate_exchange="y"),
        MADE,
        ("new", "y"),
    ),
    Trial("0-10", Verb.DELETE_QUEUE, command("queue.delete", queue="spare"), GONE, ("spare",)),
    Trial("0-10", Verb.PURGE_QUEUE, command("queue.purge", queue="q"), EMPTY, ("q",)),
    Trial(
        "0-10",
        Verb.DECLARE_EXCHANGE,
        command("exchange.declare", exchange="z", type="topic", alternate_exchange="y"),
        Z,
        ("z", "y"),
    ),
    Trial("0-10", Verb.DELETE_EXCHANGE, command("exchange.delete", exchange="y"), NO_Y, ("y",)),
    Trial(
        "0-10",
        Verb.BIND,
        command("exchange.bind", exchange="x", queue="other", binding_key="k"),
        BOUND,
        ("x", "other"),
    ),
    Trial(
        "0-10",
        Verb.UNBIND,
        command("exchange.unbind", exchange="x", queue="q", binding_key="bound"),
        UNBOUND,
        ("x", "q"),
    ),
    Trial("0-10", Verb.PUBLISH, lambda world: world.v010.send("other", b"x"), SENT, ("other",)),
    Trial(
        "0-10",
        Verb.IMPERSONATE,
        lambda world: world.v010.send("other", b"x", properties={"user_id": b"bob"}),
        SENT,
        ("other",),
    ),
    Trial("0-10", Verb.CONSUME, lambda world: world.v010.subscribe("q"), reads(Mode.CONSUME), ("q",)),
    Trial(
        "0-10",
        Verb.BROWSE,
        lambda world: world.v010.subscribe("q", acquire_mode=1),
        reads(Mode.BROWSE),
        ("q",),
    ),
    Trial(
        "0-10",
        Verb.ACQUIRE,
        World.acquires_what_it_was_shown,
        lambda world: world.broker.lookup("q").queue.available == 0,
        ("q",),
    ),
    Trial("0-10", Verb.QUERY, command("queue.query", queue="q"), _shown_010, ("q",)),
    Trial(
        "0-10 commit", Verb.COMPLETE_BRANCH, lambda world: world.completes_branch("dtx.commit"), _completed
    ),
    Trial(
        "0-10 rollback",
        Verb.COMPLETE_BRANCH,
        lambda world: world.completes_branch("dtx.rollback"),
        _completed,
    ),
    # ---- QMF
    Trial("QMF", Verb.DECLARE_QUEUE, qmf("create", type="queue", name="new"), MADE, ("new",)),
    Trial("QMF", Verb.DELETE_QUEUE, qmf("delete", type="queue", name="spare"), GONE, ("spare",)),
    Trial("QMF", Verb.DECLARE_EXCHANGE, qmf("create", type="exchange", name="z"), Z, ("z",)),
    Trial("QMF", Verb.DELETE_EXCHANGE, qmf("delete", type="exchange", name="y"), NO_Y, ("y",)),
    Trial("QMF", Verb.BIND, qmf("create", type="binding", name="x/other/k"), BOUND, ("x", "other")),
    Trial("QMF", Verb.UNBIND, qmf("delete", type="binding", name="x/q/bound"), UNBOUND, ("x", "q")),
    Trial(
        "QMF",
        Verb.MOVE,
        qmf("queueMoveMessages", srcQueue="q", destQueue="other", qty=0),
        MOVED,
        ("q", "other"),
    ),
    Trial(
        "QMF",
        Verb.REDIRECT_QUEUE,
        qmf("queueRedirect", sourceQueue="q", targetQueue="other"),
        _redirected("q"),
        REDIRECT,
    ),
    Trial(
        "QMF", Verb.DELETE_MESSAGES, qmf("purge", "org.apache.qpid.broker:queue:q", request=0), EMPTY, ("q",)
    ),
    Trial(
        "QMF",
        Verb.CHANGE_POLICY,
        qmf("create", type="QueuePolicy", name="a.*"),
        lambda world: bool(world.broker.missing.policies),
    ),
    Trial(
        "QMF",
        Verb.CHANGE_LOGGING,
        qmf("setTimestampConfig", receive=True),
        lambda world: world.broker_state.stamps,
    ),
    Trial(
        "QMF",
        Verb.CLOSE_CONNECTION,
        qmf("close", "org.apache.qpid.broker:connection:bobs"),
        lambda world: not world.others.open,
    ),
    # ---- AMQP 0-9-1
    Trial("0-9-1", Verb.DECLARE_QUEUE, say(Queue.Declare(queue="new")), MADE, ("new",)),
    Trial("0-9-1", Verb.DELETE_QUEUE, say(Queue.Delete(queue="spare")), GONE, ("spare",)),
    Trial("0-9-1", Verb.PURGE_QUEUE, say(Queue.Purge(queue="q")), EMPTY, ("q",)),
    Trial("0-9-1", Verb.DECLARE_EXCHANGE, say(Exchange.Declare(exchange="z")), Z, ("z",)),
    Trial("0-9-1", Verb.DELETE_EXCHANGE, say(Exchange.Delete(exchange="y")), NO_Y, ("y",)),
    Trial("0-9-1", Verb.BIND, say(Queue.Bind(queue="other", exchange="x")), BOUND, ("x", "other")),
    Trial(
        "0-9-1",
        Verb.UNBIND,
        say(Queue.Unbind(queue="q", exchange="x", routing_key="bound")),
        UNBOUND,
        ("x", "q"),
    ),
    Trial("0-9-1", Verb.PUBLISH, lambda world: world.v091.publish(b"x", "other"), SENT, ("other",)),
    Trial(
        "0-9-1",
        Verb.IMPERSONATE,
        lambda world: world.v091.publish(b"x", "other", user_id="bob"),
        SENT,
        ("other",),
    ),
    Trial("0-9-1", Verb.CONSUME, say(Basic.Consume(queue="q")), reads(Mode.CONSUME), ("q",)),
    Trial("0-9-1 get", Verb.CONSUME, say(Basic.Get(queue="q", no_ack=True)), depth("q", 1), ("q",)),
    Trial(
        "0-9-1",
        Verb.BROWSE,
        say(Basic.Consume(queue="q", arguments={BROWSE: True})),
        reads(Mode.BROWSE),
        ("q",),
    ),
    Trial("0-9-1", Verb.QUERY, say(Queue.Declare(queue="q", passive=True)), _shown_091, ("q",)),
    # ---- MQTT; what a subscription needs is in test_mqtt_sessions.py, as its queue is the client's own
    Trial(
        "MQTT",
        Verb.PUBLISH,
        lambda world: world.mqtt.publish("to/spare", qos=1),
        depth("spare", 1),
        ("amq.topic",),
    ),
    # ---- CORE
    Trial(
        "CORE",
        Verb.DECLARE_QUEUE,
        core(packets.CREATE_QUEUE_V2, queue="new", address="new", routing_type=1, max_consumers=-1),
        MADE,
        ("new",),
    ),
    Trial("CORE", Verb.DELETE_QUEUE, core(packets.DELETE_QUEUE, queue="spare"), GONE, ("spare",)),
    Trial(
        "CORE",
        Verb.DECLARE_EXCHANGE,
        core(packets.CREATE_ADDRESS, address="z", routing_types=[0]),
        Z,
        ("z",),
    ),
    Trial("CORE", Verb.PUBLISH, lambda world: world.core.send("x", "other"), SENT, ("other",)),
    Trial(
        "CORE",
        Verb.IMPERSONATE,
        lambda world: world.core.send("x", "other", properties=keyed("bob", USER)),
        SENT,
        ("other",),
    ),
    Trial(
        "CORE",
        Verb.CONSUME,
        core(packets.CREATE_CONSUMER, consumer=1, queue="q"),
        reads(Mode.CONSUME),
        ("q",),
    ),
    Trial(
        "CORE",
        Verb.BROWSE,
        core(packets.CREATE_CONSUMER, consumer=1, queue="q", browse=True),
        reads(Mode.BROWSE),
        ("q",),
    ),
    Trial("CORE", Verb.QUERY, core(packets.QUEUE_QUERY, queue="q"), _shown_core, ("q",)),
    Trial(
        "CORE commit",
        Verb.COMPLETE_BRANCH,
        core(packets.XA_COMMIT, xid=(1, b"g", b"b")),
        _completed,
    ),
    Trial(
        "CORE rollback",
        Verb.COMPLETE_BRANCH,
        core(packets.XA_ROLLBACK, xid=(1, b"g", b"b")),
        _completed,
    ),
    # ---- Artemis's management
    Trial(
        MANAGED,
        Verb.DECLARE_QUEUE,
        management("broker", "createQueue", '{"name": "new", "routing-type": "ANYCAST"}'),
        MADE,
        ("new",),
    ),
    Trial(
        MANAGED,
        Verb.UPDATE_QUEUE,
        management("broker", "updateQueue", '{"name": "q", "max-consumers": 3}'),
        lambda world: world.broker.lookup("q").queue.spec.readers.most == 3,
        ("q",),
    ),
    Trial(
        MANAGED,
        Verb.UPDATE_QUEUE,
        management("queue.q", "pause"),
        lambda world: world.broker.lookup("q").queue.spec.paused,
        ("q",),
    ),
    Trial(MANAGED, Verb.DELETE_QUEUE, management("broker", "destroyQueue", "spare"), GONE, ("spare",)),
    Trial(MANAGED, Verb.PURGE_QUEUE, management("queue.q", "removeAllMessages"), EMPTY, ("q",)),
    Trial(MANAGED, Verb.DECLARE_EXCHANGE, management("broker", "createAddress", "z", "MULTICAST"), Z, ("z",)),
    Trial(MANAGED, Verb.DELETE_EXCHANGE, management("broker", "deleteAddress", "y"), NO_Y, ("y",)),
    Trial(
        MANAGED,
        Verb.PUBLISH,
        management("queue.other", "sendMessage", None, 3, "x", False, None, None),
        SENT,
        ("other",),
    ),
    Trial(MANAGED, Verb.BROWSE, management("queue.q", "listMessagesAsJSON", ""), _managed, ("q",)),
    Trial(f"{MANAGED} counts", Verb.BROWSE, management("queue.q", "countMessages"), _managed, ("q",)),
    Trial(MANAGED, Verb.MOVE, management("queue.q", "moveMessages", "", "other"), MOVED, ("q", "other")),
    Trial(MANAGED, Verb.COPY, management("queue.q", "copyMessage", 1, "other"), SENT, ("q", "other")),
    Trial(MANAGED, Verb.DELETE_MESSAGES, management("queue.q", "removeMessages", ""), EMPTY, ("q",)),
    Trial(
        MANAGED,
        Verb.CHANGE_PRIORITY,
        management("queue.q", "changeMessagesPriority", "", 9),
        _has_priority,
        ("q",),
    ),
    Trial(
        MANAGED,
        Verb.DELIVER_EARLY,
        management("queue.late", "deliverScheduledMessages", ""),
        _shows_late,
        ("late",),
    ),
    Trial(MANAGED, Verb.QUERY, attribute("queue.q", "messageCount"), _managed, ("q",)),
    Trial(f"{MANAGED} of addresses", Verb.QUERY, attribute("address.x", "queueCount"), _managed, ("x",)),
    Trial(MANAGED, Verb.SHOW_BROKER, attribute("broker", "totalMessageCount"), _managed),
    Trial(
        MANAGED,
        Verb.CLOSE_CONNECTION,
        management("broker", "closeConnectionWithID", "bobs"),
        lambda world: not world.others.open,
    ),
]


def test_every_verb_is_in_the_matrix() -> None:
    assert {trial.verb for trial in TRIALS} == set(Verb) == set(NEEDS)


ENOUGH: Final = {REACH: ACTIONS, "browse": ("browse", "read")}
"""For some needs: the rights of which one is enough."""


# No compiled function takes a subclass of a compiled class.
@dataclass(frozen=True)
class AllBut(Rule):
    """Allows everything but some rights on one name."""

    lacking: tuple[str, ...]
    name: str

    def fits(self, action: str, name: str) -> bool:
        return action not in self.lacking or name != self.name


def _asked(trial: Trial) -> list[tuple[tuple[str, ...], str]]:
    """What a trial needs: each time one of these rights on this name."""
    # A protocol's form of a verb may touch fewer names.
    needs = [(need, _name(need, at, trial)) for at, need in enumerate(NEEDS[trial.verb])]
    return [(ENOUGH.get(need.right, (need.right,)), name) for need, name in needs if name]


def _name(need: Need, at: int, trial: Trial) -> str:
    if need.sends_on:
        return trial.names[0] if len(trial.names) > 1 else ""
    return need.subject if need.fixed else "".join(trial.names[at : at + 1])


def _sufficient() -> list[Any]:
    """Each trial with rules that are just enough; a right that is enough in place of another one, too."""
    cases = []
    for trial in TRIALS:
        asked = _asked(trial)
        first = [f"{rights[0]} {name}" for rights, name in asked]
        chosen = [first] + [
            [*first[:at], f"{right} {name}", *first[at + 1 :]]
            for at, (rights, name) in enumerate(asked)
            for right in rights[1:]
        ]
        for rules in chosen:
            name = f"{trial.protocol}: {trial.verb.value}: {', '.join(rules)}"
            cases.append(pytest.param(trial, rules, id=name))
    return cases


def _insufficient() -> list[Any]:
    """Each trial with everything but one of the rights that it needs."""
    return [
        pytest.param(
            trial,
            AllBut(frozenset(ACTIONS), ("", ""), rights, name),
            id=f"{trial.protocol}: {trial.verb.value}: {rights[0]} {name}",
        )
        for trial in TRIALS
        for rights, name in _asked(trial)
    ]


def _tried(trial: Trial, permissions: Permissions) -> bool:
    """Whether a trial is done by a user with these permissions; if not, it leaves no trace."""
    world = World()
    world.broker.authorization.permissions = lambda user: permissions
    world.prepare(trial.verb)
    before = world.state()
    trial.act(world)
    done = trial.done(world)
    assert done or world.state() == before
    return done


@pytest.mark.parametrize(("trial", "rules"), _sufficient())
def test_a_verb_is_carried_out_with_exactly_its_rights(trial: Trial, rules: list[str]) -> None:
    assert _tried(trial, Permissions(parse_rule(rule) for rule in rules))


@pytest.mark.pure
@pytest.mark.parametrize(("trial", "rule"), _insufficient())
def test_a_verb_leaves_no_trace_where_one_of_its_rights_is_missing(trial: Trial, rule: Rule) -> None:
    assert not _tried(trial, Permissions([rule]))


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_verb_is_carried_out_by_any_rules_that_have_its_rights_and_no_others(
    rules: tuple[str, ...],
) -> None:
    permissions = Permissions(parse_rule(rule) for rule in rules)
    assert [
        f"{trial.protocol}: {trial.verb.value}"
        for trial in TRIALS
        if _tried(trial, permissions) is not _may(trial, permissions)
    ] == []


def _may(trial: Trial, permissions: Permissions) -> bool:
    """Whether permissions have all rights that a trial asks for."""
    return all(any(permissions.allows(right, name) for right in rights) for rights, name in _asked(trial))


SHOWING: Final = (Verb.QUERY, Verb.SHOW_BROKER, Verb.SHOW_LOG, Verb.SHOW_PIPELINE)
UNCHANGING: Final = (Verb.PUBLISH, Verb.IMPERSONATE, Verb.CONSUME, Verb.BROWSE, Verb.ACQUIRE, *SHOWING)
"""Messages come and go without a line of the audit, and so do questions."""

LOOKING: Final = ("$management shows", "$management lists", "$management of others")


def _said(world: World) -> list[tuple[Verb, str, str]]:
    """What the audit has: each verb with the name and the destination, of one user and peer."""
    records = world.broker.authorization.take_audit()
    assert all(record.owner.principal == "anonymous" for record in records)
    assert all(record.owner.peer.address.startswith("10.0.0.") for record in records)
    return [(record.verb, record.name, record.destination) for record in records if not record.right]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: f"{trial.protocol}: {trial.verb.value}")
def test_whoever_changes_something_leaves_one_line_in_the_audit_and_others_none(trial: Trial) -> None:
    world = World()
    world.prepare(trial.verb)
    world.broker.authorization.take_audit()
    trial.act(world)
    assert trial.done(world)
    changes = trial.verb not in UNCHANGING and trial.protocol not in LOOKING
    to = trial.verb in (Verb.BIND, Verb.UNBIND, Verb.MOVE, Verb.COPY, Verb.REDIRECT_QUEUE)
    names = [(trial.verb, *trial.names[:1], trial.names[-1] if to else "")] if trial.names else []
    said = _said(world)
    assert [verb for verb, _, _ in said] == [trial.verb] * changes
    assert said == names[: len(said)] or not trial.names


CHANGING: Final = [
    # To QMF an object that its caller may not see does not exist.
    each
    for each in TRIALS
    if each.verb not in UNCHANGING and each.protocol not in (*LOOKING, "QMF")
]


@pytest.mark.parametrize("trial", CHANGING, ids=lambda trial: f"{trial.protocol}: {trial.verb.value}")
def test_whoever_lacks_a_right_leaves_a_line_with_the_right_and_the_name(trial: Trial) -> None:
    world = World()
    world.broker.authorization.permissions = lambda user: Permissions(())
    world.broker.authorization.take_audit()
    trial.act(world)
    refused = world.broker.authorization.take_audit()[0]
    need = NEEDS[refused.verb][0]
    assert refused.right == ("ask about" if need.right == REACH else need.right)
    assert refused.name == (need.subject if need.fixed else trial.names[0])
    assert (refused.owner.principal, refused.owner.peer.address[:7]) == ("anonymous", "10.0.0.")


BY_PUBLISHING: Final = ("QMF", "CORE's management")
"""Where a request is a message that is published, which a follower refuses."""


@pytest.mark.parametrize(
    "trial",
    [each for each in TRIALS if not each.protocol.startswith(BY_PUBLISHING)],
    ids=lambda trial: f"{trial.protocol}: {trial.verb.value}",
)
def test_a_broker_that_follows_another_one_carries_out_what_changes_nothing(trial: Trial) -> None:
    world = World()
    world.prepare(trial.verb)
    world.broker.authorization.leader = "one:5672"
    before = world.state()
    trial.act(world)
    assert trial.done(world) is (trial.verb in WITHOUT_LEADING)
    assert trial.done(world) or world.state() == before


@pytest.mark.parametrize("routing_type", [0, 1], ids=["multicast", "anycast"])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_queue_of_another_address_is_made_with_it_or_leaves_no_trace(
    rules: tuple[str, ...], routing_type: int
) -> None:
    world = World()
    permissions = Permissions(parse_rule(rule) for rule in rules)
    world.broker.authorization.permissions = lambda user: permissions
    before = world.state()
    core(packets.CREATE_QUEUE_V2, queue="new", address="z", routing_type=routing_type, max_consumers=-1)(
        world
    )
    address = world.broker.exchanges.get("z")
    assert (address is not None and len(address.bindings) == 1) is (world.state() != before)
