"""The stream of a queue whose keys several brokers have: the streams of all of them as one."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow

from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.source.broker_queries import at_leaders
from lastvalue.pipeline.source.options import InvalidSourceError, SourceOptions
from lastvalue.pipeline.source.readers import Offset
from lastvalue.pipeline.source.stream_reader import StreamReader


class DividedStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads a queue at each broker that has it, or some of its keys.

    Where there is one broker, its offset is this reader's; else each name has the number of its broker before
    it. The driver asks the brokers at its first call.
    """

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._made: list[StreamReader] = []

    def __getstate__(self) -> dict[str, Any]:
        """The state without the readers of the brokers, which only the driver needs."""
        return self.__dict__ | {"_made": []}

    @property
    def _parts(self) -> list[StreamReader]:
        if not self._made:
            self._made = [StreamReader(options) for options in at_leaders(self._options)]
        return self._made

    @hidden_trace()
    def initialOffset(self) -> Offset:
        """Where a new query begins."""
        return _merged([part.initialOffset() for part in self._parts])

    def getDefaultReadLimit(self) -> ReadLimit:
        """The limit of one micro-batch, of all brokers."""
        return StreamReader(self._options).getDefaultReadLimit()

    @hidden_trace()
    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """The end of the present messages, within the limit."""
        if isinstance(limit, ReadMaxRows):
            limit = ReadMaxRows(max(1, limit.max_rows // len(self._parts)))
        starts = self._offsets(start)
        return _merged(
            [part.latestOffset(each, limit) for part, each in zip(self._parts, starts, strict=True)]
        )

    @hidden_trace()
    def prepareForTriggerAvailableNow(self) -> None:
        """Read no messages that arrive from now on."""
        for part in self._parts:
            part.prepareForTriggerAvailableNow()

    def reportLatestOffset(self) -> Offset | None:
        """The last sequence at each broker, as of the last query."""
        return _merged([part.reportLatestOffset() or {} for part in self._made]) or None

    @hidden_trace()
    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """The ranges for tasks, which say at which broker."""
        offsets = zip(self._parts, self._offsets(start), self._offsets(end), strict=True)
        return [each for part, low, high in offsets for each in part.partitions(low, high)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The messages of a range."""
        return StreamReader(self._options).read(partition)

    def commit(self, end: Offset) -> None:
        """Does nothing: reading removes no messages from the queue."""

    def stop(self) -> None:
        """Close the driver's connections."""
        for part in self._made:
            part.stop()

    def _offsets(self, offset: Offset) -> list[Offset]:
        """The offsets of the brokers.

        Raises:
            InvalidSourceError: the checkpoint is of a queue at another number of brokers.
        """
        if len(self._parts) == 1 and "sequence" in offset:
            return [offset]
        found: list[Offset] = [{} for _ in self._parts]
        for name, value in offset.items():
            number, _, field = name.partition(".")
            if not number.isdecimal() or int(number) >= len(found):
                break
            found[int(number)][field] = value
        else:
            if all(found):
                return found
        raise InvalidSourceError(
            f"the checkpoint is of a queue at another number of brokers than {len(self._parts)}: keys have "
            "moved between brokers, so begin with a new checkpoint"
        )


def _merged(offsets: list[Offset]) -> Offset:
    if len(offsets) == 1:
        return offsets[0]
    return {
        f"{number}.{field}": value for number, offset in enumerate(offsets) for field, value in offset.items()
    }
