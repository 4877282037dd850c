"""The records that stand for all earlier ones of a queue, once those are deleted."""

from collections.abc import Iterable
from dataclasses import replace

from lastvalue.history.moment import Moment
from lastvalue.history.records import DECLARED, DELETED, ENDED, PRESENT, Record
from lastvalue.queues.spec_arguments import spec_to_arguments


def base_of(records: Iterable[Record], offset: int, time_ms: int) -> list[Record]:
    """The records that rebuild what each queue held after these records; of queues of which that is known."""
    moments: dict[str, Moment] = {}
    for record in records:
        moments.setdefault(record.queue, Moment()).apply(record)
    return [
        record for queue, moment in moments.items() for record in base_records(moment, queue, offset, time_ms)
    ]


def base_records(moment: Moment, queue: str, offset: int, time_ms: int) -> list[Record]:
    """The records that rebuild a moment; empty if the moment is not complete."""
    if not moment.complete:
        return []
    if not moment.exists or moment.spec is None:
        return [Record(offset, DELETED, queue, time_ms)]
    base = [Record(offset, DECLARED, queue, time_ms, declaration=spec_to_arguments(moment.spec))]
    base += [
        replace(
            queued_message.record,
            offset=offset,
            effect=PRESENT,
            time_ms=time_ms,
            updates=queued_message.updates,
            expires_ms=queued_message.expires_ms,
            not_before_ms=queued_message.record.not_before_ms if queued_message.waits else None,
            delivery_count=queued_message.delivery_count,
            holder=queued_message.holder,
        )
        for _, queued_message in sorted(moment.present.items())
    ]
    if not moment.recorded:
        base.append(Record(offset, ENDED, queue, time_ms))
    return base
