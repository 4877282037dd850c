"""An archive of the Java classes that Spark loads, with which Java starts in half the time.

The first session writes it to the cache directory when it ends (150 MB); later sessions use it.
Java checks whether the archive fits, and starts without it where it does not.

`python -m lastvalue.pipeline.first_start` creates it at once, for example in a container image.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import Final

from lastvalue.pipeline.cache import make_private
from lastvalue.pipeline.java import MLLIB_JAR, Java, launcher_text

_MAKING_S: Final = 600.0
"""For so long no other session creates an archive that one session may still be writing."""
_UNUSED_S: Final = 90 * 86_400.0
_QUIET: Final = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off")
_FIRST_BYTES: Final = 4


def class_archive_options(java: Java, spark_home: Path, cache: Path, *, mllib: bool = True) -> list[str]:
    """The Java options to use the archive of this Spark, or to create it when Java exits; may be empty.

    An archive belongs to one Java and to the jar files of one Spark, with MLlib's or without.
    """
    try:
        make_private(cache)
        archive = cache / f"spark-{_identity(java, spark_home, mllib=mllib)}.jsa"
        draft = archive.with_suffix(".draft")
        if not archive.is_file() and _is_whole(draft):
            _save(draft)
            draft.replace(archive)
        if archive.is_file():
            os.utime(archive)
            return [f"-XX:SharedArchiveFile={archive}", *_QUIET]
        if not _claim(draft):
            return []
        _delete_unused(cache)
    except OSError:
        # The cache cannot be used, or this Spark has another layout.
        return []
    return [f"-XX:ArchiveClassesAtExit={draft}", *_QUIET]


def _identity(java: Java, spark_home: Path, *, mllib: bool) -> str:
    """A digest of the Java and the Spark that an archive belongs to."""
    # Java ignores an archive that it wrote with other modules or jar files in another order.
    digest = hashlib.sha256(launcher_text(java).encode() + (java.home / "release").read_bytes())
    jars = (each for each in (spark_home / "jars").iterdir() if mllib or not each.name.startswith(MLLIB_JAR))
    for part in (java.home, *sorted(jars)):
        status = part.stat()
        digest.update(f"{part}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:12]


def _is_whole(draft: Path) -> bool:
    """Whether Java has finished the archive; it writes the beginning last.

    Java refuses a file that is not an archive, but crashes on an archive whose end is missing.
    """
    try:
        with draft.open("rb") as file:
            return any(file.read(_FIRST_BYTES))
    except FileNotFoundError:
        return False


def _save(draft: Path) -> None:
    """Sync the archive to disk: after a power failure it must not have only its beginning."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())


def _claim(draft: Path) -> bool:
    """Create an empty draft, unless another session did so a short time ago."""
    if draft.exists() and _age_s(draft) < _MAKING_S:
        return False
    draft.touch()
    return True


def _delete_unused(cache: Path) -> None:
    """Delete archives that no session has used for a long time, and drafts that no session will finish."""
    for pattern, longest_s in (("spark-*.jsa", _UNUSED_S), ("spark-*.draft", _MAKING_S)):
        for path in cache.glob(pattern):
            if _age_s(path) > longest_s:
                path.unlink()


def _age_s(path: Path) -> float:
    """How long ago the file was touched."""
    return (time.time_ns() - path.stat().st_mtime_ns) / 1e9
