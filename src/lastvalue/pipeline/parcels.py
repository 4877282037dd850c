"""The rows of a partition in parcels, each of which is sent as a whole, and may be sent again."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa

from lastvalue.client import Refusal
from lastvalue.client.encoding import encoded
from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import DELIVERY_DELAY, DELIVERY_TIME, DUPLICATE_ID, ORIGINAL_QUEUE, REASON
from lastvalue.pipeline.encoded_rows import RowBlock, encoded_rows
from lastvalue.pipeline.outgoing import UnusableColumnsError, message, rows
from lastvalue.pipeline.sink_options import Delivery, SinkOptions

_TIMES: Final = (DELIVERY_TIME, DELIVERY_DELAY)
_SHOWN: Final = 300
"""Characters of a row in an error."""


class RejectedRowError(LastvalueError):
    """A row cannot be sent."""

    condition = Condition.INVALID_FIELD


@dataclass
class Parcel:
    """Some rows in their order, kept so that the same can be sent again.

    Attributes:
        batches: the rows.
        options: the sink's.
        unusable: the rows that are no messages, as dead letters; of the last reading of `messages`.
    """

    batches: list[pa.RecordBatch]
    options: SinkOptions
    unusable: list[Message] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(batch.num_rows for batch in self.batches)

    def messages(self, duplicate_id: str | None = None) -> Iterator[Message]:
        """The rows as messages; the first one carries the id.

        Raises:
            RejectedRowError: a row cannot be a message, and there is no queue for dead letters.
        """
        self.unusable = []
        for batch in self.batches:
            for made in self._messages(batch):
                yield made if duplicate_id is None else marked(made, duplicate_id)
                duplicate_id = None

    def blocks(self, duplicate_id: str | None = None) -> Iterator[RowBlock | Iterator[Message]]:
        """The rows, encoded by column where that can be done, else as messages; the first carries the id.

        Raises:
            RejectedRowError: a row cannot be a message, and there is no queue for dead letters.
        """
        self.unusable = []
        options = self.options
        reserved = (DUPLICATE_ID,) if options.delivery is Delivery.EXACTLY_ONCE else ()
        for batch in self.batches:
            start = 0
            while duplicate_id is not None and start < batch.num_rows:
                first = [marked(made, duplicate_id) for made in self._messages(batch.slice(start, 1))]
                start += 1
                if first:
                    duplicate_id = None
                    yield iter(first)
            rest = batch.slice(start)
            found = encoded_rows(rest, options.key_property, durable=options.durable, reserved=reserved)
            yield self._messages(rest) if found is None else RowBlock(found)

    def payloads(self, duplicate_id: str | None = None) -> Iterator[bytes]:
        """The same one by one, encoded."""
        for block in self.blocks(duplicate_id):
            yield from block.payloads() if isinstance(block, RowBlock) else map(encoded, block)

    def dead_letters(self, refusals: list[Refusal]) -> list[Message]:
        """Messages that tell of the rows that are not taken, and of those that are no messages.

        Raises:
            RejectedRowError: it is for want of room that they are not taken, which is no fault of theirs.
        """
        reasons = {refusal.index: refusal.description or refusal.condition for refusal in refusals}
        letters = []
        if reasons:
            full = Condition.RESOURCE_LIMIT_EXCEEDED.amqp10
            for refusal in refusals:
                if refusal.condition == full:
                    raise RejectedRowError(f"{len(refusals)} rows were not taken: {refusal.description}")
            for index, sent in enumerate(self.messages()):
                if index in reasons:
                    letters.append(self._annotated(sent, reasons[index]))
        return letters + self.unusable

    def _messages(self, batch: pa.RecordBatch) -> Iterator[Message]:
        for row in rows(batch):
            try:
                yield self._made(row)
            except (UnusableColumnsError, InvalidMessageError, RejectedRowError) as fault:
                self._put_aside(row, fault)

    def _made(self, row: dict[str, object]) -> Message:
        options = self.options
        row.setdefault("durable", options.durable)
        made = message(row, options.key_property)
        if options.delivery is Delivery.EXACTLY_ONCE and DUPLICATE_ID in made.properties:
            raise RejectedRowError(
                f"a row has the property {DUPLICATE_ID}, which delivery 'exactly-once' sets itself; "
                "leave it out, or use 'at-least-once'"
            )
        if options.dead_letters is not None:
            # Else the sender finds out.
            encoded(made)
        return made

    def _put_aside(self, row: dict[str, object], fault: LastvalueError) -> None:
        text = json.dumps(row, default=str)
        if self.options.dead_letters is None:
            raise RejectedRowError(f"{fault}; the row is {text:.{_SHOWN}}") from fault
        self.unusable.append(
            self._annotated(Message(text, content_type="application/json", durable=True), str(fault))
        )

    def _annotated(self, sent: Message, reason: str) -> Message:
        # A dead letter is there at once, and stays.
        notes = {name: note for name, note in sent.annotations.items() if name not in _TIMES}
        notes |= {REASON: reason, ORIGINAL_QUEUE: self.options.queue}
        return replace(sent, annotations=notes, ttl_ms=None)


def marked(message: Message, duplicate_id: str) -> Message:
    """The message with an id for duplicate detection."""
    return replace(message, properties={**message.properties, DUPLICATE_ID: duplicate_id})


def parcels(batches: Iterable[pa.RecordBatch], options: SinkOptions) -> Iterator[Parcel]:
    """The rows in parcels of as many as a transaction has, the last one smaller; 0 makes one parcel of all.

    The same rows in other batches make the same parcels.
    """
    most = options.transaction_rows
    gathered: list[pa.RecordBatch] = []
    room = most
    for batch in batches:
        start = 0
        while start < batch.num_rows:
            part = batch.slice(start) if most == 0 else batch.slice(start, room)
            gathered.append(part)
            start += part.num_rows
            room -= part.num_rows
            if most and room == 0:
                yield Parcel(gathered, options)
                gathered, room = [], most
    if gathered:
        yield Parcel(gathered, options)
