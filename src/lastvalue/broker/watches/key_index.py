"""An index by which a changed key finds the readers of it."""

from collections.abc import Callable
from operator import attrgetter
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.canonical_keys import key_text
from lastvalue.broker.watches.changed_keys import ChangedKeys, Place
from lastvalue.broker.watches.key_pattern import KeyPattern
from lastvalue.broker.watches.update_log import UpdateLog
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.effects import (
    REPLACED,
    STALE,
    Added,
    Dismissed,
    Due,
    Effect,
    Removed,
    Superseded,
    Updated,
)
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue

MOST_NAMED: Final = 1000
"""A reader that names more keys looks through all changed keys, so that a change does not wake by each."""

MOST_LENGTHS: Final = 16
"""Of how many lengths the beginnings of patterns are, by which a changed key is looked up."""

LOOK_BYTES: Final = 64
"""A key that a pattern is matched with counts as one look more for this many bytes."""


@final
class _NamedKey:
    """A key that readers name.

    Attributes:
        place: of its last change.
        readers: how many name it.
        waiting: those that its next change concerns; others have it among their changed keys already.
    """

    __slots__ = ("key", "place", "readers", "waiting")

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.place: i64 = 0
        self.readers: i64 = 0
        self.waiting: dict[KeyReader, None] = {}


@final
class KeyReader:
    """What one reader has to look at of the changed keys. `KeyIndex.join` makes one.

    It looks at the changes up to one moment after the other: `begin`, and `read` until that is done.

    Attributes:
        place: how far it has looked.
    """

    def __init__(self, index: "KeyIndex", pattern: KeyPattern, wake: Callable[[], None]) -> None:
        self.pattern = pattern
        self.place = Place(index.place, wake)
        # Of a reader that names keys: these, and those that have changed.
        self.named: dict[bytes, _NamedKey] = {}
        self.changed: list[_NamedKey] = []
        # Of another one: what it looks through, and where the index has that.
        self.shared: ChangedKeys | None = None
        self.beginning = b""
        self._index = index
        self._until: i64 = index.place

    @property
    def done(self) -> bool:
        """Whether it has looked at all up to the moment of `begin`."""
        return self.place.passed >= self._until

    @property
    def is_lost(self) -> bool:
        """Whether a change was forgotten that may concern it."""
        return self.shared is not None and self.place.passed < self.shared.forgotten

    def begin(self) -> bool:
        """Look at what has changed up to now; if that is nothing, false, and the next change wakes it."""
        self._until = self._index.place
        if self.shared is None:
            if not self.changed:
                self.place.passed = self._until
                return False
        elif self.place.passed >= self._until:
            self.shared.waiting[self.place] = None
            return False
        return True

    def read(self, looks: i64, found: list[bytes]) -> i64:
        """Find some of the changed keys that it asks for, in the order of their last changes.

        Args:
            looks: how many keys to look at.
            found: the keys are added to it.

        Returns:
            How many looks are left, or less than 1.
        """
        if self.shared is not None:
            return self._look_through(self.shared, looks, found)
        changed = self.changed
        self.changed = []
        changed.sort(key=attrgetter("place"))
        for named in changed:
            named.waiting[self] = None
            found.append(named.key)
        self.place.passed = self._until
        return looks - len(changed)

    def _look_through(self, shared: ChangedKeys, looks: i64, found: list[bytes]) -> i64:
        place, until, pattern = self.place, self._until, self.pattern
        while looks > 0 and place.passed < until:
            changes = shared.after(place.passed)
            if not changes:
                place.passed = until
            for change in changes:
                if change.place > until:
                    place.passed = until
                    break
                place.passed = change.place
                if change.stale:
                    continue
                looks -= 1 + len(change.key) // LOOK_BYTES
                if pattern.matches(change.key, change.text):
                    found.append(change.key)
                if looks <= 0:
                    break
        return looks

    def is_newer(self, key: bytes) -> bool:
        """Whether a key that it asks for has changed since: it is still to be found."""
        if self.shared is not None:
            return self.shared.place_of(key) > self.place.passed
        named = self.named.get(key)
        return named is not None and named.place > self.place.passed


@final
class KeyIndex:
    """The readers of named keys, by key, and those of patterns, by the text before the first wildcard.

    A changed key is looked up by name, and once for each length of such a text, of which there are few. It
    is noted once for all readers that share that, and they look whether it fits when they are served: so what
    a change costs does not grow with them, and readers of other keys cost nothing.

    Args:
        queue: whose keys they are.
        memory: what updates take that wait for readers.

    Attributes:
        place: the number of the last change.
        updates: for readers that make values of them.
        replaced: readers that hear of every entry that a newer value of its key has replaced.
    """

    def __init__(self, queue: Queue, memory: MemoryAccount) -> None:
        self.place: i64 = 0
        self.updates = UpdateLog(memory)
        self.replaced: dict[Callable[[Entry], None], None] = {}
        self._queue = queue
        self._named: dict[bytes, _NamedKey] = {}
        self._by_beginning: dict[int, dict[bytes, ChangedKeys]] = {}

    @property
    def empty(self) -> bool:
        """Whether nobody is in it."""
        return not (self._named or self._by_beginning or self.replaced) and self.updates.empty

    def tell(self, effect: Effect) -> None:
        """Tell those concerned what an effect on the queue changes."""
        self._note(effect)
        if self.replaced:
            self._note_replaced(effect)
        if isinstance(effect, (Added, Updated, Due, Removed)):
            key = effect.entry.key
            if key is not None and not (isinstance(effect, Removed) and effect.reason is REPLACED):
                self.change(key)

    def _note(self, effect: Effect) -> None:
        """Keep an update of a key, if only a late one, for those that make values of all."""
        if self.updates.empty or not isinstance(effect, (Added, Updated, Due, Dismissed)):
            return
        if not isinstance(effect, Dismissed) or effect.reason is STALE:
            self.updates.add(effect.entry)

    def _note_replaced(self, effect: Effect) -> None:
        previous: Entry | None = None
        if isinstance(effect, Updated):
            previous = effect.previous
        elif isinstance(effect, Superseded) or (isinstance(effect, Removed) and effect.reason is REPLACED):
            previous = effect.entry
        if previous is not None:
            for listener in list(self.replaced):
                listener(previous)

    def change(self, key: bytes) -> None:
        """A key has another value, or none."""
        self.place += 1
        named = self._named.get(key)
        if named is not None:
            named.place = self.place
            if named.waiting:
                waiting = named.waiting
                named.waiting = {}
                for reader in waiting:
                    reader.changed.append(named)
                    reader.place.wake()
        if not self._by_beginning:
            return
        text = key_text(self._queue, key)
        for length, beginnings in self._by_beginning.items():
            shared = beginnings.get(b"" if text is None else text[:length])
            if shared is not None:
                shared.add(self.place, key, text)

    def join(self, pattern: KeyPattern, wake: Callable[[], None]) -> KeyReader:
        """Add a reader of the keys that change from now on; `wake` is called once when there are any."""
        reader = KeyReader(self, pattern, wake)
        keys = pattern.keys
        if keys is not None and len(keys) <= MOST_NAMED:
            for key in keys:
                named = self._named.setdefault(key, _NamedKey(key))
                named.readers += 1
                named.waiting[reader] = None
                reader.named[key] = named
            return reader
        beginning = self._beginning(pattern)
        beginnings = self._by_beginning.setdefault(len(beginning), {})
        shared = beginnings.get(beginning)
        if shared is None:
            shared = beginnings[beginning] = ChangedKeys(self._is_known)
        shared.readers[reader.place] = None
        shared.waiting[reader.place] = None
        reader.shared, reader.beginning = shared, beginning
        return reader

    def _beginning(self, pattern: KeyPattern) -> bytes:
        """The text by which a pattern is found: where there are many lengths, one of those that there are."""
        lengths = self._by_beginning
        length = len(pattern.prefix)
        if length not in lengths and len(lengths) >= MOST_LENGTHS:
            length = max((each for each in lengths if each < length), default=0)
        return pattern.prefix[:length]

    def leave(self, reader: KeyReader) -> None:
        """End what `join` began."""
        for key, named in reader.named.items():
            named.waiting.pop(reader, None)
            named.readers -= 1
            if named.readers == 0:
                del self._named[key]
        reader.named = {}
        shared = reader.shared
        if shared is None or reader.place not in shared.readers:
            return
        del shared.readers[reader.place]
        shared.waiting.pop(reader.place, None)
        if not shared.readers:
            beginnings = self._by_beginning[len(reader.beginning)]
            del beginnings[reader.beginning]
            if not beginnings:
                del self._by_beginning[len(reader.beginning)]

    def _is_known(self, key: bytes) -> bool:
        contents = self._queue.contents
        tombstones = contents.tombstones
        return key in contents.current or (tombstones is not None and tombstones.of(key) is not None)
