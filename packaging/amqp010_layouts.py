"""Writes the tables of AMQP 0-10's codec from the facts of its specification.

    python packaging/amqp010_layouts.py            writes the module
    python packaging/amqp010_layouts.py --check    says whether the module is what would be written

`amqp010_facts.txt` has a line for each control, command and struct: what it is, its name, its code as class
and number, and its fields with their types. The codes and types are the published specification's.
"""

import sys
from pathlib import Path

from written_modules import write_or_check

HERE = Path(__file__).parent
FACTS = HERE / "amqp010_facts.txt"
MODULE = HERE.parent / "src/lastvalue/codec/amqp010/command_layouts.py"


def module_of(facts: str) -> str:
    """The module that the facts make."""
    lines = [
        '"""What goes into each control, command and struct. Written by packaging/amqp010_layouts.py."""',
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


def main(arguments: list[str]) -> int:
    """See the module."""
    return write_or_check(MODULE, module_of(FACTS.read_text()), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
