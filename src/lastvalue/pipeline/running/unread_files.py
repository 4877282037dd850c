"""The files of a feed's path that no micro-batch has finished; Spark's own progress does not count them."""

import json
import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from lastvalue.config.pipeline_settings import FILE_FORMATS, FeedSettings

_SOURCE: Final = "sources/0"
"""The log in a checkpoint with the files that micro-batches have begun, of a query with one source."""
_OFFSETS: Final = "offsets"
"""By micro-batch, how far in that log it goes; the last line is the source's."""
_COMMITS: Final = "commits"
"""The micro-batches that are finished."""
_COMPACT: Final = ".compact"
_SELECTING: Final = ("pathglobfilter", "modifiedbefore", "modifiedafter", "filenameonly")
"""Options by which Spark reads only some of the files, or counts some as the same."""


class UnreadFiles:
    """Counts the files of a path that no finished micro-batch of a checkpoint contains.

    Args:
        pattern: the path, which may be a directory, a file or a pattern.
        checkpoint: the directory of the feed's checkpoint.
    """

    def __init__(self, pattern: str, checkpoint: str) -> None:
        self._pattern = pattern
        self._checkpoint = Path(checkpoint)
        self._begun: dict[str, int] = {}
        self._last_entry = -1

    def count(self) -> int:
        """How many files there are that no micro-batch has finished."""
        self._read_log()
        finished = self._finished()
        return sum(self._begun.get(file, finished + 1) > finished for file in _files(self._pattern))

    def _finished(self) -> int:
        """The last entry of the log that a finished micro-batch contains; -1 for none."""
        finished = _log_entries(self._checkpoint / _COMMITS)
        if not finished:
            return -1
        batch, _ = finished[-1]
        offset = (self._checkpoint / _OFFSETS / str(batch)).read_text().splitlines()[-1]
        return int(json.loads(offset)["logOffset"])

    def _read_log(self) -> None:
        """Read what the log has got since the last call; a compact file contains all before it."""
        for entry, path in _log_entries(self._checkpoint / _SOURCE):
            if entry > self._last_entry:
                for line in path.read_text().splitlines()[1:]:
                    file = json.loads(line)
                    self._begun[unquote(urlsplit(file["path"]).path)] = int(file["batchId"])
                self._last_entry = entry


def unread_files(feed: FeedSettings, path: str | None, checkpoint: str) -> UnreadFiles | None:
    """The count for a feed that reads local files; None for others.

    Args:
        feed: the feed.
        path: of its source, resolved.
        checkpoint: of its query.
    """
    places = [] if path is None else [path, checkpoint]
    if feed.format.lower() not in FILE_FORMATS or not places or any("://" in place for place in places):
        return None
    if any(place.startswith("hdfs:") for place in places) or {*map(str.lower, feed.options)} & {*_SELECTING}:
        return None
    local, log = (place.removeprefix("file:") for place in places)
    return UnreadFiles(local, log)


def _log_entries(log: Path) -> list[tuple[int, Path]]:
    """The files of a log by their batches, in order; drafts, which begin with a dot, are left out."""
    if not log.is_dir():
        return []
    entries = ((each.name.removesuffix(_COMPACT), each) for each in log.iterdir())
    return sorted((int(name), path) for name, path in entries if name.isdecimal())


def _files(pattern: str) -> Iterator[str]:
    for found in glob(pattern):  # noqa: PTH207 - Spark's patterns may stand anywhere in a path
        place = os.path.normpath(found)
        if not Path(place).is_dir():
            yield place
        for directory, inner, names in os.walk(place):
            inner[:] = filter(_is_visible, inner)
            yield from (f"{directory}/{name}" for name in names if _is_visible(name))


def _is_visible(name: str) -> bool:
    """Whether Spark reads it: not what other programs hide or still write."""
    return not name.startswith((".", "_"))
