"""What Java and Spark write while they start, to find out why they do not."""

import re
from pathlib import Path
from typing import Final

from lastvalue.pipeline.failure_cause import failure_cause

_REASON: Final = re.compile(r"Reason: (.+)")
_THROWN: Final = re.compile(r"^[\w.$]+(?:Exception|Error): ", re.MULTILINE)


class StartLogs:
    """The files of a log directory since a start, which empties `spark.stderr`.

    Attributes:
        stderr: what Java and its Python processes print.
        log: what Spark logs; earlier starts have written to it, too.
    """

    def __init__(self, directory: Path) -> None:
        self.stderr = directory / "spark.stderr"
        self.log = directory / "spark.log"
        self.stderr.write_bytes(b"")
        self._begin = self.log.stat().st_size if self.log.exists() else 0

    def fault(self) -> str | None:
        """Why Spark does not start, on one line; None if the files do not say.

        PySpark knows only that Java has ended, or that its context has stopped.
        """
        logged = self._logged()
        reasons = _REASON.findall(logged)
        if reasons:
            return failure_cause(reasons[-1]).text
        if _THROWN.search(logged):
            return failure_cause(logged).text
        printed = self.stderr.read_text(errors="replace").splitlines()
        lines = (line for line in printed if line.strip() and not line.startswith("WARNING"))
        first = next(lines, None)
        return None if first is None else failure_cause(first).text

    def _logged(self) -> str:
        if not self.log.exists():
            return ""
        with self.log.open("rb") as file:
            file.seek(self._begin)
            return file.read().decode(errors="replace")
