"""The browsers of one queue, and how each moves through it."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.contents import Contents
from lastvalue.queues.entry import AVAILABLE, FOREVER, Entry, comes_after
from lastvalue.queues.subscription import UNBOUNDED, Subscription, scan_cost, wake

MOST_PASSED: Final = 200
"""How many entries that are not for a browser one call passes: a few milliseconds, with costly selectors."""


@final
class Browsers:
    """The readers that see each entry once, without acquiring it.

    One of them may be active: while it reads a batch it has no position in the list. Any other use of the
    list calls `park_cursor` first.

    Attributes:
        active_cursor: the browser that reads a batch, or None.
        paused: browsers get nothing.
    """

    __slots__ = ("_all", "_contents", "_in_place", "_marks", "active_cursor", "paused")

    def __init__(self, contents: Contents) -> None:
        self.active_cursor: Subscription | None = None
        self.paused = False
        self._all: dict[int, Subscription] = {}
        self._contents = contents
        self._in_place = False
        self._marks = False

    def protect(self, *, marks: bool) -> None:
        """Show only each key's current entry, because the queue replaces in place.

        With `marks` the entries that were shown get `browsed`.
        """
        self._in_place = True
        self._marks = marks

    # ------------------------------------------------------------------ coming and going

    def join(self, browser: Subscription) -> None:
        """Add a browser at the first entry that its terms may admit, or at the end if they say `only_new`.

        One that is aside has no position.
        """
        self._all[browser.number] = browser
        available_list = self._contents.available_list
        terms = browser.terms
        if terms.aside:
            return
        if terms.only_new:
            browser.move_to_end()
            available_list.attach(browser, None)
        elif terms.after >= 0 and terms.after_ms < 0 and self._by_sequence:
            browser.last_place = terms.after
            available_list.attach(browser, available_list.near(terms.after))
        else:
            available_list.attach(browser, available_list.head)

    @property
    def _by_sequence(self) -> bool:
        """Whether the entries are in the order of their sequences."""
        return not self._in_place and not self._contents.available_list.ranked

    def leave(self, browser: Subscription) -> None:
        """Remove a browser."""
        del self._all[browser.number]
        self._contents.available_list.detach(browser)
        browser.at = None

    def wake(self) -> None:
        """Wake all waiting browsers."""
        wake(list(self._all.values()))

    def park_cursor(self) -> None:
        """Put the active browser back into a position in the list."""
        active_cursor = self.active_cursor
        if active_cursor is not None:
            self.active_cursor = None
            self._contents.available_list.attach(active_cursor, active_cursor.at)

    def tell(self, entry: Entry) -> None:
        """Give a new entry to the browsers that have passed its place.

        Cost: one check per browser.
        """
        if not self._all:
            return
        passed = [browser for browser in self._all.values() if _is_behind(browser, entry)]
        for browser in passed:
            browser.add_missed(entry, self._contents.available)
        wake(passed)

    # ------------------------------------------------------------------ seeing

    def next(self, browser: Subscription, now: i64) -> Entry | None:
        """The browser's next entry, or None if there is none now."""
        if browser.missed is not None:
            missed = self._next_missed(browser, now)
            if missed is not None:
                return missed
        contents = self._contents
        active_cursor = self.active_cursor
        if active_cursor is browser:
            entry = browser.at
        else:
            if active_cursor is not None:
                self.park_cursor()
            entry = contents.available_list.detach(browser)
            self.active_cursor = browser
        if self.paused:
            self._stay(browser, entry)
            return None
        entry = self._first_shown(browser, entry, now)
        if entry is None:
            if not browser.scans_on:
                self._stay(browser, None)
            return None
        browser.last_rank = entry.rank
        browser.last_place = entry.place
        browser.at = entry.next
        if self._marks:
            entry.browsed = True
        return entry

    def _first_shown(self, browser: Subscription, entry: Entry | None, now: i64) -> Entry | None:
        """The first entry from this one on that is for the browser; expired ones on the way are removed.

        None if there is none, and after as many others as one call may pass: see `Subscription.scans_on`.
        """
        if entry is not None and entry.sequence <= browser.terms.after:
            entry = self._walk_on(browser, entry)
        passed: i64 = 0
        selective = self._in_place or browser.terms.selective
        until = browser.terms.until if self._by_sequence else UNBOUNDED
        while entry is not None:
            if 0 <= until < entry.sequence:
                return None
            passed_over = entry
            after = entry.next
            if entry.lifetime_ms != FOREVER and entry.expires_ms <= now:
                self._contents.remove_due(entry)
            # It may be kept all the same.
            if entry.state == AVAILABLE and (not selective or self._shows(entry, browser)):
                break
            if entry.state == AVAILABLE:
                browser.last_rank = entry.rank
                browser.last_place = entry.place
            passed += scan_cost(passed_over)
            entry = after
            if passed >= MOST_PASSED and entry is not None:
                browser.at = entry
                browser.scans_on = True
                return None
        return entry

    def _walk_on(self, browser: Subscription, entry: Entry) -> Entry | None:
        """The first entry after the sequence after which a browser begins.

        None if there is none, and after as many others as one call may pass: see `Subscription.scans_on`.
        """
        if browser.terms.after_ms >= 0 or not self._by_sequence:
            return entry
        available_list = self._contents.available_list
        first = available_list.walk(entry, browser.terms.after)
        if first is not None and first.sequence <= browser.terms.after:
            browser.at = first
            browser.scans_on = True
            return None
        return first

    def _stay(self, browser: Subscription, entry: Entry | None) -> None:
        """Park the active browser at an entry, or at the end, to wait."""
        self.active_cursor = None
        self._contents.available_list.attach(browser, entry)
        browser.waiting = True

    def _shows(self, entry: Entry, browser: Subscription) -> bool:
        """Whether the terms admit the entry and it is its key's current one."""
        if self._in_place and entry.key is not None and self._contents.current.get(entry.key) is not entry:
            return False
        return browser.terms.admits(entry)

    def _next_missed(self, browser: Subscription, now: i64) -> Entry | None:
        """The first available entry that was put before the browser's position after it had passed."""
        missed = browser.missed
        if missed is None or self.paused:
            return None
        entry = missed.first()
        while entry is not None:
            missed.discard(entry)
            if entry.state == AVAILABLE:
                if entry.expires_ms <= now:
                    self.park_cursor()
                    self._contents.remove_due(entry)
                elif self._shows(entry, browser):
                    if self._marks:
                        entry.browsed = True
                    return entry
            entry = missed.first()
        browser.missed = None
        return None


def _is_behind(browser: Subscription, entry: Entry) -> bool:
    """Whether a browser has passed an entry's place, and its position is behind that place.

    A browser with `only_new` counts as past every place, although its position is the first new entry.
    """
    position = browser.browser_position
    at = None if position is None else position.entry
    return browser.has_passed(entry) and (at is None or comes_after(at, entry.rank, entry.place))
