"""What a server is to its store: the one who writes it, or one who follows."""

from collections.abc import Callable
from typing import Any

from lastvalue.broker.broker import Broker
from lastvalue.delivery.branches import Branches
from lastvalue.server.clock import Clock
from lastvalue.server.follower import Follower
from lastvalue.server.limits import Limits, StoreDisk
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.open_store import OpenStore, StoreSettings, open_store
from lastvalue.server.runtime import Runtime
from lastvalue.server.snapshots import LogSnapshots, StoreSnapshots
from lastvalue.store.journal import Journal
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.memory import MemoryJournal
from lastvalue.store.store_journal import StoreJournal


class StoreRole:
    """Whether a server writes its store, follows the one that does, or keeps its messages in memory alone.

    Args:
        settings: of the server.
        broker: of the server.
        branches: get the transactions that the store has prepared.
        clock: the time of the queues.
        journal: for a server without a store.

    Attributes:
        journal: takes what happens now.
        store: the one that the server writes, or None.
        follower: what follows the one that writes the store, or None.
    """

    def __init__(
        self,
        settings: LiveSettings,
        broker: Broker,
        branches: Branches,
        clock: Clock,
        journal: Journal | None = None,
    ) -> None:
        self._settings = settings
        self._broker = broker
        self._branches = branches
        self._clock = clock
        self.journal = MemoryJournal() if journal is None else journal
        self.store: OpenStore | None = None
        self.follower: Follower | None = None
        self._snapshots: StoreSnapshots | None = None

    def recover(
        self, place: StoreSettings | LogSettings, progress: Callable[[int, int], None] | None
    ) -> None:
        """Restore the content of the store onto the broker, and write it or follow who does.

        Raises:
            StoreError: the store is in use, damaged, or of a later format.
            OSError: its directory cannot be used.
        """
        if self._settings.options.follow and isinstance(place, LogSettings):
            self.follower = Follower(place, self._broker, self._clock)
            self.follower.recover(progress)
            self.journal = self.follower.journal
        else:
            self._write(open_store(place, self._broker, self._clock.now_ms(), progress))

    def start(self, address: str, runtime: Runtime, limits: Limits) -> None:
        """Tell the other brokers of the log the address of this one, and follow who leads.

        Once this one leads, the runtime and the limits use the journal of the store.
        """
        if self.follower is not None:

            def lead(store: OpenStore) -> None:
                self.follower = None
                self._write(store)
                runtime.use(store.journal)
                limits.use(store.journal, _disk(store))
                runtime.schedule()

            self.follower.start(address, runtime.schedule, lead)
        elif self.store is not None and self.store.log is not None:
            self.store.log.advertise(address)

    def _write(self, store: OpenStore) -> None:
        """Write to this store from now on."""
        self.store = store
        self.journal = store.journal
        for branch in store.branches:
            self._branches.restore(branch.name, branch.arguments, self._clock.now_ms())
        if store.files is None:
            self._broker.snapshots = LogSnapshots(store.journal)
        else:
            self._snapshots = self._broker.snapshots = StoreSnapshots(
                store.journal, store.files, self._clock, self._settings.options.snapshots
            )

    def close(self) -> None:
        """Write the rest and unlock the store, or follow no more."""
        if self.store is not None:
            self.store.close()
            if self._snapshots is not None:
                self._snapshots.stop()
            self.store = None
        elif self.follower is not None:
            self.follower.close()

    @property
    def name(self) -> str | None:
        """The name of the store that the server writes."""
        return None if self.store is None else self.store.name

    @property
    def disk(self) -> StoreDisk | None:
        """The disk of the store that the server writes."""
        return None if self.store is None else _disk(self.store)

    def store_journal(self) -> StoreJournal | None:
        """The journal of the store that the server writes."""
        return None if self.store is None else self.store.journal

    def free_bytes(self) -> int:
        """What is free on the disk of the store; 0 if that is not limited."""
        room = None if self.store is None else self.store.room
        return 0 if room is None else room().free

    def unready(self) -> str | None:
        """The reason why the server does not serve, or None."""
        if self.journal.ended is not None:
            return str(self.journal.ended)
        if self.follower is not None:
            return self.follower.unready(self._settings.options.max_lag_ms)
        fault = self.journal.fault
        return None if fault is None else f"the store cannot be written: {fault.strerror or fault}"

    def known(self) -> dict[str, Any]:
        """What `$management` shows of it among the facts of the process."""
        known: dict[str, Any] = {}
        if self.store is not None:
            known["store_salvaged_bytes"] = self.store.salvaged_bytes
        if self.follower is not None:
            known |= self.follower.known()
        if self._snapshots is not None and self._settings.options.snapshots is not None:
            known["snapshot_ms"] = self._snapshots.written_ms
        return known


def _disk(store: OpenStore) -> StoreDisk:
    return StoreDisk(store.name, store.room)
