"""The cause of a part's failure on one line, out of the traces of Spark, Java and Python."""

import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_OWN: Final = re.compile(r"lastvalue\.[\w.]*Error: (.*)")
_THROWN: Final = re.compile(r"(?:Caused by: |: )?([A-Za-z_][\w.$]*(?:Exception|Error|Exit|Interrupt)): (.*)")
_READING: Final = re.compile(r"\[FAILED_READ_FILE[.\w]*\] Encountered error while reading file (\S+?)\.?\s")
_CONDITION: Final = re.compile(r"\[[A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*\] ")
_STATE: Final = re.compile(r"\s*SQLSTATE: \w+")
_FRAME: Final = re.compile(r'\s+(?:at |File "|\.\.\. \d+ more)')
_MALFORMED: Final = "[MALFORMED_RECORD_IN_PARSING"
_WRAPPERS: Final = (
    "Py4JJavaError",
    "Py4JException",
    "PythonException",
    "ForeachBatchUserFuncException",
    "StreamingQueryException",
)
"""Errors whose text is the trace of another one."""
_GENERAL: Final = ("[FAILED_READ_FILE.NO_HINT]", _MALFORMED, "Job aborted due to stage failure")
"""Texts that say that something failed; the reason is another error."""
_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class FailureCause:
    """What a trace says about a failure.

    Attributes:
        text: the cause, on one line.
        file: the file that Spark was reading; None: none, or the text names it.
        malformed: a record of the file does not fit the schema.
    """

    text: str
    file: str | None = None
    malformed: bool = False


def failure_cause(trace: str) -> FailureCause:
    """The cause of a failure, out of its whole trace.

    An error of lastvalue is the cause; otherwise the last one that Spark gives a condition, or the last one.
    """
    own = [match[1] for line in trace.splitlines() if (match := _OWN.search(line))]
    if own:
        return FailureCause(_shortened(own[-1]))
    reading = _READING.search(trace)
    file = None if reading is None else reading[1].removeprefix("file://").removeprefix("file:")
    causes = [
        (kind, text)
        for kind, text in _thrown(trace)
        if not kind.endswith(_WRAPPERS) and not text.startswith(_GENERAL)
    ]
    spark = [text for _, text in causes if _CONDITION.match(text)]
    if spark:
        text = spark[-1]
    elif causes:
        kind, text = causes[-1]
        text = f"{kind.rpartition('.')[2]}: {text}"
    else:
        # A message without a trace; Spark's context of it takes several lines.
        lines = (line.strip() for line in trace.splitlines() if line.strip())
        text = next(lines, "Spark gave no reason").split(" SQLSTATE")[0]
    text = _shortened(_STATE.sub("", text))
    return FailureCause(text if file is None else f"{file}: {text}", file, _MALFORMED in trace)


def failure_trace(error: BaseException) -> str:
    """The whole trace of an error, with those of its causes in Java."""
    parts = ["".join(traceback.format_exception(error))]
    cause: Any = error
    while cause is not None:
        # PySpark keeps Java's traces apart from the text of its own errors.
        parts.append(str(getattr(cause, "_stackTrace", None) or ""))
        cause = getattr(cause, "_cause", None)
    return "\n".join(part for part in parts if part)


def _thrown(trace: str) -> Iterator[tuple[str, str]]:
    """The errors of a trace in its order: the type, and the text on one line."""
    kind, lines = "", list[str]()
    for line in [*trace.splitlines(), ""]:
        match = _THROWN.match(line)
        if lines and (match or not line.strip() or _FRAME.match(line)):
            yield kind, " ".join(lines)
            lines = []
        if match:
            kind, lines = match[1], [match[2].strip()]
        elif lines:
            lines.append(line.strip())


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST else f"{line[:_MOST]}…"
