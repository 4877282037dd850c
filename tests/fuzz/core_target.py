"""What is fuzzed of CORE: clients that do what a script says, well formed or not, and then are gone."""

from collections.abc import Callable
from typing import Any

from core_peer import Peer, message
from targets import Script

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import PacketType
from lastvalue.codec.core.typed_properties import LONG, STRING, TypedProperties
from lastvalue.compat.artemis.management.management_requests import ManagementRequests
from lastvalue.delivery.branches import Branches
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.frontends.core.suspension import LONGEST_MS
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec_arguments import spec_from_arguments

QUEUES: dict[str, dict[str, Any]] = {
    "q": {"alternate": "dead", "max_delivery_attempts": 3},
    "lvq": {"lvq_key": "k", "durable": True, "duplicate_window": 4},
    "grouped": {"group_mode": "default"},
    "small": {"max_messages": 2},
    "ring": {"max_messages": 2, "when_full": "drop-oldest"},
}
ADDRESSES = [*QUEUES, "dead", "topic", "nosuch", "activemq.management", "activemq.notifications"]
SESSION = 10
FILTERS = [None, None, "k = 'a'", "AMQPriority > 4", "k ="]
PLAIN: list[PacketType] = [
    packets.START, packets.STOP, packets.COMMIT, packets.ROLLBACK, packets.PING, packets.CHECK_FAILOVER,
    packets.XA_IN_DOUBT, packets.XA_GET_TIMEOUT,
]  # fmt: skip
BRANCH: list[PacketType] = [
    packets.XA_START, packets.XA_END, packets.XA_PREPARE, packets.XA_COMMIT, packets.XA_ROLLBACK,
    packets.XA_SUSPEND, packets.XA_RESUME, packets.XA_FORGET, packets.XA_FAILED, packets.XA_JOIN,
]  # fmt: skip


class CorePlay:
    """Has two clients do what a script says."""

    def __init__(self, data: bytes) -> None:
        self.script = Script(data)
        self.now = 1_000_000
        self.broker = Broker()
        self.shared = BrokerState(self.broker, Branches(self.broker))
        self.shared.management = ManagementRequests(self.broker, "node")
        self.broker.declare(spec_from_arguments("dead", {}))
        for name, arguments in QUEUES.items():
            self.broker.declare(spec_from_arguments(name, arguments))
        self.sessions = 0
        self.peers = [self._connect(), self._connect()]
        self.peer = self.peers[0]

    def _connect(self) -> Peer:
        peer = Peer(self.broker, shared=self.shared)
        peer.now = self.now
        peer.begin()
        self._create(peer)
        return peer

    def _create(self, peer: Peer) -> None:
        script = self.script
        self.sessions += 1
        peer.create(
            f"session {self.sessions}",
            SESSION,
            window=[-1, 100, 10_000][script.byte() % 3],
            auto_commit_sends=script.flag(),
            auto_commit_acks=script.flag(),
            pre_acknowledge=script.byte() % 5 == 0,
            xa=script.byte() % 4 == 0,
            min_large_message_size=1024,
        ).say(packets.START)

    def run(self) -> None:
        acts: list[Callable[[], None]] = [
            *(self._send, self._send, self._send, self._read, self._read, self._credit, self._acknowledge),
            *(self._acknowledge, self._plain, self._branch, self._declare, self._large, self._close),
            *(self._wait, self._other, self._odd),
        ]
        while self.script.left:
            if self.peer.conversation.finished:
                self._replace(self.peers.index(self.peer))
            acts[self.script.byte() % len(acts)]()
            self.peer.heard.clear()
        for peer in self.peers:
            peer.vanish()
        self.now += 2 * LONGEST_MS
        self.broker.advance(self.now)
        self._check()

    def _check(self) -> None:
        """Nothing is held when they are gone for good, and no message is unaccounted for."""
        broker = self.broker
        while broker.busy:
            broker.pump(self.now)
            broker.drain(self.now)
            broker.definitions.drain()
        assert self.shared.holders == {}
        assert self.shared.metadata == {}
        for queue in broker.queues():
            assert queue.subscriptions == {}
            assert queue.published == queue.depth + sum(queue.removed(reason) for reason in Reason)
            held = queue.depth - queue.available - queue.contents.held_back
            assert held == 0 or self.shared.branches.in_doubt(BROKER)

    # ------------------------------------------------------------------ acts

    def _address(self) -> str:
        return ADDRESSES[self.script.byte() % len(ADDRESSES)]

    def _number(self) -> int:
        """A consumer's number, of a few."""
        return self.script.byte() % 3

    def _send(self) -> None:
        script = self.script
        properties: TypedProperties = {"k": (STRING, "ab"[script.byte() % 2])}
        if script.byte() % 4 == 0:
            properties["_AMQ_DUPL_ID"] = (STRING, str(script.byte() % 3))
        if script.byte() % 8 == 0:
            properties["_AMQ_SCHED_DELIVERY"] = (LONG, self.now + script.byte())
        expiration = self.now + script.byte() if script.byte() % 4 == 0 else 0
        data = message(
            script.take(script.byte() % 20),
            self._address(),
            properties=properties,
            expiration=expiration,
            durable=script.flag(),
            kind=script.byte() % 8,
        )
        self.peer.say(packets.SEND, message=data, wants_response=script.flag(), correlation=7)

    def _large(self) -> None:
        script = self.script
        whole = message(b"", self._address())[4:]
        self.peer.say(packets.SEND_LARGE, head=whole)
        for left in reversed(range(script.byte() % 4)):
            part: dict[str, Any] = {"body": bytes(script.byte()), "continues": left > 0}
            part |= {"wants_response": script.flag(), "size": -1, "correlation": 3}
            self.peer.say(packets.SEND_CONTINUATION, **part)

    def _read(self) -> None:
        script = self.script
        number = self._number()
        queue, browse = self._address(), script.byte() % 4 == 0
        self.peer.say(
            packets.CREATE_CONSUMER,
            consumer=number,
            queue=queue,
            browse=browse,
            filter=FILTERS[script.byte() % len(FILTERS)],
            wants_response=True,
        ).say(packets.CREDIT, consumer=number, credits=-1 if script.flag() else script.byte())

    def _credit(self) -> None:
        number = self._number()
        self.peer.say(packets.CREDIT, consumer=number, credits=self.script.byte() - 1)
        self.peer.say(packets.FORCE_DELIVERY, consumer=number, sequence=1)

    def _acknowledge(self) -> None:
        script = self.script
        kind = [packets.ACKNOWLEDGE, packets.ACKNOWLEDGE_ONE, packets.EXPIRED][script.byte() % 3]
        values = {"consumer": self._number(), "message": script.byte() % 8, "wants_response": True}
        self.peer.say(kind, **_known(kind, values))

    def _plain(self) -> None:
        kind = PLAIN[self.script.byte() % len(PLAIN)]
        values = {"ttl_ms": 1000, "last_delivered": self.script.flag(), "wants_response": True}
        self.peer.say(kind, **_known(kind, values))

    def _branch(self) -> None:
        kind = BRANCH[self.script.byte() % len(BRANCH)]
        xid = (1, b"g", bytes([self.script.byte() % 2]))
        self.peer.say(kind, **_known(kind, {"xid": xid, "one_phase": self.script.flag()}))

    def _declare(self) -> None:
        script = self.script
        if script.byte() % 3 == 0:
            self.peer.say(packets.DELETE_QUEUE, queue=self._address())
            return
        values: dict[str, Any] = {"queue": self._address(), "address": self._address()}
        values |= {"routing_type": script.byte() % 2, "max_consumers": -1, "wants_response": True}
        values |= {"temporary": script.flag(), "auto_delete": script.flag(), "ring_size": script.byte() - 1}
        self.peer.say(packets.CREATE_QUEUE_V2, **values)

    def _close(self) -> None:
        if self.script.byte() % 3:
            self.peer.say(packets.CLOSE_CONSUMER, consumer=self._number())
            return
        self.peer.say(packets.CLOSE)
        self._create(self.peer)

    def _wait(self) -> None:
        self.now += self.script.byte() * 40
        for peer in self.peers:
            peer.at(self.now)

    def _other(self) -> None:
        """Continue with the other client; one time in two a new one, which may attach the old session."""
        index = self.script.byte() % 4
        if index > 1:
            index -= 2
            self._replace(index)
        self.peer = self.peers[index]

    def _replace(self, index: int) -> None:
        old = self.peers[index]
        old.vanish()
        new = Peer(self.broker, shared=self.shared)
        new.now = self.now
        new.begin()
        name = f"session {1 + self.script.byte() % max(1, self.sessions)}"
        new.say(packets.REATTACH, 1, name=name, last_command=self.script.byte() - 1)
        if not new.conversation.finished and not new.conversation.statistics():
            self._create(new)
        self.peers[index] = new
        if self.peer is old:
            self.peer = new

    def _odd(self) -> None:
        """Bytes that are no packet, one time in four."""
        if self.script.byte() % 4 == 0:
            self.peer.raw(self.script.take(self.script.byte() % 30))


def _known(kind: PacketType, values: dict[str, Any]) -> dict[str, Any]:
    """Those of the values that a packet has."""
    names = {field.name for field in kind.fields}
    return {name: value for name, value in values.items() if name in names}


def fuzz_core(data: bytes) -> None:
    """Whatever two clients do, nothing is held when they are gone."""
    CorePlay(data).run()
