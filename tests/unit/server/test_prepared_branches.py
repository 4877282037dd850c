"""Branches of distributed transactions that are prepared when the broker ends."""

from pathlib import Path
from typing import Any

import pytest
from amqp010_peer import START_MS, Peer
from kept_stores import KeptStores

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp010.command_layouts import DTX_XID
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.open_store import open_store

XID = Record(DTX_XID, {"format": 1, "global_id": b"g", "branch_id": b"b"})
DURABLE = 2


class Run:
    """A broker with a durable last-value queue, from one start to the next, and a session of a peer."""

    def __init__(self, directory: Path) -> None:
        self.broker = Broker()
        self.store = open_store(KeptStores.settings(directory), self.broker, START_MS)
        self.broker.stores = True
        self.broker_state = BrokerState(self.broker)
        for branch in self.store.branches:
            self.broker_state.branches.restore(branch.name, branch.arguments, START_MS)
        if not self.broker.has_queue("q"):
            self.broker.declare(spec_from_arguments("q", {"durable": True, "lvq_key": "k"}))
        self.peer = Peer(self.broker_state, opens=False)
        self.peer.record = self.record
        self.peer.open()

    @property
    def depths(self) -> tuple[int, int]:
        queue = self.broker.lookup("q").queue
        return int(queue.depth), int(queue.available)

    def record(self) -> None:
        drained = self.broker.drain(START_MS)
        for definition in self.broker.definitions.drain():
            self.store.journal.define(definition.kind, definition.name, definition.arguments)
        for name, effects in drained:
            self.store.journal.append(name, effects)

    def send(self, body: bytes, key: int, *, durable: bool = True) -> None:
        properties = {"application_headers": {"k": key}}
        self.peer.send(
            "q", body, delivery={"delivery_mode": DURABLE if durable else 1}, properties=properties
        )

    def begin(self) -> None:
        self.peer.do("dtx.select")
        self.peer.do("dtx.start", xid=XID)

    def prepare(self) -> None:
        self.peer.do("dtx.end", xid=XID)
        assert self.done("dtx.prepare") == 0

    def done(self, command: str) -> int:
        """What comes of ending the branch."""
        told = self.peer.do(command, xid=XID)
        assert told is not None
        return told.number("status")

    def in_doubt(self) -> list[bytes | None]:
        told = self.peer.do("dtx.recover")
        assert told is not None
        found: Any = told.values["in_doubt"]
        return [each.binary("global_id") for each in found.items]

    def taken(self) -> list[bytes | None]:
        """Everything that a consumer gets, accepted."""
        self.peer.subscribe("q", "taken", accept_mode=1)
        bodies = self.peer.bodies()
        self.peer.do("message.cancel", destination="taken")
        return bodies

    def stop(self) -> None:
        """The process is gone: nothing of it is recorded any more."""
        self.store.close()


def received(run: Run, *bodies: bytes) -> None:
    """Send values of one key, and have each received and accepted in the branch before the next one."""
    run.peer.subscribe("q", "d")
    for body in bodies:
        run.peer.do("dtx.end", xid=XID, suspend=True)
        run.send(body, 1)
        run.peer.do("dtx.start", xid=XID, resume=True)
        (transfer,) = run.peer.take()
        run.peer.do("message.accept", transfers=[(transfer.number, transfer.number)])


@pytest.mark.usefixtures("kept")
def test_values_sent_in_a_prepared_branch_are_there_when_it_is_committed_after_a_restart(
    tmp_path: Path,
) -> None:
    """S-068."""
    run = Run(tmp_path)
    run.begin()
    for number, key in enumerate((1, 2, 1, 2), 1):
        run.send(b"m%d" % number, key)
    run.send(b"lost", 3, durable=False)
    run.prepare()
    run.stop()
    run = Run(tmp_path)
    assert (run.depths, run.in_doubt()) == ((0, 0), [b"g"])
    assert run.done("dtx.commit") == 0
    assert run.taken() == [b"m3", b"m4"]
    run.stop()
    run = Run(tmp_path)
    assert (run.depths, run.in_doubt()) == ((0, 0), [])
    run.stop()


@pytest.mark.usefixtures("kept")
def test_values_received_in_a_prepared_branch_come_again_when_it_is_rolled_back_after_a_restart(
    tmp_path: Path,
) -> None:
    """S-069."""
    run = Run(tmp_path)
    run.begin()
    received(run, *(b"m%d" % number for number in range(1, 7)))
    run.prepare()
    run.stop()
    run = Run(tmp_path)
    assert run.taken() == []
    assert run.done("dtx.rollback") == 0
    assert run.taken() == [b"m6"]
    run.stop()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("restarts", [1, 2])
def test_what_was_received_in_a_prepared_branch_is_gone_when_it_is_committed_after_restarts(
    tmp_path: Path, restarts: int
) -> None:
    run = Run(tmp_path)
    run.begin()
    received(run, b"m1")
    run.prepare()
    for _ in range(restarts):
        run.stop()
        run = Run(tmp_path)
        assert run.depths == (1, 0)
    assert run.done("dtx.commit") == 0
    assert run.depths == (0, 0)
    assert run.broker.lookup("q").queue.removed(Reason.ACCEPTED) == 1
    run.stop()


@pytest.mark.usefixtures("kept")
def test_a_branch_whose_exchange_is_gone_can_only_be_rolled_back(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.peer.do("exchange.declare", exchange="passing", type="fanout")
    run.begin()
    run.peer.send("", b"m1", exchange="passing", delivery={"delivery_mode": DURABLE})
    run.prepare()
    run.stop()
    run = Run(tmp_path)
    assert run.done("dtx.commit") == 1
    assert run.in_doubt() == []
    run.stop()


@pytest.mark.usefixtures("kept")
async def test_a_server_knows_the_branches_that_its_store_has(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.begin()
    run.send(b"m1", 1)
    run.prepare()
    run.stop()
    async with BrokerServer(ServerOptions(port=0), store=KeptStores.settings(tmp_path)) as server:
        assert server._broker_state.branches.in_doubt(NOBODY) == [
            (XID.number("format"), XID.binary("global_id"), XID.binary("branch_id"))
        ]
