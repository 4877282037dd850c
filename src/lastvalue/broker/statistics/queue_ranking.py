"""Lists of queues in the order of one of their statistics, and the sums of statistics."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, final

from lastvalue.broker.administration.request import whole_number_in
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics import statistic as statistics
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.queue_statistics import OF_NAME, Unit
from lastvalue.queues.spec_arguments import type_name

Find = Callable[[str], HostedQueue | None]
"""The queue of a name, or None if it is gone or the caller may not see it."""

LOOKED_AT: Final = 20
"""How many queues are looked at between two nodes of a list, which `Listing` counts."""

_ADDED_AT_ONCE: Final = 5
"""How many queues' statistics are added up between two nodes: a queue has dozens."""

_READ: Final[dict[str, Callable[[HostedQueue], Any]]] = {each.name: each.read for each in statistics.QUEUE}

_NUMBERS: Final = {name: read for name, read in _READ.items() if OF_NAME[name].unit != Unit.TEXT}
REMOVED: Final = "removed"
"""Asks for sums by reason."""

_COMBINED: Final = ("sums", "highest", "lowest")


def asks_for_sums(body: Mapping[str, Any]) -> bool:
    """Whether a list is to be one map of statistics over all queues."""
    return any(each in body for each in _COMBINED)


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
            `offset`: how many of the first names to leave out.

    Raises:
        InvalidSpecError: one of these has a wrong type or value.

    Attributes:
        is_by_name: whether it is the order in which lists are without it.
    """

    __slots__ = ("_descends", "_offset", "_rank", "is_by_name")

    def __init__(self, body: Mapping[str, Any]) -> None:
        sort = body.get("sort", "name")
        if not isinstance(sort, str) or sort.removeprefix("-") not in RANKS:
            raise InvalidSpecError(f"sort is {sort!r:.80}; expected one of {', '.join(sorted(RANKS))}")
        offset = whole_number_in(body, "offset", 0)
        self.is_by_name = sort == "name" and not offset
        self._descends = sort.startswith("-")
        self._rank = RANKS[sort.removeprefix("-")]
        self._offset = offset

    def of(self, names: Sequence[str], find: Find, count: int) -> Iterator[str | None]:
        """The names of this many queues in the order; None between them while more are looked at."""
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
    """How many queues there are, and statistics over all of them; None while queues are looked at.

    Args:
        body: `sums`: statistics to add up, with `removed` those by reason; `highest` and `lowest`: statistics
            whose highest value counts, or whose lowest that is not 0.
        names: of the queues.
        find: each of them.

    Raises:
        InvalidSpecError: one of these names something else, or two of them the same.
    """
    asked = {each: _asked(body, each) for each in _COMBINED}
    every = [name for named in asked.values() for name in named]
    twice = [name for name in every if every.count(name) > 1]
    if twice:
        raise InvalidSpecError(f"the statistic {twice[0]!r} is asked for more than once")
    summed = asked["sums"]
    return _sums(
        _Totals([each for each in summed if each != REMOVED], asked["highest"], asked["lowest"]),
        REMOVED in summed,
        names,
        find,
    )


def _asked(body: Mapping[str, Any], combined: str) -> list[str]:
    named = body.get(combined, [])
    if not isinstance(named, list) or not all(isinstance(each, str) for each in named):
        raise InvalidSpecError(f"{combined} is {named!r:.80}; expected a list of statistics")
    unknown = [
        each for each in named if each not in _NUMBERS and not (combined == "sums" and each == REMOVED)
    ]
    if unknown:
        raise InvalidSpecError(f"there is no number {unknown[0]!r:.80} among the statistics of queues")
    return list(named)


@final
class _Totals:
    """Statistics over many queues.

    Attributes:
        queues: how many have been added.
    """

    __slots__ = ("_highest", "_lowest", "_sums", "queues")

    def __init__(self, summed: list[str], highest: list[str], lowest: list[str]) -> None:
        self.queues = 0
        self._sums = dict.fromkeys(summed, 0)
        self._highest = dict.fromkeys(highest, 0)
        self._lowest = dict.fromkeys(lowest, 0)

    def add(self, hosted: HostedQueue) -> None:
        """Count a queue."""
        self.queues += 1
        sums, highest, lowest = self._sums, self._highest, self._lowest
        for name in sums:
            sums[name] += int(_NUMBERS[name](hosted))
        for name in highest:
            highest[name] = max(highest[name], int(_NUMBERS[name](hosted)))
        for name in lowest:
            value = int(_NUMBERS[name](hosted))
            if value and (value < lowest[name] or not lowest[name]):
                lowest[name] = value

    def sums(self) -> dict[str, object]:
        """Each by its name."""
        return {"queues": self.queues, **self._sums, **self._highest, **self._lowest}


def _sums(
    totals: _Totals, with_removed: bool, names: Sequence[str], find: Find
) -> Iterator[dict[str, object] | None]:
    removed: dict[str, int] = {}
    for begin in range(0, len(names), _ADDED_AT_ONCE):
        for name in names[begin : begin + _ADDED_AT_ONCE]:
            hosted = find(name)
            if hosted is not None:
                totals.add(hosted)
                if with_removed:
                    for reason, count in statistics.removed(hosted.queue).items():
                        removed[reason] = removed.get(reason, 0) + count
        yield None
    yield totals.sums() | {REMOVED: removed} if with_removed else totals.sums()
