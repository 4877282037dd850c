"""The built console that is committed is what its sources build."""

import shutil
import subprocess
from pathlib import Path

import pytest
from node_packages import HAS_NODE, NODE, installed_modules

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "console"
BUILT = ROOT / "src" / "lastvalue" / "http" / "console_assets"
MOST_BYTES = 400_000
pytestmark = pytest.mark.pure


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sources with what they need."""
    if not HAS_NODE:
        pytest.skip("node and npm are not installed")
    project = tmp_path / "console"
    shutil.copytree(SOURCES, project, ignore=shutil.ignore_patterns("node_modules"))
    (project / "node_modules").symlink_to(installed_modules(SOURCES))
    return project


def run(*command: str | Path, cwd: Path) -> str:
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_sources_build_what_is_committed_byte_for_byte(project: Path, tmp_path: Path) -> None:
    run(str(NODE), "build.mjs", tmp_path / "built", cwd=project)
    assert contents(tmp_path / "built") == contents(BUILT), "run `make console`"


def test_the_sources_have_no_errors_of_type(project: Path) -> None:
    run(str(NODE), "node_modules/typescript/bin/tsc", "--noEmit", cwd=project)


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (SOURCES / "package-lock.json").read_text()


def test_the_console_stays_small() -> None:
    assert sum(map(len, contents(BUILT).values())) < MOST_BYTES
