"""Every benchmark, in both forms of the code, as one table of ratios.

    make bench                        # builds the compiled wheel first
    python bench/run.py --quick       # a tenth of the messages, no Spark
    python bench/run.py --only broker

Absolute figures are this machine's, in this hour; the ratios travel.
Costs are CPU time of the measured process. `x ref` is the cost over that of a fixed loop (bench/codec_lvq.py)
in the same run. A gate that is not met is marked `over` and the exit code is 1.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

BENCH = Path(__file__).parent
ROOT = BENCH.parent
PURE = ROOT / ".venv" / "bin"
COMPILED = ROOT / ".venv-compiled" / "bin"
FULL_COUNT = {"compiled": 1_000_000, "pure": 200_000}

# CPU microseconds a message (or delivery) that the compiled form may take.
GATES_US = {
    "codec and last-value queue, keys in turn": 0.4,
    "in, presettled": 0.8,
    "in, unsettled": 0.8,
    "end to end, 1 browser": 1.2,
    "each delivery of 100 browsers": 0.2,
    "in, durable, store": 1.5,
}
# The same for plain Python.
PURE_GATES_US = {"in, presettled": 6.0, "in, unsettled": 6.0}


@dataclass(slots=True)
class Row:
    """One figure in both forms, in microseconds; None where that form was not measured."""

    name: str
    compiled_us: float | None = None
    pure_us: float | None = None


@dataclass(slots=True)
class Report:
    """What was measured so far."""

    rows: dict[str, Row] = field(default_factory=dict)
    reference_us: dict[str, float] = field(default_factory=dict)

    def add(self, form: str, name: str, cost_us: float) -> None:
        row = self.rows.setdefault(name, Row(name))
        if form == "compiled":
            row.compiled_us = cost_us
        else:
            row.pure_us = cost_us


def tell(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


def json_lines(python: Path, script: str, *arguments: str) -> Iterator[dict[str, object]]:
    """What a benchmark reports, line by line, while it runs."""
    command = [str(python), str(BENCH / script), *arguments, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                yield json.loads(line)
    if process.returncode:
        raise SystemExit(f"{script} failed with exit code {process.returncode}")


def number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)


def measure_codec(report: Report, form: str, directory: Path) -> None:
    tell(f"codec and last-value queue, {form}")
    for figures in json_lines(directory / "python", "codec_lvq.py"):
        assert figures["compiled"] == (form == "compiled"), f"{directory} does not hold the {form} form"
        report.reference_us[form] = number(figures["reference_ns"]) / 1000
        name = f"codec and last-value queue, keys {figures['keys']}"
        report.add(form, name, number(figures["codec_lvq_ns"]) / 1000)


def measure_broker(report: Report, form: str, directory: Path, count: int) -> None:
    tell(f"broker, {form}: {count:,} messages a scenario")
    arguments = ("--server", str(directory / "lastvalue"), "--count", str(count))
    for figures in json_lines(Path(sys.executable), "broker.py", *arguments):
        name, cost, rate = str(figures["scenario"]), number(figures["cpu_us"]), number(figures["per_second"])
        report.add(form, name, cost)
        tell(f"  {name}: {cost:.3f} us, {rate:,.0f} messages/s, {figures['delivered']:,} delivered")


def measure_store(report: Report, form: str, directory: Path, count: int) -> None:
    tell(f"store, {form}: {count:,} messages a round")
    arguments = ("--server", str(directory / "lastvalue"), "--count", str(count), "--records", str(count))
    for figures in json_lines(Path(sys.executable), "store.py", *arguments):
        if "cpu_us" in figures:
            report.add(form, str(figures["scenario"]), number(figures["cpu_us"]))
        told = (f"{name} {value}" for name, value in figures.items() if name != "scenario")
        tell(f"  {figures['scenario']}: {', '.join(told)}")


def measure_spark() -> int:
    """Its own table and exit code: it measures ratios only, against the window plan."""
    script = BENCH / "conflation.py"
    tell("Spark conflation against the window plan (minutes)")
    return subprocess.run([sys.executable, str(script)], cwd=ROOT, check=False).returncode


def measure_protocols(directory: Path, count: int) -> int:
    """Its own table and exit code: it measures ratios only, against AMQP 1.0."""
    tell(f"other protocols against AMQP 1.0: {count:,} messages a round")
    script = BENCH / "protocols.py"
    arguments = ("--server", str(directory / "lastvalue"), "--count", str(count))
    return subprocess.run([sys.executable, str(script), *arguments], cwd=ROOT, check=False).returncode


def cell(value: float | None, form: str = ".3f") -> str:
    return "-" if value is None else format(value, form)


def ratio(upper: float | None, lower: float | None) -> float | None:
    return upper / lower if upper is not None and lower else None


def verdict(row: Row) -> str:
    over = [
        form
        for form, cost, limit in (
            ("compiled", row.compiled_us, GATES_US.get(row.name)),
            ("pure", row.pure_us, PURE_GATES_US.get(row.name)),
        )
        if cost is not None and limit is not None and cost > limit
    ]
    return f"over ({', '.join(over)})" if over else "ok" if row.name in GATES_US else "-"


def print_table(report: Report) -> None:
    heads = ("CPU us a message", "compiled", "pure", "pure/compiled", "compiled/ref", "pure/ref", "gates", "")
    lines = [heads]
    for row in report.rows.values():
        compiled, pure = row.compiled_us, row.pure_us
        gates = cell(GATES_US.get(row.name), ".1f"), cell(PURE_GATES_US.get(row.name), ".0f")
        lines.append(
            (
                row.name,
                cell(compiled),
                cell(pure),
                cell(ratio(pure, compiled), ".1f"),
                cell(ratio(compiled, report.reference_us.get("compiled")), ".2f"),
                cell(ratio(pure, report.reference_us.get("pure")), ".2f"),
                " / ".join(gates),
                verdict(row),
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    print()
    for name, *cells in lines:
        right = (text.rjust(width) for text, width in zip(cells, widths[1:], strict=True))
        print(name.ljust(widths[0]), *right, sep="  ")
    for form, cost_us in report.reference_us.items():
        print(f"reference loop in the {form} run: {cost_us * 1000:.0f} ns")
    waiting, processors = os.getloadavg()[0], os.cpu_count() or 1
    if waiting > processors:
        print(f"load average {waiting:.1f} on {processors} processors: neighbours made these figures worse")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=("codec", "broker", "store", "protocols", "spark"), help="one part")
    parser.add_argument("--quick", action="store_true", help="a tenth of the messages, no Spark")
    options = parser.parse_args()
    report = Report()
    forms = {form: path for form, path in (("compiled", COMPILED), ("pure", PURE)) if path.exists()}
    if "compiled" not in forms:
        tell("no .venv-compiled: `make bench` builds it; measuring plain Python only")
    for form, directory in forms.items():
        if options.only in (None, "codec"):
            measure_codec(report, form, directory)
        if options.only in (None, "broker"):
            measure_broker(report, form, directory, FULL_COUNT[form] // (10 if options.quick else 1))
        if options.only in (None, "store"):
            measure_store(report, form, directory, FULL_COUNT[form] // (10 if options.quick else 1))
    if report.rows:
        print_table(report)
    failed = any(verdict(row).startswith("over") for row in report.rows.values())
    if "compiled" in forms and options.only in (None, "protocols"):
        count = FULL_COUNT["compiled"] // (16 if options.quick else 4)
        failed |= measure_protocols(forms["compiled"], count) != 0
    if options.only == "spark" or (options.only is None and not options.quick):
        failed |= measure_spark() != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
