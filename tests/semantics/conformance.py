"""Builds docs/conformance.md and the tables of behaviour in docs/queues from the scenarios and the tests.

    python tests/semantics/conformance.py --write     bring the pages up to date
    python tests/semantics/conformance.py --check     say what is wrong or out of date, and fail

An id is covered where a scenario has it, or any other test names it. ids.toml lists every id; there `waiting`
says what an id needs that does not exist yet, `partly` what of such a one is tested all the same, and
`not_followed` why the product does otherwise.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from scenario import HERE, files, scenarios_in

sys.path.append(str(HERE.parent / "suites"))

from suites_table import block

TESTS = HERE.parent
DOCS = TESTS.parent / "docs"
PAGE = DOCS / "conformance.md"
IDS = HERE / "ids.toml"

_ID = re.compile(r"\bS-\d{3}\b")
_TABLE = re.compile(r"(<!-- scenarios: ([\w.]+) -->\n).*?(<!-- end of scenarios -->)", re.DOTALL)
_NO_TESTS = ("conformance.py", "scenario.py")


@dataclass(frozen=True)
class Entry:
    """One id: its subject, and what is said of it."""

    id: str
    subject: str
    waiting: str = ""
    partly: str = ""
    not_followed: str = ""


@dataclass(frozen=True)
class Part:
    """Ids that belong together."""

    title: str
    entries: tuple[Entry, ...]


def parts() -> list[Part]:
    """What ids.toml says."""
    found = []
    for table in tomllib.loads(IDS.read_text()).values():
        title = table.pop("title")
        entries = [
            Entry(name, **({"subject": said} if isinstance(said, str) else said))
            for name, said in table.items()
        ]
        found.append(Part(title, tuple(entries)))
    return found


def citations() -> dict[str, list[Path]]:
    """The tests that name each id, by their path from the tests."""
    cited: dict[str, set[Path]] = {}
    for path in files():
        for scenario in scenarios_in(path):
            for name in scenario.ids:
                cited.setdefault(name, set()).add(path)
    sources = [path for suffix in ("*.py", "*.js") for path in TESTS.rglob(suffix)]
    for path in sources:
        if path.name not in _NO_TESTS and not {"node_modules", "__pycache__"} & set(path.parts):
            for name in _ID.findall(path.read_text()):
                cited.setdefault(name, set()).add(path)
    return {name: sorted(path.relative_to(TESTS) for path in paths) for name, paths in cited.items()}


def faults() -> list[str]:
    """What is wrong with ids.toml, as sentences."""
    cited = citations()
    entries = [entry for part in parts() for entry in part.entries]
    found = []
    for entry in entries:
        tested = entry.id in cited
        if not (tested or entry.waiting or entry.not_followed):
            found.append(f"{entry.id} is in no test: add one, or say what it waits for in ids.toml")
        if tested and entry.waiting and not entry.partly:
            where = ", ".join(map(str, cited[entry.id]))
            found.append(f"{entry.id} waits for {entry.waiting}, but is in {where}: say `partly`, or drop it")
        if entry.partly and not tested:
            found.append(f"{entry.id} is partly tested, but is in no test")
        if entry.waiting and entry.not_followed:
            found.append(f"{entry.id} waits and is not followed: one of them")
    unknown = [name for name in sorted(cited.keys() - {entry.id for entry in entries}) if _ID.fullmatch(name)]
    found += [f"{name} is in {cited[name]}, but not in ids.toml" for name in unknown]
    return found


# ---------------------------------------------------------------------- pages

_HEAD = """# Conformance

Other brokers' tests and manuals say, in many small scenarios, how queues, consumers and tools behave.
The ids are those of the field's scenarios as they are restated here in our own words.
Most are [data](../tests/semantics) that a queue alone and a broker over each protocol obey; some are tests.

This page is made by `python tests/semantics/conformance.py --write`.
At its end are the [foreign suites](#foreign-suites), whose table `make suites` writes.

"""
_SUITES = """## Foreign suites

`make suites` runs the tests that clients bring against a broker, and writes how many pass.
What does not pass, and why, is told on the pages of the protocols:
[AMQP 0-10](protocols/amqp-0-10.md#test-suites-of-qpid), [AMQP 0-9-1](protocols/amqp-0-9-1.md#foreign-suites).
One of amqpstorm's tests needs a second virtual host, and there is [one](decisions/0025-one-virtual-host.md).
Of fe2o3-amqp's tests at 0.17.0, those that need a broker were run by hand, one by one: 13 of 14 passed.
The other one expects, as from Broker-J, that a rejected message is delivered again; here it leaves its queue.

"""


def page() -> str:
    """docs/conformance.md."""
    cited = citations()
    entries = [entry for part in parts() for entry in part.entries]
    waiting = [entry for entry in entries if _waits(entry, cited)]
    differing = [entry for entry in entries if entry.not_followed]
    partly = [entry for entry in entries if entry.partly]
    tested = len(entries) - len(waiting) - len(partly) - len(differing)
    rows = [
        ("as in the field, and tested", tested),
        ("tested in part", len(partly)),
        ("otherwise here, for a reason that is given", len(differing)),
        ("waiting", len(waiting)),
        ("all", len(entries)),
    ]
    suites = [_SUITES + block(PAGE.read_text() if PAGE.exists() else "")]
    lines = ["| | scenarios |", "|---|---|", *[f"| {what} | {count} |" for what, count in rows], ""]
    for part in parts():
        lines += [f"## {part.title}", "", "| id | subject | here |", "|---|---|---|"]
        lines += [f"| {entry.id} | {entry.subject} | {_here(entry, cited)} |" for entry in part.entries]
        lines.append("")
    return _HEAD + "\n".join(lines + suites)


def _waits(entry: Entry, cited: dict[str, list[Path]]) -> bool:
    return not entry.not_followed and not entry.partly and (bool(entry.waiting) or entry.id not in cited)


def _here(entry: Entry, cited: dict[str, list[Path]]) -> str:
    links = ", ".join(f"[{path}](../tests/{path})" for path in cited.get(entry.id, []))
    if entry.not_followed:
        return f"otherwise: {entry.not_followed}" + (f" ({links})" if links else "")
    if entry.partly:
        return f"waits for {entry.waiting}; tested: {entry.partly} ({links})"
    if entry.waiting:
        return f"waits for {entry.waiting}"
    return links or "waits for a test"


def with_tables(text: str) -> str:
    """A page with its tables of scenarios made again."""
    return _TABLE.sub(lambda found: found[1] + _table(HERE / found[2]) + found[3], text)


def _table(path: Path) -> str:
    rows = [f"| {', '.join(one.ids)} | {one.title} |" for one in scenarios_in(path)]
    return "\n".join(["", "| scenario | behaviour |", "|---|---|", *rows, "", ""])


def pages() -> dict[Path, str]:
    """Every page that is made here, whole or in part, as it should be."""
    made = {path: with_tables(path.read_text()) for path in sorted(DOCS.rglob("*.md")) if path != PAGE}
    made = {path: text for path, text in made.items() if "<!-- scenarios: " in text}
    return {PAGE: page(), **made}


def stale() -> list[Path]:
    """The pages that are not as they should be."""
    return [path for path, text in pages().items() if not path.exists() or path.read_text() != text]


def main() -> int:
    """The command."""
    wrong = faults()
    for fault in wrong:
        sys.stderr.write(f"{fault}\n")
    if wrong:
        return 1
    if sys.argv[1:] == ["--write"]:
        for path, text in pages().items():
            path.write_text(text)
        return 0
    old = stale()
    for path in old:
        sys.stderr.write(f"{path.relative_to(DOCS.parent)} is out of date\n")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
