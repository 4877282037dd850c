"""Programs for node, and the packages they need, which are installed where they are not."""

import hashlib
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
NODE, NPM = shutil.which("node"), shutil.which("npm")
HAS_NODE = NODE is not None and NPM is not None
INSTALL_SECONDS = 100


def installed_modules(project: Path) -> Path:
    """node_modules with what a project's lock file says, installed once for each version of it."""
    lock = (project / "package-lock.json").read_bytes()
    directory = ROOT / ".cache" / f"{project.name}-{hashlib.sha256(lock).hexdigest()[:12]}"
    done = directory / "installed"
    if not done.exists():
        directory.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(project / name, directory)
        install = subprocess.run(
            [str(NPM), "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        assert install.returncode == 0, f"npm ci failed:\n{install.stdout}{install.stderr}"
        done.touch()
    return directory / "node_modules"
