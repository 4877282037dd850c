"""Where tables of histories are: a directory, or a URL of an object store, as in s3://bucket/histories."""

from pathlib import Path


def location_of(tables: Path | str, home: Path | None = None) -> str:
    """The absolute directory, relative to `home` or the working directory, or the URL."""
    text = str(tables)
    return text if is_remote(text) else str(((home or Path()) / text).absolute())


def is_remote(location: str) -> bool:
    """Whether it is a URL of an object store."""
    return "://" in location
