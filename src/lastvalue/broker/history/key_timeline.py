"""Finds what a history has about a key."""

from collections.abc import Iterator
from typing import Final

from mypy_extensions import i64

from lastvalue.broker.history import recorder
from lastvalue.broker.history.history_base import HistoryBase
from lastvalue.broker.history.history_moments import is_single
from lastvalue.broker.history.records_in_force import NO_RECORD, NOTHING, RecordHead
from lastvalue.broker.long_commands import LOOKED_IN_A_STEP
from lastvalue.codec.amqp10.annotations import bytes_annotation, number_annotation, text_annotation
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.queues.entry import Entry

_LONGEST_NUMBER: Final = 20
"""The characters of the lowest 64-bit number."""


def key_annotations(text: str) -> tuple[bytes, ...]:
    """The annotations of the last-value keys that are shown as this text."""
    forms = [text_annotation(recorder.KEY, text)]
    if len(text) <= _LONGEST_NUMBER and text.removeprefix("-").isdecimal():
        number = int(text)
        if str(number) == text and -(2**63) <= number < 2**63:
            forms.append(number_annotation(recorder.KEY, number))
    try:
        binary = bytes.fromhex(text)
    except ValueError:
        return tuple(forms)
    if binary.hex() == text:
        forms.append(bytes_annotation(recorder.KEY, binary))
    return tuple(forms)


def find_key_records(
    base: HistoryBase, queue: str, key: tuple[bytes, ...], after: i64, found: list[Entry]
) -> Iterator[None]:
    """Find the records about a queue and about the messages of a key of it, in steps and in no order.

    Cost: a step for each record, a glance at those after `after`, and at those of the queue in the base if
    that ends later.

    Args:
        base: of the history.
        queue: the name of the queue.
        key: the key's annotations.
        after: only records with a higher number.
        found: for what is found.
    """
    head = RecordHead()
    tag = encode_value(queue)
    position = after
    looked = 0
    entry = base.oldest()
    while entry is not None:
        if entry.sequence > position:
            position = entry.sequence
            if _concerns(head, entry, tag, key):
                found.append(entry)
        looked += 1
        if looked % LOOKED_IN_A_STEP == 0:
            yield
            if not is_single(entry):
                # It was dropped meanwhile, with all before it, or a consumer took it.
                entry = base.oldest()
                continue
        entry = entry.next
    end = base.end
    if end <= after:
        return
    # Records were dropped meanwhile, too; what is in force of all that were dropped is here, as it is now.
    found[:] = [each for each in found if each.sequence > end]
    kept = base.records.entries_of(queue)
    for begin in range(0, len(kept), LOOKED_IN_A_STEP):
        yield
        part = kept[begin : begin + LOOKED_IN_A_STEP]
        found += [each for each in part if each.sequence > after and _concerns(head, each, tag, key)]


def _concerns(head: RecordHead, entry: Entry, tag: bytes, key: tuple[bytes, ...]) -> bool:
    encoded = entry.encoded
    head.read(encoded)
    if head.kind == NO_RECORD or head.queue != tag:
        return False
    if head.sequence == 0:
        return head.kind != NOTHING
    return head.has_key(encoded, key)
