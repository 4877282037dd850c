"""The keys of a queue that have changed: noted once, however many readers look through them."""

from bisect import bisect_right
from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

PAGE_KEYS: Final = 1024
"""How many changes are kept together, and looked through at once."""

_PASSED_PAGES: Final = 4
"""How many pages that all readers have passed are dropped at once, so that nobody waits for it."""

_EXAMINED_PAGES: Final = 2
"""In how many pages keys are looked for of which nothing is known: more than there are new ones."""


@final
class Change:
    """A key and when it changed.

    Attributes:
        place: the number of the change on its queue.
        text: the key's UTF-8, if it is a text.
        stale: the key has changed again, or is forgotten.
    """

    __slots__ = ("key", "page", "place", "stale", "text")

    def __init__(self, place: i64, key: bytes, text: bytes | None, page: "_Page") -> None:
        self.place: i64 = place
        self.key = key
        self.text = text
        self.page = page
        self.stale = False


@final
class _Page:
    """Changes that came one after the other.

    Attributes:
        last: the place of the last one, which may be gone.
        stale: how many of them are.
    """

    __slots__ = ("changes", "last", "stale")

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.last: i64 = 0
        self.stale: i64 = 0


@final
class Place:
    """How far one reader has looked through the changes of a queue, and what wakes it.

    Attributes:
        passed: the place of the last change that it has looked at.
        wake: called once when something has changed, if it waits.
    """

    __slots__ = ("passed", "wake")

    def __init__(self, passed: i64, wake: Callable[[], None]) -> None:
        self.passed: i64 = passed
        self.wake = wake


@final
class ChangedKeys:
    """The changed keys that begin alike, in the order of their last changes.

    A change costs the same whatever the number of readers, except that it wakes those that wait. What all
    readers have passed is dropped, and so is a key of which nothing is known any more: no more is kept than
    there are keys with a value or a tombstone, and a few pages.

    Args:
        is_known: whether a key has a value or a tombstone.

    Attributes:
        readers: those that look through them.
        waiting: the readers that the next change wakes.
        forgotten: the place of the last change that was dropped although it may concern a reader.
    """

    __slots__ = ("_examined", "_is_known", "_newest", "_pages", "forgotten", "readers", "waiting")

    def __init__(self, is_known: Callable[[bytes], bool]) -> None:
        self.readers: dict[Place, None] = {}
        self.waiting: dict[Place, None] = {}
        self.forgotten: i64 = 0
        self._is_known = is_known
        self._newest: dict[bytes, Change] = {}
        self._pages: list[_Page] = [_Page()]
        self._examined: i64 = 0

    def __len__(self) -> int:
        """How many keys are kept."""
        return len(self._newest)

    def add(self, place: i64, key: bytes, text: bytes | None) -> None:
        """Note the change of a key, and wake the readers that wait."""
        page = self._pages[len(self._pages) - 1]
        if len(page.changes) >= PAGE_KEYS:
            page = self._turn_page()
        before = self._newest.get(key)
        change = Change(place, key, text, page)
        page.changes.append(change)
        page.last = place
        self._newest[key] = change
        if before is not None:
            self._make_stale(before)
        if self.waiting:
            waiting = self.waiting
            self.waiting = {}
            for reader in waiting:
                reader.wake()

    def place_of(self, key: bytes) -> i64:
        """The place of the last change of a key; 0 if it is not kept."""
        change = self._newest.get(key)
        return 0 if change is None else change.place

    def after(self, place: i64) -> list[Change]:
        """Some of the changes after a place, in order; none if there are no more."""
        index: i64 = bisect_right(self._pages, place, key=_last_of)
        while index < len(self._pages):
            changes = self._pages[index].changes
            first = bisect_right(changes, place, key=_place_of)
            if first < len(changes):
                return changes[first:]
            index += 1
        return []

    def _make_stale(self, change: Change) -> None:
        change.stale = True
        page = change.page
        page.stale += 1
        if 2 * page.stale > len(page.changes):
            page.changes = [each for each in page.changes if not each.stale]
            page.stale = 0
            if not page.changes and page is not self._pages[len(self._pages) - 1]:
                self._pages.remove(page)

    def _turn_page(self) -> _Page:
        """Begin a page; drop some of what nobody needs any more."""
        if self.readers:
            passed = min(reader.passed for reader in self.readers)
            for _ in range(_PASSED_PAGES):
                if not self._pages or self._pages[0].last > passed:
                    break
                for change in self._pages.pop(0).changes:
                    if not change.stale:
                        del self._newest[change.key]
        page = _Page()
        self._pages.append(page)
        for _ in range(_EXAMINED_PAGES):
            self._forget_unknown()
        return page

    def _forget_unknown(self) -> None:
        """Forget the keys of one page, and of another one the next time, of which nothing is known."""
        index: i64 = self._examined if self._examined < len(self._pages) else 0
        page = self._pages[index]
        for change in list(page.changes):
            if not change.stale and not self._is_known(change.key):
                del self._newest[change.key]
                self.forgotten = max(self.forgotten, change.place)
                self._make_stale(change)
        # A page without changes is gone, and the next one in its place.
        gone = self._pages[index] is not page
        self._examined = index if gone else index + 1


def _last_of(page: _Page) -> int:
    return page.last


def _place_of(change: Change) -> int:
    return change.place
