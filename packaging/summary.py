"""Says how long `make test` took, how many tests passed, and which were skipped and why.

python packaging/summary.py SECONDS RESULTS ENVIRONMENT...    RESULTS is the folder with pytest's reports
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

MODULE_SKIPPED: Final = re.compile(r"'Skipped: (.*)'\)$")


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


def _reason_in(skipped: ET.Element) -> str:
    """Why a test was skipped; of a module that was not collected, the text alone tells."""
    told = MODULE_SKIPPED.search(skipped.text or "")
    return told[1] if told else skipped.get("message", "")


def main(duration_s: str, results: str, *environments: str) -> None:
    """Print the summary."""
    outcomes, skipped = count_outcomes(sorted(Path(results).glob("*.xml")))
    for environment in environments:
        note = Path(environment, "left-out.txt")
        for line in note.read_text().splitlines() if note.exists() else ():
            print(f"left out of {environment}: {line}")
    for (run, reason), number in sorted(skipped.items()):
        print(f"skipped in the {run} run: {number} tests: {reason}")
    minutes, seconds = divmod(int(duration_s), 60)
    print(f"make test took {minutes} min {seconds} s")
    print(f"{outcomes['passed']} passed, {outcomes['failed']} failed, {outcomes['skipped']} skipped")


if __name__ == "__main__":
    main(*sys.argv[1:])
