"""`make release-check` does what the release workflow and cibuildwheel's configuration say."""

import tomllib
from pathlib import Path

import pytest
from release_check import WORKFLOW, assignments, tools, trials

ROOT = Path(__file__).parents[2]
WHEELS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
pytestmark = pytest.mark.pure


def test_the_tools_are_those_of_the_workflow_without_the_one_that_needs_containers() -> None:
    names = [tool.partition("==")[0] for tool in tools(WORKFLOW.read_text())]
    assert names == ["build", "twine"]
    assert tools("- run: pipx run cibuildwheel==1.0\n- run: pipx run build==2.0 --sdist\n") == ["build==2.0"]


def test_a_wheel_is_built_and_tried_as_cibuildwheel_does() -> None:
    assert assignments(WHEELS) == "LASTVALUE_OPT_LEVEL=3 LASTVALUE_PURE=0"
    assert assignments({"environment": {"A": "b c"}}) == "A='b c'"
    compiled, version = trials(WHEELS, "wheel")
    assert compiled.startswith("wheel/bin/python -I -c ")
    assert version == "wheel/bin/lastvalue --version"
