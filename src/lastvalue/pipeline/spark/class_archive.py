"""An archive of the classes that Spark loads, which lets Java start in half of the time.

The first session leaves it in the cache directory when it ends (150 MB), later ones use it.
Java looks whether it fits, and does without where it does not.

`python -m lastvalue.pipeline.first_start` makes it at once, as for the image of a container.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import Final

from lastvalue.pipeline.java import Java

_MAKING_S: Final = 600.0
"""For so long nobody else makes an archive that a session may be making."""
_UNUSED_S: Final = 90 * 86_400.0
_QUIET: Final = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off")
_FIRST_BYTES: Final = 4


def archive_options(java: Java, spark_home: Path, cache: Path) -> list[str]:
    """The options that have Java use the archive of this Spark, or make it as it ends, or none.

    An archive belongs to one Java and to the jar files of one Spark.
    """
    try:
        archive = cache / f"spark-{_identity(java, spark_home)}.jsa"
        draft = archive.with_suffix(".draft")
        if not archive.is_file() and _is_whole(draft):
            _save(draft)
            draft.replace(archive)
        if archive.is_file():
            os.utime(archive)
            return [f"-XX:SharedArchiveFile={archive}", *_QUIET]
        cache.mkdir(parents=True, exist_ok=True)
        if not _claim(draft):
            return []
        _delete_unused(cache)
    except OSError:
        # A cache that cannot be used, or a Spark that is laid out in another way.
        return []
    return [f"-XX:ArchiveClassesAtExit={draft}", *_QUIET]


def _identity(java: Java, spark_home: Path) -> str:
    """What an archive is tied to, in a word."""
    digest = hashlib.sha256((java.home / "release").read_bytes())
    for part in (java.home, *sorted((spark_home / "jars").iterdir())):
        told = part.stat()
        digest.update(f"{part}\0{told.st_size}\0{told.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:12]


def _is_whole(draft: Path) -> bool:
    """Whether Java has finished it; the beginning is what it writes last.

    It would refuse what is none of its archives, but crash on one whose end is missing.
    """
    try:
        with draft.open("rb") as file:
            return any(file.read(_FIRST_BYTES))
    except FileNotFoundError:
        return False


def _save(draft: Path) -> None:
    """See that it is on the disk: a loss of power must not leave its beginning alone."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())


def _claim(draft: Path) -> bool:
    """Make an empty draft, unless another session has done so a short time ago."""
    if draft.exists() and _age_s(draft) < _MAKING_S:
        return False
    draft.touch()
    return True


def _delete_unused(cache: Path) -> None:
    """Delete the archives of what is not there any more, or is not used."""
    for archive in cache.glob("spark-*.jsa"):
        if _age_s(archive) > _UNUSED_S:
            archive.unlink()


def _age_s(path: Path) -> float:
    """How long ago it was touched."""
    return (time.time_ns() - path.stat().st_mtime_ns) / 1e9
