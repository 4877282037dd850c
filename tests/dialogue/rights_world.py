"""A broker with something of everything that a command can touch, and a client of each protocol."""

import json
from typing import Any, Final

from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from broker_peer import BrokerPeer
from core_peer import Peer as CorePeer
from mqtt_peer import MqttPeer, mqtt_state
from wired_broker import Clock

from lastvalue.broker.administration.clock_requests import Time
from lastvalue.broker.administration.cluster_requests import Cluster
from lastvalue.broker.administration.configuration_requests import ConfigurationFile
from lastvalue.broker.administration.log_requests import LogTail
from lastvalue.broker.administration.permission_requests import PermittedUsers, UserChange
from lastvalue.broker.administration.pipeline_requests import Pipeline
from lastvalue.broker.administration.request import Request
from lastvalue.broker.administration.snapshot_requests import Snapshots
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.requests.management import manage
from lastvalue.broker.requests.path_requests import manage_path
from lastvalue.broker.rights.owner import BROKER as BROKER_ITSELF
from lastvalue.broker.rights.owner import Owner, PeerIdentity
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.statistics.connections import (
    ConnectionHandle,
    ConnectionStatistics,
    LinkStatistics,
    SessionStatistics,
    Traffic,
)
from lastvalue.codec.amqp010.command_layouts import DTX_XID, MESSAGE_REPLY_TO
from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.compat.artemis.management.management_requests import ManagementRequests
from lastvalue.compat.qpid.qmf.agent import Agent
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.core.broker_state import BrokerState as CoreState
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, Mode

NOW: Final = 1_000_000
USER: Final = Owner(principal="anonymous", peer=PeerIdentity("10.0.0.1:1"))
OTHER: Final = Owner(principal="bob")
XID: Final = Record(DTX_XID, {"format": 1, "global_id": b"g", "branch_id": b"b"})
BROKER: Final = "org.apache.qpid.broker:broker:amqp-broker"


class Times(Time):
    def __init__(self) -> None:
        self.now = NOW

    def now_ms(self) -> int:
        return self.now

    def move_to(self, now_ms: int) -> None:
        self.now = now_ms


class Copies(Snapshots):
    def __init__(self) -> None:
        self.begun: list[str] = []

    def begin(self, directory: str) -> None:
        self.begun.append(directory)

    def segments(self) -> list[dict[str, int]]:
        return []

    def state(self) -> dict[str, Any]:
        return {"state": "none"}


class Lines(LogTail):
    def newest(self) -> int:
        return 0

    def lines(self, after: int, level: str, event: str) -> list[dict[str, Any]]:
        return []


class NotedCluster(Cluster):
    """Notes that the broker hands over."""

    def __init__(self) -> None:
        self.handed_over: list[bool] = []

    def state(self) -> dict[str, Any]:
        return {"role": "leader"}

    def step_down(self, *, alone: bool) -> None:
        self.handed_over.append(alone)


class NotedPipeline(Pipeline):
    def __init__(self) -> None:
        self.restarted: list[str] = []

    def state(self) -> dict[str, Any]:
        return {}

    def restart(self, name: str) -> None:
        self.restarted.append(name)


class NotedFile(ConfigurationFile):
    def __init__(self) -> None:
        self.reloads = 0

    def shown(self) -> dict[str, Any]:
        return {"file": "lastvalue.toml"}

    def reload(self, prune: bool, dry_run: bool) -> list[dict[str, Any]]:
        self.reloads += 1
        return []


class NotedUsers(PermittedUsers):
    def __init__(self) -> None:
        self.permitted: dict[str, tuple[str, ...]] = {}

    def rules(self) -> dict[str, tuple[str, ...]]:
        return self.permitted

    def write(self, user: str, change: UserChange) -> None:
        self.permitted[user] = change.rules or ()

    def remove(self, user: str) -> None:
        del self.permitted[user]


class OthersConnection(ConnectionHandle):
    """A connection of another user, with a consumer of the queue `read`."""

    def __init__(self, broker: Broker) -> None:
        self.open = True
        reader = broker.read(broker.lookup("read"), Mode.BROWSE, NullReceiver(), ANY, OTHER, NOW)
        self._link = LinkStatistics("bobs reader", "consumer", "read", Traffic())
        self._link.reader = reader

    def statistics(self) -> ConnectionStatistics | None:
        if not self.open:
            return None
        statistics = ConnectionStatistics("bobs", "AMQP 1.0", "bob", Traffic())
        statistics.sessions = [SessionStatistics("1", 1, [self._link], 0)]
        return statistics

    def shut_down(self, reason: str) -> None:
        self.open = False


class World:
    """A broker with something of everything, and clients that are connected before there are rules."""

    def __init__(self) -> None:
        self.broker = broker = Broker(all_effects=False)
        self.broker_state = BrokerState(broker)
        Agent(self.broker_state, "1", NOW)
        self.clock = Clock()
        broker.time = self.time = Times()
        broker.snapshots = self.copies = Copies()
        broker.cluster = self.cluster = NotedCluster()
        broker.configuration_file = self.file = NotedFile()
        broker.users = self.users = NotedUsers()
        broker.log = Lines()
        broker.pipeline = self.pipeline = NotedPipeline()
        for name in ("q", "other", "spare", "late", "read"):
            broker.declare(QueueSpec(name))
        self.others = OthersConnection(broker)
        broker.connections.join(self.others)
        for key in ("x", "y"):
            manage(broker, Request("CREATE", "exchange", key, {}), NOW)
        broker.bind("x", Binding("q", "bound"), USER, NOW)
        for body in ("1", "2"):
            message = read_message(encode_content(MessageContent(body=body, priority=1)))
            broker.publish(broker.queue_target("q"), message, NOW)
        later: dict[str, object] = {Symbol("x-opt-delivery-time"): NOW + 60_000}
        message = read_message(encode_content(MessageContent(body="3", message_annotations=later)))
        broker.publish(broker.queue_target("late"), message, NOW)
        branch = self.broker_state.branches.begin((1, b"g", b"b"), self, OTHER, NOW)
        branch.workers.clear()
        self.broker_state.branches.prepare(branch.xid, OTHER, NOW)
        self.v10 = BrokerPeer(broker, self.clock)
        self.v010 = Amqp010Peer(self.broker_state)
        self.v091 = Amqp091Peer(broker).open()
        self.core_state = CoreState(broker, self.broker_state.branches)
        self.core_state.management = ManagementRequests(broker, "node")
        self.core = CorePeer(broker, shared=self.core_state).open()
        broker.bind("amq.topic", Binding("spare", "to.spare"), USER, NOW)
        self.mqtt = MqttPeer(mqtt_state(broker))
        self.mqtt.connect("peer")
        self.succeeded: list[bool] = []
        self.managed: list[object] = []
        self.replies: list[Any] = []
        self.shown: list[tuple[int, int]] = []

    def state(self) -> list[object]:
        """Everything that a command could change."""
        broker = self.broker
        queues = [(queue.spec, queue.depth, queue.available) for queue in broker.queues()]
        exchanges = [(each.name, list(each.bindings)) for each in broker.exchanges.every()]
        consumers = [
            sum(each.subscription.mode is Mode.CONSUME for each in broker.lookup(queue.spec.name).readers)
            for queue in broker.queues()
        ]
        branches = len(self.broker_state.branches.in_doubt(OTHER))
        rest = (
            self.time.now,
            list(self.copies.begun),
            list(self.cluster.handed_over),
            self.others.open,
            self.broker_state.stamps,
            branches,
            self.file.reloads,
            list(self.pipeline.restarted),
        )
        return [queues, exchanges, consumers, list(broker.missing.policies), *rest]

    def depth(self, name: str) -> int:
        return int(self.broker.lookup(name).queue.depth) if self.broker.has_queue(name) else -1

    def reads(self, mode: Mode) -> bool:
        return any(each.subscription.mode is mode for each in self.broker.lookup("q").readers)

    # ------------------------------------------------------------------ clients

    def request(self, operation: str, kind: str, name: str, **body: Any) -> None:
        self.replies.append(manage(self.broker, Request(operation, kind, name, body), NOW, USER))

    def path(self, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        self.replies.append(manage_path(self.broker, method, path, body, NOW, USER))

    def call(self, target: str, method: str, arguments: dict[str, Any]) -> None:
        """A method of QMF."""
        body = {"_object_id": {"_object_name": target}, "_method_name": method, "_arguments": arguments}
        properties = {
            "reply_to": Record(MESSAGE_REPLY_TO, {"exchange": "qmf.default.direct", "routing_key": "me"}),
            "app_id": b"qmf2",
            "application_headers": {"method": "request", "qmf.opcode": "_method_request"},
        }
        self.v010.send("broker", encode_map(body), exchange="qmf.default.direct", properties=properties)

    def manages(self, resource: str, properties: dict[str, Any], *parameters: Any) -> None:
        """A request to Artemis's management; its answer goes to a queue of the caller's own."""
        answers = subscription_queue(USER.principal, "", "answers")
        self.broker.declare(QueueSpec(answers), BROKER_ITSELF)
        body = CoreWriter()
        body.nullable_simple_string(json.dumps(parameters))
        request = MessageContent(
            reply_to=answers,
            application_properties={"_AMQ_ResourceName": resource, **properties},
            body=body.data(),
            body_kind=BodyKind.DATA,
        )
        assert self.core_state.management is not None
        self.core_state.management.take(encode_content(request), USER, NOW)
        while self.broker.long_commands.busy:
            self.broker.long_commands.step(NOW)
        (entry,) = self.broker.lookup(answers).queue.entries()
        answer = decode_content(entry.message.encoded)
        self.succeeded.append(answer.application_properties["_AMQ_OperationSucceeded"] is True)
        self.managed.append(answer.body)
        self.broker.delete(answers, NOW, BROKER_ITSELF)

    def publishes_10(self) -> None:
        if self.v10.writes(address="other").target is not None:
            self.v10.transfer(0, encode_content(MessageContent(body="x")), settled=True)

    def impersonates_10(self) -> None:
        if self.v10.writes(address="other").target is not None:
            self.v10.transfer(0, encode_content(MessageContent(body="x", user_id=b"bob")), settled=True)

    def publishes_10_without_target(self) -> None:
        self.v10.writes(address=None)
        self.v10.transfer(0, encode_content(MessageContent(body="x", to="other")), settled=True)

    def prepare(self, verb: Verb) -> None:
        """Show the messages to a browser before the rights are looked at again."""
        if verb is Verb.ACQUIRE:
            authorization = self.broker.authorization
            rules, authorization.permissions = authorization.permissions, None
            self.v010.subscribe("q", "d", acquire_mode=1)
            self.shown = [(each.number, each.number) for each in self.v010.take()]
            authorization.permissions = rules

    def acquires_what_it_was_shown(self) -> None:
        self.v010.do("message.acquire", transfers=self.shown)

    def completes_branch(self, command: str) -> None:
        self.v010.do("dtx.select")
        self.v010.do(command, xid=XID)
