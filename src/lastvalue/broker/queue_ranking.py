"""Lists of queues in the order of one of their statistics, and the sums of statistics."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, final

from lastvalue.broker import statistics
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec_arguments import type_name

Find = Callable[[str], HostedQueue | None]
"""The queue of a name, or None if it is gone or the caller may not see it."""

LOOKED_AT: Final = 20
"""How many queues are looked at between two nodes of a list, which `Listing` counts."""

_READ: Final[dict[str, Callable[[HostedQueue], Any]]] = {each.name: each.read for each in statistics.QUEUE}


def _conflation_ratio(hosted: HostedQueue) -> float:
    """Which part of what came was replaced by something newer before anything else became of it."""
    published = _READ["published"](hosted)
    return float(_READ["conflated"](hosted) / published) if published else 0.0


SORTED_AT_ONCE: Final = 1000
"""How many more queues than a list may have are sorted at a time: a millisecond."""

RANKS: Final[dict[str, Callable[[HostedQueue], Any]]] = {
    **_READ,
    "name": lambda hosted: hosted.queue.spec.name,
    "type": lambda hosted: type_name(hosted.queue.spec),
    "conflation_ratio": _conflation_ratio,
}
"""By what a list is ordered."""


@final
class QueueRanking:
    """The order that a request asks for.

    Args:
        body: `sort`: a statistic, `name`, `type` or `conflation_ratio`, with `-` before it the highest first;
            `offset`: without the first so many.

    Raises:
        InvalidSpecError: one of these has a wrong type or value.

    Attributes:
        is_by_name: whether it is the order in which lists are without it.
    """

    __slots__ = ("_descends", "_offset", "_rank", "is_by_name")

    def __init__(self, body: Mapping[str, Any]) -> None:
        sort, offset = body.get("sort", "name"), body.get("offset", 0)
        if not isinstance(sort, str) or sort.removeprefix("-") not in RANKS:
            raise InvalidSpecError(f"sort is {sort!r:.80}; expected one of {', '.join(sorted(RANKS))}")
        if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
            raise InvalidSpecError(f"offset is {offset!r:.80}; expected a whole number from 0")
        self.is_by_name = sort == "name" and not offset
        self._descends = sort.startswith("-")
        self._rank = RANKS[sort.removeprefix("-")]
        self._offset = offset

    def of(self, names: Sequence[str], find: Find, count: int) -> Iterator[str | None]:
        """The names of so many queues in the order; None between them while more are looked at."""
        wanted = self._offset + count
        ranked: list[tuple[Any, str]] = []
        for begin in range(0, len(names), LOOKED_AT):
            for name in names[begin : begin + LOOKED_AT]:
                hosted = find(name)
                if hosted is not None:
                    ranked.append((self._rank(hosted), name))
            if len(ranked) > 2 * wanted + SORTED_AT_ONCE:
                self._keep(ranked, wanted)
            yield None
        self._keep(ranked, wanted)
        for _, name in ranked[self._offset :]:
            yield name

    def _keep(self, ranked: list[tuple[Any, str]], wanted: int) -> None:
        """Sort, and leave no more than are wanted."""
        ranked.sort(reverse=self._descends)
        del ranked[wanted:]


def queue_sums(
    body: Mapping[str, Any], names: Sequence[str], find: Find
) -> Iterator[dict[str, object] | None]:
    """How many queues there are, and the sums of the statistics in `sums`; None while queues are looked at.

    Raises:
        InvalidSpecError: `sums` names something else.
    """
    summed = body.get("sums")
    if not isinstance(summed, list) or not all(isinstance(each, str) for each in summed):
        raise InvalidSpecError(f"sums is {summed!r:.80}; expected a list of statistics")
    unknown = [each for each in summed if each not in _READ]
    if unknown:
        raise InvalidSpecError(f"there is no statistic {unknown[0]!r:.80} of queues to sum")
    return _sums(summed, [_READ[each] for each in summed], names, find)


def _sums(
    summed: list[str], reads: list[Callable[[HostedQueue], Any]], names: Sequence[str], find: Find
) -> Iterator[dict[str, object] | None]:
    queues = 0
    totals = [0] * len(summed)
    for begin in range(0, len(names), LOOKED_AT):
        for name in names[begin : begin + LOOKED_AT]:
            hosted = find(name)
            if hosted is not None:
                queues += 1
                totals = [total + int(read(hosted)) for total, read in zip(totals, reads, strict=True)]
        yield None
    yield {"queues": queues, **dict(zip(summed, totals, strict=True))}
