"""The zip file of the package for the workers of a cluster."""

import subprocess
import sys
from pathlib import Path

from lastvalue.pipeline.running.package_file import package_file


def test_what_is_shipped_can_be_imported_without_the_package(tmp_path: Path) -> None:
    shipped = package_file(tmp_path)
    assert package_file(tmp_path) == shipped
    code = "import lastvalue.client.blocking, mypy_extensions; print(lastvalue.__file__)"
    # -S leaves out the environment's own packages, -I everything else.
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(shipped)!r}); {code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout.startswith(str(shipped)), found.stderr
