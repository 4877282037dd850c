"""The pytest plug-in, in a pytest of its own."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lastvalue.testing import lastvalue_broker

pytest_plugins = ["pytester"]

_ROOT = Path(__file__).parents[3]
_PAGE = _ROOT / "docs/clients/testing.md"
_MORE = """
import pytest


def test_each_test_has_a_broker_of_its_own(lastvalue_broker):
    assert lastvalue_broker.connection.queues() == []


@pytest.mark.lastvalue_broker(max_queues_per_user=1)
def test_settings(lastvalue_broker):
    lastvalue_broker.connection.declare("prices")
    with pytest.raises(Exception, match="max_queues_per_user"):
        lastvalue_broker.connection.declare("more")


@pytest.mark.lastvalue_broker(max_queue=1)
def test_wrong_setting(lastvalue_broker):
    pass
"""


def test_the_page_of_the_plug_in_and_settings(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The entry point loads it where the package is installed; here it is loaded by name.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    example = _PAGE.read_text().split("```python\n")[1].split("```")[0]
    pytester.makepyfile(example + _MORE)
    result = pytester.runpytest_subprocess("-p", lastvalue_broker.__name__, "--strict-markers", timeout=60)
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(["*unexpected keyword argument 'max_queue'*"])


def test_pytest_finds_it_where_the_package_is_installed() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"lastvalue": lastvalue_broker.__name__}


def test_a_run_that_does_not_use_the_plug_in_does_not_load_the_broker() -> None:
    code = "import sys; from lastvalue.testing import lastvalue_broker; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    ours = {each.split(".")[1] for each in loaded if each.startswith("lastvalue.")}
    assert ours == {"testing"}
