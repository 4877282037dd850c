"""A store that is restored to a moment, as a broker finds it at its start."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from lastvalue.broker.broker import Broker
from lastvalue.cli.restored_queues import Histories, restore_as_of
from lastvalue.history.tables import HistoryTables
from lastvalue.server.open_store import StoreSettings, open_store
from lastvalue.store.snapshot import write_snapshot

NOW_MS = 1_000_000


@contextmanager
def restored_store(
    tables: str, time_ms: int, now_ms: int = NOW_MS
) -> Iterator[tuple[Broker, dict[str, str]]]:
    """The broker, and where each queue is from; of an empty snapshot and histories in tables."""
    with TemporaryDirectory() as temporary:
        directory = Path(temporary)
        (directory / "snapshot").mkdir()
        write_snapshot([], directory / "snapshot", 0, lambda done, of: None)
        work = Histories(HistoryTables(tables), tables, time_ms, 0, frozenset())
        became, _ = restore_as_of(directory / "snapshot", directory / "store", work, now_ms)
        broker = Broker()
        open_store(StoreSettings(directory / "store"), broker, 0).close()
        yield broker, {each.name: each.source for each in became}
