"""The limit of open descriptors, of which every connection needs one."""

import resource
from contextlib import suppress


def raise_descriptor_limit() -> tuple[int, int]:
    """Raise the soft limit to the hard one, where the system lets; the limit before and after that."""
    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before != hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return before, resource.getrlimit(resource.RLIMIT_NOFILE)[0]
