"""The directory for downloaded data and generated files."""

import os
from collections.abc import Mapping
from pathlib import Path


def cache_directory(environment: Mapping[str, str] | None = None) -> Path:
    """`$XDG_CACHE_HOME/lastvalue`, or `~/.cache/lastvalue`; it need not exist."""
    variables = os.environ if environment is None else environment
    # A relative path there is invalid and ignored (XDG Base Directory Specification, section 2).
    configured = Path(variables.get("XDG_CACHE_HOME", ""))
    return (configured if configured.is_absolute() else Path.home() / ".cache") / "lastvalue"
