"""Modules of the package that scripts write: the text, formatted as all code is, or a check of it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def write_or_check(module: Path, text: str, arguments: list[str]) -> int:
    """Write a module with this text, its imports in order; with --check return 1 if it has another one."""
    ruff = Path(sys.executable).with_name("ruff")
    for step in (["check", "--select", "I", "--fix", "--quiet"], ["format"]):
        text = subprocess.run(  # noqa: S603 - the formatter beside this interpreter
            [ruff, *step, "--stdin-filename", str(module), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
    if arguments != ["--check"]:
        module.write_text(text)
    elif not module.exists() or module.read_text() != text:
        sys.stderr.write(f"{module} is out of date; run this script without --check\n")
        return 1
    return 0
