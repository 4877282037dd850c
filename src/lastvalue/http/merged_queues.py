"""A list of the queues of all brokers between which queues are divided.

A queue whose keys several brokers have is there once for each, with what that one has; so is a name that no
partition has and that several brokers use for queues of their own.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from lastvalue.client import Connection, Page, QueueInfo
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem, text_of
from lastvalue.http.queue_pages import QueuePage
from lastvalue.model.errors import LastvalueError

AT_ONCE: Final = 500
"""How many queues one answer of a broker has."""


@dataclass(frozen=True, slots=True)
class ListedBroker:
    """A broker whose queues are listed.

    Attributes:
        address: of the broker, which is also in the list.
        caller: the caller there, or why the caller does not get there.
    """

    address: str
    caller: Caller | Problem


@dataclass(frozen=True, slots=True)
class ListedQueue:
    """A queue, or the part of it that one broker has."""

    broker: str
    info: QueueInfo


@dataclass(frozen=True, slots=True)
class MergedPage:
    """A page of the queues of all brokers.

    Attributes:
        queues: of the page, in its order.
        rest: the parameters of the next page, or None.
        unreachable: the brokers whose queues are not among them: `broker`, `status`, `detail`.
    """

    queues: list[ListedQueue]
    rest: dict[str, Any] | None
    unreachable: list[dict[str, Any]]


async def merged_queues(access: BrokerAccess, brokers: Sequence[ListedBroker], page: QueuePage) -> MergedPage:
    """A page of the queues that the caller may see at these brokers.

    By name a page has all queues of its last name, so it can be longer than was asked.
    """
    lists = await asyncio.gather(*(_read(access, each, page) for each in brokers))
    found = [
        [ListedQueue(broker.address, info) for info in answer]
        for broker, answer in zip(brokers, lists, strict=True)
        if isinstance(answer, list)
    ]
    unreachable = [
        {"broker": broker.address, **answer}
        for broker, answer in zip(brokers, lists, strict=True)
        if isinstance(answer, dict)
    ]
    queues, rest = (_by_name if page.is_by_name else _by_statistic)(found, page)
    return MergedPage(queues, rest, unreachable)


async def _read(
    access: BrokerAccess, listed: ListedBroker, page: QueuePage
) -> list[QueueInfo] | dict[str, Any]:
    fault: LastvalueError | Problem
    if isinstance(listed.caller, Problem):
        fault = listed.caller
    else:
        try:
            async with access.connections.use(listed.caller) as broker:
                return await _newest(broker, page)
        except (LastvalueError, Problem) as error:
            fault = error
    status, detail = text_of(fault)
    return {"status": status, "detail": detail}


async def _newest(broker: Connection, page: QueuePage) -> list[QueueInfo]:
    """What a broker may contribute to the page."""
    if page.is_by_name:
        asked = Page(after=page.after, contains=page.contains, count=page.limit)
        return await broker.queues(page=asked)
    found: list[QueueInfo] = []
    # One more tells whether there is another page.
    wanted = page.offset + page.limit + 1
    while len(found) < wanted:
        count = min(AT_ONCE, wanted - len(found))
        part = await broker.queues(
            page=Page(contains=page.contains, count=count, sort=page.sort, offset=len(found))
        )
        found += part
        if len(part) < count:
            break
    return found


def _by_name(
    lists: Sequence[Sequence[ListedQueue]], page: QueuePage
) -> tuple[list[ListedQueue], dict[str, Any] | None]:
    # Behind the end of a full list there are names that it does not have.
    ends = [each[-1].info.name for each in lists if len(each) == page.limit]
    known = sorted(
        (each for part in lists for each in part if not ends or each.info.name <= min(ends)),
        key=attrgetter("info.name", "broker"),
    )
    if len(known) < page.limit:
        return known, None
    last = known[page.limit - 1].info.name
    queues = [each for each in known if each.info.name <= last]
    if len(queues) == len(known) and not ends:
        return queues, None
    return queues, page.model_dump(exclude_defaults=True) | {"after": last}


def _by_statistic(
    lists: Sequence[Sequence[ListedQueue]], page: QueuePage
) -> tuple[list[ListedQueue], dict[str, Any] | None]:
    name, descends = page.sort.removeprefix("-"), page.sort.startswith("-")
    merged = sorted(
        (each for part in lists for each in part),
        key=lambda each: (_rank(each.info, name), each.info.name, each.broker),
        reverse=descends,
    )
    end = page.offset + page.limit
    rest = page.model_dump(exclude_defaults=True) | {"offset": end} if len(merged) > end else None
    return merged[page.offset : end], rest


def _rank(info: QueueInfo, name: str) -> Any:
    """What the broker sorts by."""
    if name == "conflation_ratio":
        return info.statistics.get("conflated", 0) / info.published if info.published else 0.0
    return getattr(info, name) if hasattr(info, name) else info.statistics.get(name, 0)
