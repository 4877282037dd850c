from pathlib import Path

from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.server.restored_store import restore_store
from lastvalue.store import records
from lastvalue.store.file_log import file_journal
from lastvalue.store.records import Declared
from lastvalue.store.store_contents import StoreContents, apply_records
from lastvalue.store.store_journal import StoreJournal, StoreOptions


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
