"""How a follower treats what its own readers do; what records do is in tests/properties/test_following.py."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from canned_message import CannedMessage
from kept_log import KeptLog, Leader

from lastvalue.broker.broker import Broker
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import BROKER, NOBODY, Owner
from lastvalue.queues.spec import Exclusive
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.server.followed_store import FollowedStore, restore_store
from lastvalue.store import records
from lastvalue.store.file_log import file_journal
from lastvalue.store.records import Declared, RecordError
from lastvalue.store.store_contents import StoreContents, apply_records
from lastvalue.store.store_journal import StoreJournal
from lastvalue.store.store_options import StoreOptions

NOW_MS = 1_000_000


def followed(**options: Any) -> tuple[Leader, Broker, FollowedStore]:
    log = KeptLog()
    leader = Leader(log)
    leader.declare("dead")
    leader.declare("q", **options)
    leader.flush(NOW_MS)
    broker = Broker()
    broker.authorization.leader = ""
    store = FollowedStore(broker)
    store.begin(log.contents(), NOW_MS)
    log.followers.append(lambda segment, batch: store.take(segment, batch, NOW_MS))
    return leader, broker, store


def turn(broker: Broker) -> None:
    broker.pump(NOW_MS)
    broker.drain(NOW_MS)


def test_a_queue_that_only_its_use_keeps_outlives_the_readers_of_a_follower() -> None:
    _, broker, _ = followed(lifetime="delete-on-no-outbound-links")
    reader = broker.read(broker.lookup("q"), Mode.BROWSE, NullReceiver(), Terms(), NOBODY, NOW_MS)
    broker.stop(reader, NOW_MS)
    turn(broker)
    assert broker.has_queue("q")


def test_the_leader_changes_who_may_own_a_queue_while_a_browser_of_the_follower_owns_it() -> None:
    leader, broker, _ = followed(exclusive="container")
    browsing = Owner(container="c")
    broker.read(broker.lookup("q"), Mode.BROWSE, NullReceiver(), Terms(), browsing, NOW_MS)
    assert broker.lookup("q").ownership.owner is browsing
    for exclusive in (Exclusive.PRINCIPAL, Exclusive.NONE):
        spec = leader.broker.lookup("q").queue.spec
        leader.broker.reconfigure(replace(spec, exclusive=exclusive), NOW_MS, BROKER)
        leader.flush(NOW_MS)
        assert broker.lookup("q").queue.spec.exclusive is exclusive
        assert broker.lookup("q").ownership.owner is None


def test_what_the_leader_has_sent_to_an_alternate_is_there_once() -> None:
    leader, broker, _ = followed(expiry_alternate="dead")
    leader.send("q", "late", NOW_MS, ttl_ms=5)
    leader.flush(NOW_MS)
    turn(broker)
    leader.broker.advance(NOW_MS + 10)
    leader.flush(NOW_MS + 10)
    turn(broker)
    assert (broker.lookup("q").queue.depth, broker.lookup("dead").queue.depth) == (0, 1)


def test_a_batch_that_is_no_batch_is_refused() -> None:
    _, _, store = followed()
    with pytest.raises(RecordError, match="record type 99 is unknown"):
        store.take(1, b"\x63", NOW_MS)


def test_what_a_log_tells_is_on_the_broker_and_the_journal_goes_on(tmp_path: Path) -> None:
    stored = StoreContents()
    told = CannedMessage(None, body=b"x")
    told.durable = True
    declared = Declared(1, "queue", "q", {"durable": True})
    apply_records(stored, records.declared(declared) + records.marked(records.SEQUENCE, 1, 41), 1)
    broker = Broker()
    begun: list[StoreJournal] = []

    def journal() -> StoreJournal:
        begun.append(file_journal(tmp_path, StoreOptions()))
        return begun[-1]

    restored = restore_store(stored, broker, journal, 0)
    assert restored.journal is begun[0]
    queue = broker.lookup("q").queue
    assert queue.sequence == 41
    queue.enqueue(told, 0)
    assert restored.journal.append("q", queue.drain()) > 0
    restored.journal.close()
