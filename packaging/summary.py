"""Says how long a run of the tests took and on what, how many passed, and which were skipped and why.

python packaging/summary.py --begin RESULTS                        puts the reports of the last run aside
python packaging/summary.py NAME SECONDS RESULTS ENVIRONMENT...    RESULTS is the folder with pytest's reports

Reports and summaries of the last runs are in folders of RESULTS, named for the time when the next one began.
"""

import re
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

MODULE_SKIPPED: Final = re.compile(r"'Skipped: (.*)'\)$")
FIXTURE: Final = "set-up of "
"""Begins the name of a property that has the seconds of a fixture's set-up; see `tests/conftest.py`."""
MOST_RUNS: Final = 10
"""How many runs are kept besides the last one."""
MOST_NAMED: Final = 20
"""How many files and fixtures are named."""

Times = Mapping[str, list[float]]
"""The seconds of each test or set-up, by the name of what they belong to."""


def count_outcomes(reports: Iterable[Path]) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """The number of tests of each outcome, and of those skipped in each run for each reason."""
    outcomes: Counter[str] = Counter()
    skipped: Counter[tuple[str, str]] = Counter()
    for report in reports:
        for case in ET.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
            reason = case.find("skipped")
            failed = case.find("failure") is not None or case.find("error") is not None
            outcomes["failed" if failed else "passed" if reason is None else "skipped"] += 1
            if reason is not None:
                skipped[report.stem, _reason_in(reason)] += 1
    return outcomes, skipped


def take_times(reports: Iterable[Path]) -> tuple[Times, Times, Times]:
    """The seconds of the tests of each run by folder and by file, and those of set-ups by fixture."""
    folders: dict[str, list[float]] = defaultdict(list)
    files: dict[str, list[float]] = defaultdict(list)
    fixtures: dict[str, list[float]] = defaultdict(list)
    for report in reports:
        for case in ET.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
            # tests.unit.http.test_audit, with the class of the test behind it if it has one.
            parts = case.get("classname", "").split(".")
            file = next((at for at, part in enumerate(parts) if part.startswith("test_")), len(parts))
            took_s = float(case.get("time", "0"))
            folders[f"{report.stem}: {'/'.join(parts[:file])}"].append(took_s)
            files[f"{report.stem}: {'/'.join(parts[: file + 1])}.py"].append(took_s)
            for each in case.iter("property"):
                name = each.get("name", "")
                if name.startswith(FIXTURE):
                    fixtures[f"{report.stem}: {name.removeprefix(FIXTURE)}"].append(
                        float(each.get("value", "0"))
                    )
    return folders, files, fixtures


def put_aside(results: Path, now: datetime) -> None:
    """Move what the last run left into a folder of its own, and remove the oldest such folders."""
    left = [each for each in results.glob("*") if each.is_file()]
    if left:
        kept = results / f"until-{now:%Y-%m-%dT%H-%M-%SZ}"
        kept.mkdir()
        for each in left:
            each.rename(kept / each.name)
    for oldest in sorted(results.glob("until-*"))[:-MOST_RUNS]:
        shutil.rmtree(oldest)


def _table(heading: str, counted: str, times: Times, most: int) -> Iterator[str]:
    """A line for each name, the one that took longest first."""
    if times:
        yield f"{heading}:"
    for name, seconds in sorted(times.items(), key=lambda item: -sum(item[1]))[:most]:
        yield f"{sum(seconds):8.1f} s {len(seconds):6} {counted}  {name}"


def _reason_in(skipped: ET.Element) -> str:
    """Why a test was skipped; of a module that was not collected, the text alone tells."""
    told = MODULE_SKIPPED.search(skipped.text or "")
    return told[1] if told else skipped.get("message", "")


def summary(name: str, duration_s: int, results: Path, environments: Iterable[str]) -> Iterator[str]:
    """The lines of the summary."""
    reports = sorted(results.glob("*.xml"))
    folders, files, fixtures = take_times(reports)
    yield from _table("time of the tests by folder, of all workers together", "tests", folders, len(folders))
    yield from _table("the slowest files", "tests", files, MOST_NAMED)
    yield from _table("the slowest fixtures, contained in these times", "set-ups", fixtures, MOST_NAMED)
    for environment in environments:
        note = Path(environment, "left-out.txt")
        for line in note.read_text().splitlines() if note.exists() else ():
            yield f"left out of {environment}: {line}"
    outcomes, skipped = count_outcomes(reports)
    for (run, reason), number in sorted(skipped.items()):
        yield f"skipped in the {run} run: {number} tests: {reason}"
    minutes, seconds = divmod(duration_s, 60)
    yield f"{name} took {minutes} min {seconds} s"
    yield f"{outcomes['passed']} passed, {outcomes['failed']} failed, {outcomes['skipped']} skipped"


def main(name: str, *arguments: str) -> None:
    """Put the last run aside, or print the summary of this one and keep it with the reports."""
    if name == "--begin":
        put_aside(Path(arguments[0]), datetime.now(UTC))
        return
    duration_s, results, *environments = arguments
    folder = Path(results)
    text = "\n".join(summary(name, int(duration_s), folder, environments))
    print(text)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "summary.txt").write_text(f"{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
