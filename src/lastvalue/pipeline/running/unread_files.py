"""The files of a feed's path that no micro-batch has read; Spark's own progress does not count them."""

import json
import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from lastvalue.config.pipeline_settings import FILE_FORMATS, FeedSettings

_SOURCE: Final = "sources/0"
"""The log in a checkpoint with the files that micro-batches have read, of a query with one source."""
_COMPACT: Final = ".compact"
_SELECTING: Final = ("pathglobfilter", "modifiedbefore", "modifiedafter", "filenameonly")
"""Options by which Spark reads only some of the files, or counts some as the same."""


class UnreadFiles:
    """Counts the files of a path that the log of a checkpoint does not contain.

    Args:
        pattern: the path, which may be a directory, a file or a pattern.
        checkpoint: the directory of the feed's checkpoint.
    """

    def __init__(self, pattern: str, checkpoint: str) -> None:
        self._pattern = pattern
        self._log = Path(checkpoint) / _SOURCE
        self._read: set[str] = set()
        self._last_batch = -1

    def count(self) -> int:
        """How many files there are that no micro-batch has read."""
        self._read_log()
        return sum(file not in self._read for file in _files(self._pattern))

    def _read_log(self) -> None:
        """Read what the log has got since the last call; a compact file contains all before it."""
        entries = _log_entries(self._log)
        for batch, path in entries:
            if batch > self._last_batch:
                for line in path.read_text().splitlines()[1:]:
                    self._read.add(unquote(urlsplit(json.loads(line)["path"]).path))
                self._last_batch = batch


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
