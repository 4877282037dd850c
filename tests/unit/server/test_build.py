"""lastvalue.server.build."""

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from lastvalue.queues import queue
from lastvalue.server.build import describe_build, is_compiled


def test_this_installation_is_what_its_queues_are() -> None:
    assert is_compiled() == (not queue.__file__.endswith(".py"))


@pytest.mark.parametrize("suffix", EXTENSION_SUFFIXES)
def test_a_package_with_compiled_queues_is_compiled(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "queues").mkdir()
    (tmp_path / "queues" / f"queue{suffix}").touch()
    assert describe_build(tmp_path) == "compiled"


def test_a_package_of_plain_python_says_why(tmp_path: Path) -> None:
    assert describe_build(tmp_path) == "plain Python: it runs from its source tree"
    (tmp_path / "plain_python.txt").write_text("there is no C compiler\n")
    assert describe_build(tmp_path) == "plain Python: there is no C compiler"
