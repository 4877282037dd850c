"""Changes a queue that has readers as another process has changed its own: one that follows a log."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.browsers import Browsers
from lastvalue.queues.contents import Contents
from lastvalue.queues.deadlines import Deadlines
from lastvalue.queues.effects import REPLACED, EpochBegan, Reason, Tombstone
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, Entry
from lastvalue.queues.recovery import NOBODY
from lastvalue.queues.subscription import AcquiredList, BrowserPosition, wake
from lastvalue.queues.tombstones import Tombstones


@final
class Following:
    """Brings a queue, entry by entry, to the state in which its records leave it.

    Nothing is decided here: an entry leaves because a record says so, and not because it has expired or the
    queue is full. So the entries have no deadline while the queue follows; at `lead` they have theirs again.

    Call `begin` before the changes of a batch and `end` after them.

    Attributes:
        present: the queue's entries, by sequence.
    """

    __slots__ = (
        "_browsers",
        "_contents",
        "_in_place",
        "_keys",
        "_lasting",
        "_tells",
        "_unclaimed",
        "present",
    )

    def __init__(
        self,
        contents: Contents,
        browsers: Browsers,
        unclaimed: AcquiredList,
        in_place: bool,
        keeps_browsed: bool,
    ) -> None:
        contents.follows = True
        self._contents = contents
        self._browsers = browsers
        self._unclaimed = unclaimed
        self._in_place = in_place
        # The leader does not know what this process has shown: a newer value replaces what should stay.
        self._tells = contents.available_list.ranked or keeps_browsed
        # While changes are made: the tombstones that records tell, and the keys that have values.
        self._lasting: Tombstones | None = None
        self._keys: list[bytes] = []
        self.present: dict[int, Entry] = {}

    def adopt(self, entries: list[Entry]) -> None:
        """Continue with the entries that the queue has."""
        for entry in entries:
            self.present[entry.sequence] = entry

    def begin(self) -> None:
        """Changes follow."""
        self._browsers.park_cursor()
        tombstones = self._contents.tombstones
        if tombstones is not None and tombstones.lasting:
            # Their numbers are those of the records, so that tokens mean the same everywhere.
            self._lasting = tombstones
            self._contents.tombstones = None

    def leave(self, sequence: i64, reason: Reason) -> None:
        """An entry has left, if it was there."""
        entry = self.present.pop(sequence, None)
        if entry is None:
            return
        if reason is REPLACED and entry.key is not None and self._contents.current.get(entry.key) is entry:
            # What replaced it has left within the same batch, so no record says why.
            reason = Reason.PURGED
        self._contents.remove(entry, reason)

    def arrive(self, entry: Entry, replaced: set[int]) -> None:
        """A new entry has come, in its state.

        Args:
            entry: made for this queue.
            replaced: the sequences of the entries that newer values have replaced.
        """
        state = entry.state
        entry.state = AVAILABLE
        contents = self._contents
        if contents.groups is not None:
            contents.groups.join(entry, contents.groups.names.name_of(entry.message))
        self.present[entry.sequence] = entry
        if state == HELD_BACK:
            contents.hold_back(entry)
            return
        self._note_key(entry)
        current = self._value(entry)
        previous = self._replaced(current, replaced)
        position = contents.add(entry, None) if previous is None else self._replace(entry, previous)
        self._stay_beside(entry, current, previous)
        self._show(entry, position)
        self._keep(entry)
        if state == ACQUIRED:
            contents.hold(entry, self._unclaimed, NOBODY)

    def _replace(self, entry: Entry, previous: Entry) -> BrowserPosition | None:
        contents = self._contents
        if self._in_place and (previous.state != AVAILABLE or previous.place != entry.place):
            # One came between them, within the same batch, and had another place.
            contents.remove(previous, REPLACED, entry)
            return contents.add(entry, None)
        # The record has the sum already, to which the queue adds those of the entry that leaves.
        entry.updates -= previous.updates
        return contents.replace(previous, entry) if self._in_place else contents.add(entry, previous)

    def _note_key(self, entry: Entry) -> None:
        if entry.key is not None and self._lasting is not None:
            self._keys.append(entry.key)

    def _value(self, entry: Entry) -> Entry | None:
        """The value of an entry's key."""
        return None if entry.key is None else self._contents.current.get(entry.key)

    def _replaced(self, current: Entry | None, replaced: set[int]) -> Entry | None:
        """The key's value, if it leaves because of a newer one."""
        if current is None or current.sequence not in replaced:
            return None
        return self.present.pop(current.sequence, None)

    def _keep(self, entry: Entry) -> None:
        """Tell the keeper of an entry that it keeps."""
        if entry.is_kept and self._contents.keeper is not None:
            self._contents.keeper.kept(entry)

    def _stay_beside(self, entry: Entry, current: Entry | None, previous: Entry | None) -> None:
        """An entry has come; if it is superseded, it is not its key's value, nor what it replaced."""
        if entry.superseded and entry.key is not None:
            if current is not None and previous is None:
                self._contents.current.put(current)
            else:
                # The newer value follows, or has left within the same batch.
                self._contents.current.remove(entry.key)

    def _show(self, entry: Entry, position: BrowserPosition | None) -> None:
        if position is not None:
            wake(position.subscriptions)
        if self._tells:
            self._browsers.tell(entry)

    def supersede(self, entry: Entry) -> None:
        """A newer value of the entry's key came, and may have left again; the entry stays beside it."""
        entry.superseded = True
        self._keep(entry)
        if entry.key is not None and self._contents.current.get(entry.key) is entry:
            self._contents.current.remove(entry.key)

    def change(self, entry: Entry, state: i64, delivery_count: i64, message: Message | None) -> None:
        """An entry that was there, and still is, has another state, or another message."""
        contents = self._contents
        if message is not None:
            if entry.state == AVAILABLE:
                contents.hold(entry, self._unclaimed, NOBODY)
            contents.amend(entry, message)
        if entry.state == AVAILABLE and state == ACQUIRED:
            contents.hold(entry, self._unclaimed, NOBODY)
        elif entry.state == ACQUIRED and state == AVAILABLE:
            position = contents.put_back(entry, delivery_count)
            if position is not None:
                wake(position.subscriptions)
        entry.delivery_count = delivery_count

    def show_due(self, entry: Entry, updates: i64, replaced: set[int]) -> None:
        """An entry that was held back is available."""
        self._note_key(entry)
        current = self._value(entry)
        previous = self._replaced(current, replaced)
        entry.updates = updates if previous is None else updates - previous.updates
        position = self._contents.show_due(entry, previous)
        self._stay_beside(entry, current, previous)
        if position is not None:
            wake(position.subscriptions)
        self._browsers.tell(entry)

    def end(self, sequence: i64) -> None:
        """The changes are made; the queue's last sequence may be higher than those of its entries."""
        contents = self._contents
        contents.sequence = max(contents.sequence, sequence)
        lasting = self._lasting
        if lasting is not None:
            contents.tombstones = lasting
            for key in self._keys:
                if key in contents.current:
                    lasting.discard(key)
            self._lasting = None
            self._keys = []

    # ------------------------------------------------------------------ keys without a value

    def remember(self, noted: list[Tombstone], number: i64, forgotten: i64, epochs: list[EpochBegan]) -> None:
        """Take over the tombstones that are new, how far they go and are forgotten, and the epochs."""
        tombstones = self._contents.tombstones
        if tombstones is None:
            return
        for tombstone in noted:
            if tombstone.number > tombstones.number and tombstone.key not in self._contents.current:
                # Its value came and left within one batch.
                tombstones.discard(tombstone.key)
                tombstones.put(tombstone)
        tombstones.number = max(tombstones.number, number)
        if forgotten > tombstones.forgotten:
            tombstones.forget([each for each in tombstones.all() if each.number <= forgotten])
            tombstones.forgotten = max(tombstones.forgotten, forgotten)
        if epochs:
            tombstones.epochs = epochs
        if noted and tombstones.readers:
            wake(list(tombstones.readers.values()))

    # ------------------------------------------------------------------ the end

    def lead(self, timed: list[Entry]) -> None:
        """Decide by the queue itself from now on.

        Args:
            timed: the entries that expire or are held back; they have the times of their records again.
        """
        contents = self._contents
        contents.follows = False
        contents.deadlines = Deadlines()
        contents.waiting = Deadlines(True)
        for entry in timed:
            if entry.is_kept:
                entry.expires_ms = NEVER
            elif entry.expires_ms != NEVER:
                contents.deadlines.add(entry)
            if entry.state == HELD_BACK:
                contents.waiting.add(entry)


def without_deadlines(entry: Entry) -> Entry:
    """The entry, as a queue has it that follows."""
    entry.expires_ms = NEVER
    if entry.state == HELD_BACK:
        entry.not_before_ms = NEVER
    return entry
