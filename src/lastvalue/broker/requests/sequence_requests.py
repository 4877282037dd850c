"""Requests for the bounds of a batch, for readers that read a queue by sequences.

SEQUENCES asks `after` (default 0) and `messages` (default: no bound). The answer:

    last    the last sequence that the queue gave
    first   the sequence of the first message after `after`, or null if there is none
    gone    the highest sequence of a message that left without a newer value in its place; 0 for none
    end     the sequence at which a batch of `messages` ends, at most `last`
"""

from collections.abc import Iterator
from heapq import heappush, heappushpop
from typing import Final

from lastvalue.broker.administration.request import Request, Response, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import LOOKED_IN_A_STEP, Steps
from lastvalue.broker.rights.owner import Owner
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, Placement
from lastvalue.queues.subscription import ANY, Mode, Subscriber, Subscription

_NO_BOUND: Final = 2**62


def tell_sequences(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer SEQUENCES.

    Cost: for a queue in the order of its sequences, the messages from its nearer end to `after` and those
    of the batch; for any other queue, all its messages. In steps.
    """
    after = whole_number_in(request.body, "after", 0, 0, _NO_BOUND)
    messages = whole_number_in(request.body, "messages", _NO_BOUND, 1, _NO_BOUND)
    queue = broker.show(request.name, owner).queue
    last = int(queue.sequence)
    # There cannot be more messages after `after` than sequences.
    bounded = messages < last - after
    bounds: dict[str, object] = {
        "last": last, "first": None, "gone": int(queue.contents.highest_removed), "end": last
    }  # fmt: skip
    most = messages if bounded else 0
    find = _find_in_line if _by_sequence(queue) else _find_anywhere
    steps = Steps(find(queue, after, most, bounds), owner.connection, changes=False)
    broker.long_commands.begin(steps, now)
    return Response(200, "OK", bounds)


def _by_sequence(queue: Queue) -> bool:
    ordering = queue.spec.ordering
    in_place = isinstance(ordering, LastValue) and ordering.placement is not Placement.TAIL
    return not in_place and not queue.contents.available_list.ranked


def _find_in_line(queue: Queue, after: int, messages: int, bounds: dict[str, object]) -> Iterator[None]:
    """Find the bounds of a batch of this many messages; 0 is any number."""
    line = queue.contents.available_list
    last = int(queue.sequence)
    # What leaves meanwhile hands it to the next, as it does its browsers.
    marker = Subscription(0, Mode.BROWSE, Subscriber(), ANY)
    entry = line.near(after)
    while entry is not None and entry.sequence <= after:
        line.attach(marker, entry)
        yield
        entry = line.detach(marker)
        if entry is not None:
            entry = line.walk(entry, after)
    if entry is not None and entry.sequence <= last:
        bounds["first"] = int(entry.sequence)
    count = 0
    while entry is not None and count < messages and entry.sequence <= last:
        count += 1
        if count == messages:
            bounds["end"] = int(entry.sequence)
        entry = entry.next
        if count % LOOKED_IN_A_STEP == 0 and entry is not None:
            line.attach(marker, entry)
            yield
            entry = line.detach(marker)


def _find_anywhere(queue: Queue, after: int, messages: int, bounds: dict[str, object]) -> Iterator[None]:
    """The same where a message may stand anywhere."""
    line = queue.contents.available_list
    last = int(queue.sequence)
    marker = Subscription(0, Mode.BROWSE, Subscriber(), ANY)
    most = max(messages, 1)
    # The lowest sequences so far, as a heap whose first is the highest of them, negated.
    lowest: list[int] = []
    count = 0
    entry = line.head
    while entry is not None:
        count += 1
        sequence = int(entry.sequence)
        if after < sequence <= last:
            if len(lowest) < most:
                heappush(lowest, -sequence)
            elif sequence < -lowest[0]:
                heappushpop(lowest, -sequence)
        entry = entry.next
        if count % LOOKED_IN_A_STEP == 0 and entry is not None:
            line.attach(marker, entry)
            yield
            entry = line.detach(marker)
    if lowest:
        bounds["first"] = -max(lowest)
        if len(lowest) == messages:
            bounds["end"] = -lowest[0]
