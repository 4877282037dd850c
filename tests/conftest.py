"""For all tests: machines are shared, so that no example is too slow, and what takes longest begins first.

What needs python-qpid-proton is skipped where it could not be built.
"""

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

EXAMPLES = int(os.environ.get("LASTVALUE_EXAMPLES", "100"))
"""Of each property test that has no number of its own."""

settings.register_profile("shared machines", deadline=None, max_examples=EXAMPLES)
settings.load_profile("shared machines")

LEFT_OUT = Path(sys.prefix) / "left-out.txt"
"""What the set-up could not install, and why."""


class LeftOut(MetaPathFinder):
    """Skips the module or test that imports a package which the set-up left out."""

    def __init__(self, module: str, reason: str) -> None:
        self._module = module
        self._reason = reason

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == self._module:
            pytest.skip(self._reason, allow_module_level=True)


if find_spec("proton") is None and LEFT_OUT.exists():
    for line in LEFT_OUT.read_text().splitlines():
        if line.startswith("python-qpid-proton"):
            sys.meta_path.insert(0, LeftOut("proton", line))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("spark") is None)
