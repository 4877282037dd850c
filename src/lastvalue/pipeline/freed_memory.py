"""Freed memory that Spark's Python workers keep for their next arrays."""

import ctypes
import sys
from typing import Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""Numbers of settings in glibc's `malloc.h`."""
_KEPT_BYTES: Final = 128 << 20
_MAPPED_BYTES: Final = 32 << 20
"""The largest value that glibc takes; a larger array is a mapping of its own, returned when it is freed."""


def keep_freed_memory() -> None:
    """Let this process keep up to 128 MiB of freed memory; call it, as often as you like, in a worker.

    By default glibc returns what a large array leaves, and the kernel fills the pages of the next array with
    zeros first: a seventh of the processor time of a conflation of 100,000 keys. Does nothing where the
    library is another than glibc.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        # Each of the two stops glibc from choosing both by itself.
        if mallopt is not None and mallopt(_MMAP_THRESHOLD, _MAPPED_BYTES):
            mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
