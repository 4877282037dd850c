"""The rows of a partition in batches. Each batch is sent as a whole, and can be sent again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa

from lastvalue.client import Refusal
from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.jsonable import strict_json
from lastvalue.model.property_names import (
    DELIVERY_DELAY,
    DELIVERY_TIME,
    DUPLICATE_ID,
    ORIGINAL_QUEUE,
    REASON,
)
from lastvalue.pipeline.sink.encoded_rows import RowBlock, encoded_rows
from lastvalue.pipeline.sink.options import Delivery, SinkOptions
from lastvalue.pipeline.sink.sink_columns import UnusableColumnsError, message, rows

_DELAYS: Final = (DELIVERY_TIME, DELIVERY_DELAY)
_SHOWN: Final = 300
"""Characters of a row in an error."""


class RejectedRowError(LastvalueError):
    """A row cannot be sent."""

    condition = Condition.INVALID_FIELD


@dataclass
class RowBatch:
    """Rows in their order, held so that they can be sent again.

    Attributes:
        record_batches: the rows.
        options: the sink's.
        unusable: dead letters for the rows that cannot become messages, from the last call of `messages`.
    """

    record_batches: list[pa.RecordBatch]
    options: SinkOptions
    unusable: list[Message] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(batch.num_rows for batch in self.record_batches)

    def messages(self, duplicate_id: str | None = None) -> Iterator[Message]:
        """The rows as messages; the first one carries the id.

        Raises:
            RejectedRowError: a row cannot become a message, and there is no dead-letter queue.
        """
        self.unusable = []
        for batch in self.record_batches:
            for sent in self._messages(batch):
                yield sent if duplicate_id is None else with_duplicate_id(sent, duplicate_id)
                duplicate_id = None

    def blocks(self, duplicate_id: str | None = None) -> Iterator[RowBlock | Iterator[Message]]:
        """The rows, encoded by column where possible, otherwise as messages; the first one carries the id.

        Raises:
            RejectedRowError: a row cannot become a message, and there is no dead-letter queue.
        """
        self.unusable = []
        options = self.options
        reserved = (DUPLICATE_ID,) if options.delivery is Delivery.EXACTLY_ONCE else ()
        for batch in self.record_batches:
            start = 0
            while duplicate_id is not None and start < batch.num_rows:
                row = self._messages(batch.slice(start, 1))
                first = [with_duplicate_id(sent, duplicate_id) for sent in row]
                start += 1
                if first:
                    duplicate_id = None
                    yield iter(first)
            rest = batch.slice(start)
            payloads = encoded_rows(rest, options.sent_key, durable=options.durable, reserved=reserved)
            yield self._messages(rest) if payloads is None else RowBlock(payloads)

    def payloads(self, duplicate_id: str | None = None) -> Iterator[bytes]:
        """The encoded messages of `blocks`, one by one."""
        for block in self.blocks(duplicate_id):
            yield from block.payloads() if isinstance(block, RowBlock) else map(encode_message, block)

    def dead_letters(self, refusals: list[Refusal]) -> list[Message]:
        """Dead letters for the rows that the broker refused, and for those that cannot become messages.

        Raises:
            RejectedRowError: the broker refused rows because the queue is full; the rows are not at fault.
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
                yield self._message(row)
            except (UnusableColumnsError, InvalidMessageError, RejectedRowError) as fault:
                self._reject(row, fault)

    def _message(self, row: dict[str, object]) -> Message:
        options = self.options
        row.setdefault("durable", options.durable)
        sent = message(row, options.sent_key)
        if options.delivery is Delivery.EXACTLY_ONCE and DUPLICATE_ID in sent.properties:
            raise RejectedRowError(
                f"a row has the property {DUPLICATE_ID}, which delivery 'exactly-once' sets itself; "
                "leave it out, or use 'at-least-once'"
            )
        if options.dead_letters is not None:
            # Without a dead-letter queue the sender finds the fault.
            encode_message(sent)
        return sent

    def _reject(self, row: dict[str, object], fault: LastvalueError) -> None:
        text = strict_json(row, default=str)
        if self.options.dead_letters is None:
            raise RejectedRowError(f"{fault}; the row is {text:.{_SHOWN}}") from fault
        self.unusable.append(
            self._annotated(Message(text, content_type="application/json", durable=True), str(fault))
        )

    def _annotated(self, sent: Message, reason: str) -> Message:
        # A dead letter is delivered without delay and does not expire.
        notes = {name: note for name, note in sent.annotations.items() if name not in _DELAYS}
        notes |= {REASON: reason, ORIGINAL_QUEUE: self.options.queue}
        return replace(sent, annotations=notes, ttl_ms=None)


def with_duplicate_id(sent: Message, duplicate_id: str) -> Message:
    """The message with an id for duplicate detection."""
    return replace(sent, properties={**sent.properties, DUPLICATE_ID: duplicate_id})


def row_batches(record_batches: Iterable[pa.RecordBatch], options: SinkOptions) -> Iterator[RowBatch]:
    """The rows in batches of `transaction_rows`; the last one is smaller. 0 makes one batch of all rows.

    The same rows make the same batches, however they are divided into record batches.
    """
    most = options.transaction_rows
    pending: list[pa.RecordBatch] = []
    room = most
    for batch in record_batches:
        start = 0
        while start < batch.num_rows:
            part = batch.slice(start) if most == 0 else batch.slice(start, room)
            pending.append(part)
            start += part.num_rows
            room -= part.num_rows
            if most and room == 0:
                yield RowBatch(pending, options)
                pending, room = [], most
    if pending:
        yield RowBatch(pending, options)
