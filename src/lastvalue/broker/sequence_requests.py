"""Requests for the bounds of a batch, for readers that read a queue by sequences.

SEQUENCES asks `after` (default 0) and `messages` (default: no bound). The answer:

    last    the last sequence that the queue gave
    first   the sequence of the first message after `after`, or null if there is none
    gone    the highest sequence of a message that left without a newer value in its place; 0 for none
    end     the sequence at which a batch of `messages` ends, at most `last`
"""

from heapq import nsmallest
from typing import Final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.broker.requests import Request, Response, whole_number_in
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, Placement

_NO_BOUND: Final = 2**62


def tell_sequences(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer SEQUENCES.

    Cost: for a queue in the order of its sequences, the messages from its nearer end to `after` and those
    of the batch; for any other queue, all its messages.
    """
    del now
    after = whole_number_in(request.body, "after", 0, 0, _NO_BOUND)
    messages = whole_number_in(request.body, "messages", _NO_BOUND, 1, _NO_BOUND)
    queue = broker.show(request.name, owner).queue
    last = int(queue.sequence)
    # There cannot be more messages after `after` than sequences.
    bounded = messages < last - after
    count = messages if bounded else 1
    if _by_sequence(queue):
        sequences = _next_in_line(queue, after, count)
    else:
        sequences = nsmallest(
            count, [int(entry.sequence) for entry in queue.entries() if entry.sequence > after]
        )
    end = sequences[-1] if bounded and len(sequences) == count else last
    return Response(
        200,
        "OK",
        {
            "last": last,
            "first": sequences[0] if sequences else None,
            "gone": int(queue.contents.highest_removed),
            "end": end,
        },
    )


def _by_sequence(queue: Queue) -> bool:
    ordering = queue.spec.ordering
    in_place = isinstance(ordering, LastValue) and ordering.placement is not Placement.TAIL
    return not in_place and not queue.contents.available_list.ranked


def _next_in_line(queue: Queue, after: i64, count: i64) -> list[int]:
    """The sequences of at most so many messages after `after`."""
    entry = queue.contents.available_list.first_after(after)
    sequences: list[int] = []
    while entry is not None and len(sequences) < count:
        sequences.append(int(entry.sequence))
        entry = entry.next
    return sequences
