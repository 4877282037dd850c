"""The configuration of the wheels, and the workflow that builds them for a release."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
WHEELS: dict[str, Any] = PROJECT["tool"]["cibuildwheel"]
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
STEP_KEYS = {"uses", "run", "with", "env"}
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
pytestmark = pytest.mark.pure


def is_built(identifier: str) -> bool:
    chosen = any(fnmatch(identifier, pattern) for pattern in WHEELS["build"])
    return chosen and not any(fnmatch(identifier, pattern) for pattern in WHEELS["skip"])


def test_the_pythons_that_the_package_names_have_wheels_and_no_others() -> None:
    named = [line.split()[-1] for line in PROJECT["project"]["classifiers"] if ":: Python :: 3." in line]
    assert named == PYTHONS
    assert PROJECT["project"]["requires-python"] == f">={PYTHONS[0]}"
    built = [minor for minor in range(8, 20) if is_built(f"cp3{minor}-manylinux_x86_64")]
    assert [f"3.{minor}" for minor in built] == PYTHONS
    assert not is_built("cp313-musllinux_x86_64")
    assert is_built("cp313-manylinux_aarch64")


def test_every_wheel_is_tried_with_extras_that_there_are() -> None:
    assert set(WHEELS["test-extras"]) <= set(PROJECT["project"]["optional-dependencies"])
    compiled, version = WHEELS["test-command"]
    assert "endswith('.so')" in compiled
    assert version == "lastvalue --version"


def test_the_readme_says_what_each_extra_is_for() -> None:
    extras = set(PROJECT["project"]["optional-dependencies"]) - {"dev", "test", "interop"}
    table = re.findall(r"(?m)^\| `([\w-]+)` \| .+ \|$", (ROOT / "README.md").read_text())
    assert set(table) == extras


def test_the_module_that_a_wheel_is_tried_by_is_one_that_is_compiled() -> None:
    assert '"queues/*.py"' in (ROOT / "setup.py").read_text()
    assert WHEELS["environment"]["LASTVALUE_PURE"] == "0", "a compiler that fails must end the build"
    assert "from lastvalue.queues import queue as" in WHEELS["test-command"][0]


def steps() -> list[dict[str, Any]]:
    return [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_each_action_is_pinned_by_its_commit_beside_its_version_and_renewed() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    used = [line for path in workflows for line in re.findall(r"uses:.*", path.read_text())]
    assert used
    assert not [line for line in used if not re.fullmatch(r"uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)]
    assert "github-actions" in renewed()


def renewed() -> dict[str, str]:
    """The kinds of requirements for which newer versions are proposed, each with its folder."""
    settings = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())
    return {each["package-ecosystem"]: each["directory"] for each in settings["updates"]}


def test_the_workflow_pins_the_tools_that_it_runs() -> None:
    tools = [step["run"].split()[2] for step in steps() if step.get("run", "").startswith("pipx run")]
    assert [tool.partition("==")[0] for tool in tools] == ["cibuildwheel", "build", "twine"]
    assert all("==" in tool for tool in tools)


def test_the_workflow_has_the_form_that_github_reads() -> None:
    """Keys that exist, steps with one action, jobs that exist, braces in pairs."""
    jobs, text = WORKFLOW["jobs"], (ROOT / ".github" / "workflows" / "release.yml").read_text()
    assert set(WORKFLOW) == {"name", True, "permissions", "jobs"}, "YAML 1.1 reads `on` as true"
    assert all(
        set(job) <= {"strategy", "runs-on", "timeout-minutes", "steps", "needs", "if", "permissions"}
        and {"runs-on", "steps"} <= set(job)
        for job in jobs.values()
    )
    assert all(len({"uses", "run"} & set(step)) == 1 and set(step) <= STEP_KEYS for step in steps())
    assert {each for job in jobs.values() for each in job.get("needs", [])} <= set(jobs)
    contexts = re.findall(r"\$\{\{ (\w+)\.[\w.]+ \}\}", text)
    assert len(contexts) == text.count("${{") == text.count("}}")
    assert set(contexts) <= {"matrix", "github"}


def test_a_release_needs_all_wheels_and_the_source_and_may_alone_write() -> None:
    jobs = WORKFLOW["jobs"]
    assert jobs["release"]["needs"] == ["wheels", "source"]
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in jobs.items() if "permissions" in job] == ["release"]
    assert all("timeout-minutes" in job for job in jobs.values())


def test_a_push_and_a_pull_request_are_decided_by_the_same_run() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert set(workflow[True]) == {"push", "pull_request"}
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    checkout, run = job["steps"]
    assert checkout["uses"].startswith("actions/checkout@")
    assert run == {"run": "bash .ci/run"}
