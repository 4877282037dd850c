"""How this installation was built: with compiled modules, or as plain Python and why."""

from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]
_NOTE: Final = "plain_python.txt"
"""What setup.py writes into a package that is not compiled."""


@cache
def is_compiled(package: Path = _PACKAGE) -> bool:
    """Whether the hot path is compiled."""
    return any((package / "queues" / f"queue{suffix}").exists() for suffix in EXTENSION_SUFFIXES)


def describe_build(package: Path = _PACKAGE) -> str:
    """`compiled`, or `plain Python:` and the reason."""
    if is_compiled(package):
        return "compiled"
    note = package / _NOTE
    reason = note.read_text(encoding="utf-8").strip() if note.exists() else "it runs from its source tree"
    return f"plain Python: {reason}"
