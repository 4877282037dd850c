"""The management request about the messages that consumers have and have not settled.

HELD    `after`: only those with a higher sequence; `limit`: at most this many, at most 1,000. The answer is a
        list of messages by sequence, each as GET describes it, with `user`, who has it. It ends early where
        they are large: after a mebibyte.
"""

import heapq
from collections.abc import Iterator
from typing import Final

from mypy_extensions import i64

from lastvalue.broker.administration.request import Request, Response, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.listing import Listing
from lastvalue.broker.requests.value_requests import browsed, described
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics.queue_ranking import LOOKED_AT
from lastvalue.broker.statistics.removal_log import reader_name
from lastvalue.queues.entry import ACQUIRED, Entry

MOST_HELD: Final = 1000
"""Of one answer."""

MOST_BYTES: Final = 2**20

_HIGHEST: Final = 2**62


def tell_held(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer HELD. The caller needs the right to browse."""
    hosted = browsed(broker, request.name, owner)
    after = whole_number_in(request.body, "after", 0, 0, _HIGHEST)
    limit = whole_number_in(request.body, "limit", 100, 1, MOST_HELD)
    listing = Listing(_held(hosted, after, limit), owner.connection)
    return Response(200, "OK", listing.begin(broker.long_commands, now))


def _held(hosted: HostedQueue, after: int, limit: int) -> Iterator[object]:
    """The descriptions; None between them while more are looked at."""
    first: list[Entry] = []
    queue = hosted.queue
    for holder in [*(each.held for each in queue.subscriptions.values()), queue.unclaimed]:
        entries = holder.entries()
        for begin in range(0, len(entries), LOOKED_AT):
            first += [each for each in entries[begin : begin + LOOKED_AT] if each.sequence > after]
            if len(first) > 2 * limit:
                first = heapq.nsmallest(limit, first, key=_sequence)
            yield None
    size = 0
    for entry in heapq.nsmallest(limit, first, key=_sequence):
        # It may have been settled meanwhile.
        if entry.state == ACQUIRED:
            size += len(entry.encoded)
            yield {**described(entry), "user": reader_name(hosted, i64(entry.holder))}
            if size > MOST_BYTES:
                return


def _sequence(entry: Entry) -> int:
    return int(entry.sequence)
