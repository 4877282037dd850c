"""lastvalue.server.store_role; following is in test_follower.py and in tests/cluster."""

from pathlib import Path
from uuid import UUID

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.config.server_options import ServerOptions
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.clock import ManualClock
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.open_store import StoreSettings
from lastvalue.server.snapshots import StoreSnapshots
from lastvalue.server.store_role import StoreRole
from lastvalue.store.journal import Journal
from lastvalue.store.memory import MemoryJournal
from lastvalue.store.segments import StoreError


def role_of(broker: Broker, options: ServerOptions | None = None) -> StoreRole:
    branches = BrokerState(broker, UUID(int=1)).branches
    return StoreRole(LiveSettings(options or ServerOptions()), broker, branches, ManualClock(0))


def test_without_a_store_messages_are_in_memory_and_the_server_is_ready() -> None:
    role = role_of(Broker())
    assert isinstance(role.journal, MemoryJournal)
    assert (role.name, role.disk, role.store_journal(), role.free_bytes()) == (None, None, None, 0)
    assert (role.unready(), role.known()) == (None, {})
    role.close()


def test_who_writes_a_store_has_its_content_and_its_journal_until_the_close(tmp_path: Path) -> None:
    settings = StoreSettings(tmp_path)
    broker = Broker()
    role = role_of(broker)
    role.recover(settings, None)
    broker.declare(QueueSpec("q", durable=True))
    for each in broker.definitions.drain():
        role.journal.define(each.kind, each.name, each.arguments)
    role.close()
    assert role.store is None

    later = Broker()
    role = role_of(later, ServerOptions(snapshots=tmp_path))
    role.recover(settings, None)
    assert later.has_queue("q")
    assert role.journal is role.store_journal()
    assert isinstance(later.snapshots, StoreSnapshots)
    assert role.name == str(tmp_path)
    assert role.disk is not None
    assert role.free_bytes() > 0
    assert role.known() == {"store_salvaged_bytes": 0, "snapshot_ms": 0}
    with pytest.raises(StoreError, match="use"):
        role_of(Broker()).recover(settings, None)
    role.close()


def test_a_server_whose_journal_has_ended_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = StoreError("another broker writes it")
    monkeypatch.setattr(Journal, "ended", property(lambda _: ended))
    assert role_of(Broker()).unready() == "another broker writes it"
