"""Top talkers: the keys of a queue that are updated most, counted in bounded memory."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.queues.effects import Added, Dismissed, Effect, Scheduled, Updated


@final
class Talker:
    """A key that is updated often.

    Attributes:
        key: its canonical bytes.
        messages: how many messages of it came, at most.
        error: by how many that may be too many.
    """

    __slots__ = ("error", "key", "messages")

    def __init__(self, key: bytes, messages: i64, error: i64) -> None:
        self.key = key
        self.messages: i64 = messages
        self.error: i64 = error


@final
class FrequencySketch:
    """How often keys occur, of at most this many keys (Space-Saving; Metwally, Agrawal, El Abbadi 2005).

    A key that is not counted takes the place of one that is counted least, and its count. So every key that
    occurs more often than the total divided by the number of places is counted, and no count is too low.
    Counting takes constant time: keys of equal counts are together.
    """

    __slots__ = ("_by_count", "_counts", "_errors", "_least", "_places")

    def __init__(self, places: i64) -> None:
        self._places: i64 = places
        self._counts: dict[bytes, int] = {}
        self._errors: dict[bytes, int] = {}
        self._by_count: dict[int, dict[bytes, None]] = {}
        self._least = 0

    def note(self, key: bytes) -> None:
        """A key has occurred."""
        count = self._counts.get(key, 0)
        if count > 0:
            self._leave(key, count)
        elif len(self._counts) >= self._places:
            count = self._least
            victim = next(iter(self._by_count[count]))
            self._leave(victim, count)
            del self._counts[victim]
            del self._errors[victim]
            self._errors[key] = count
        else:
            self._errors[key] = 0
        self._counts[key] = count + 1
        self._by_count.setdefault(count + 1, {})[key] = None
        if count == 0 or self._least not in self._by_count:
            # Where nothing has the least count any more, the key that left it has the next one.
            self._least = count + 1

    def most(self, number: i64) -> list[Talker]:
        """The keys that occur most, at most this many of them, the first one most often."""
        keys = sorted(self._counts, key=self._counts.__getitem__, reverse=True)[:number]
        return [Talker(key, self._counts[key], self._errors[key]) for key in keys]

    def _leave(self, key: bytes, count: int) -> None:
        together = self._by_count[count]
        del together[key]
        if not together:
            del self._by_count[count]


@final
class TopTalkers(Observer):
    """Counts the updates of keys on the queues that ask for it by their option `top_talkers`."""

    __slots__ = ("_sketches",)

    def __init__(self) -> None:
        self._sketches: dict[HostedQueue, tuple[int, FrequencySketch]] = {}

    def most(self, hosted: HostedQueue, number: i64) -> list[Talker]:
        """The keys of a queue that are updated most, since its option `top_talkers` was set or changed."""
        counted = self._sketches.get(hosted)
        return [] if counted is None else counted[1].most(number)

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._sketches.pop(hosted, None)

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del now
        places = hosted.queue.spec.top_talkers
        if places == 0 or hosted.ownership.ending:
            if self._sketches:
                self._sketches.pop(hosted, None)
            return
        counted = self._sketches.get(hosted)
        if counted is None or counted[0] != places:
            counted = self._sketches[hosted] = (places, FrequencySketch(places))
        sketch = counted[1]
        for effect in effects:
            if isinstance(effect, (Added, Updated, Dismissed, Scheduled)) and effect.entry.key is not None:
                sketch.note(effect.entry.key)
