"""Writes the tables of AMQP 0-10's codec from the facts of its specification.

    python packaging/amqp010/tables.py            writes the module
    python packaging/amqp010/tables.py --check    says whether the module is what would be written

`facts.txt` has a line for each control, command and struct: what it is, its name, its code as class and
number, and its fields with their types. The codes and types are the published specification's.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FACTS = HERE / "facts.txt"
MODULE = HERE.parents[1] / "src/lastvalue/codec/amqp010/command_layouts.py"


def module_of(facts: str) -> str:
    """The module that the facts make."""
    lines = [
        '"""What goes into each control, command and struct. Written by packaging/amqp010/tables.py."""',
        "",
        "from typing import Final",
        "",
        "from lastvalue.codec.amqp010.layouts import Layout",
        "",
    ]
    listed: dict[str, list[str]] = {"control": [], "command": [], "struct": []}
    for line in facts.splitlines():
        kind, name, code, *fields = line.split()
        constant = name.replace(".", "_").replace("-", "_").upper()
        pairs = ", ".join(
            f'("{field.partition(":")[0].replace("-", "_")}", "{field.partition(":")[2]}")'
            for field in fields
        )
        tail = "," if len(fields) == 1 else ""
        lines.append(f'{constant}: Final = Layout("{name}", {code}, ({pairs}{tail}))')
        if kind != "plain":
            listed[kind].append(constant)
    for kind, constants in listed.items():
        lines.append("")
        lines.append(
            f"{kind.upper()}S: Final = {{layout.code: layout for layout in ({', '.join(constants)})}}"
        )
    return "\n".join(lines) + "\n"


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
            cwd=HERE.parents[1],
        ).stdout
    if arguments != ["--check"]:
        module.write_text(text)
    elif not module.exists() or module.read_text() != text:
        sys.stderr.write(f"{module} is out of date; run this script without --check\n")
        return 1
    return 0


def main(arguments: list[str]) -> int:
    """See the module."""
    return write_or_check(MODULE, module_of(FACTS.read_text()), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
