"""Programs for node, and the packages they need, which are installed where they are not."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from installing import CACHE, install_once

# The set-up brings a Node where there is none.
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
NODE, NPM = shutil.which("node", path=_PATH), shutil.which("npm", path=_PATH)
HAS_NODE = NODE is not None and NPM is not None
INSTALL_SECONDS = 600


def installed_modules(project: Path) -> Path:
    """node_modules with what a project's lock file says, installed once for each version of it."""
    lock = (project / "package-lock.json").read_bytes()

    def install(folder: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(project / name, folder)
        result = subprocess.run(
            [str(NPM), "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        assert result.returncode == 0, f"npm ci failed:\n{result.stdout}{result.stderr}"

    version = hashlib.sha256(lock).hexdigest()[:12]
    return install_once(CACHE / f"{project.name}-{version}", install) / "node_modules"
