"""What became of the rows of a task or of a batch."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pyspark.sql.datasource import WriterCommitMessage


@dataclass
class WriteResult(WriterCommitMessage):
    """What became of rows; Spark carries it from a task to the driver.

    Attributes:
        rows: rows that the queue has.
        repeated: those among them that the queue had already, from a task that Spark ran again.
        rejected: rows that went to the dead-letter queue.
    """

    rows: int = 0
    repeated: int = 0
    rejected: int = 0

    @classmethod
    def sum(cls, parts: Iterable["WriteResult"]) -> "WriteResult":
        """The result of all parts together."""
        counts = [(part.rows, part.repeated, part.rejected) for part in parts]
        return cls(*map(sum, zip(*counts, strict=True)))

    def write(self, path: Path) -> None:
        """Write the result to a file as JSON, in one step."""
        draft = path.with_name(path.name + ".part")
        draft.write_text(json.dumps(asdict(self)), encoding="utf-8")
        draft.replace(path)


def report_results(path: str | None, messages: Sequence[WriterCommitMessage | None]) -> None:
    """Write the sum of the results of tasks to a file, if there is a path."""
    if path is not None:
        WriteResult.sum(each for each in messages if isinstance(each, WriteResult)).write(Path(path))
