"""Runs the steps of the release workflow on this machine, as far as they need no container.

    python packaging/release_check.py

A copy of the last commit is built as `.github/workflows/release.yml` and cibuildwheel's configuration in
pyproject.toml say: one wheel, for the Python that runs this, and the source archive. Both are checked by
twine and installed into empty environments, and what was installed serves, sends and browses.
"""

import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from try_install import ROOT, TrialError, python3_first, run, use

WORKFLOW: Final = ROOT / ".github" / "workflows" / "release.yml"
_TOOL: Final = re.compile(r"pipx run ([\w-]+==\S+)")
NEEDS_CONTAINERS: Final = "cibuildwheel"


def tools(workflow: str) -> list[str]:
    """What the workflow runs by pipx, with its version, but for what needs a container."""
    return [tool for tool in _TOOL.findall(workflow) if not tool.startswith(NEEDS_CONTAINERS)]


def assignments(wheels: Mapping[str, Any]) -> str:
    """The variables with which wheels are built, as a shell takes them."""
    return " ".join(f"{name}={shlex.quote(value)}" for name, value in wheels["environment"].items())


def trials(wheels: Mapping[str, Any], environment: str) -> Iterator[str]:
    """The commands by which a wheel is tried, in an environment."""
    for command in wheels["test-command"]:
        yield f"{environment}/bin/{command}"


def check(folder: Path) -> None:
    """Build, check, install and use.

    Raises:
        TrialError: a step failed.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheels = project["tool"]["cibuildwheel"]
    extras = ",".join(wheels["test-extras"])
    variables = python3_first(folder)

    def step(command: str) -> None:
        run(command, folder, variables)

    step(f"git clone --quiet --depth 1 'file://{ROOT}' source")
    step(f"python3 -m venv tools && tools/bin/pip install --quiet {' '.join(tools(WORKFLOW.read_text()))}")
    step(f"{assignments(wheels)} tools/bin/python -m build --wheel --outdir dist source")
    step("tools/bin/python -m build --sdist --outdir dist source")
    version = project["project"]["version"]
    step(f"test 2 = $(ls dist/lastvalue-{version}-*.whl dist/lastvalue-{version}.tar.gz | wc -l)")
    step("tools/bin/twine check --strict dist/*")
    step(f'python3 -m venv wheel && wheel/bin/pip install --quiet "$(echo dist/*.whl)[{extras}]"')
    for command in trials(wheels, "wheel"):
        step(command)
    use(folder / "wheel" / "bin" / "lastvalue")
    archive = f'"$(echo dist/*.tar.gz)[{extras}]"'
    step(f"python3 -m venv source-only && LASTVALUE_PURE=1 source-only/bin/pip install --quiet {archive}")
    use(folder / "source-only" / "bin" / "lastvalue", plain=True)


def main() -> int:
    """Run all steps; 1 if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(Path(folder))
        except TrialError as error:
            print(f"lastvalue: the release would fail: {error}", file=sys.stderr)
            return 1
    print("The release can be built")
    return 0


if __name__ == "__main__":
    sys.exit(main())
