"""The report of a conflation as a self-contained HTML page, with charts of rates and ratio over time."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Final

from lastvalue.pipeline.conflation.bulk import Bucket, Report

_WIDTH: Final = 960
_HEIGHT: Final = 260
_LEFT: Final = 70
_RIGHT: Final = 20
_TOP: Final = 34
_BOTTOM: Final = 30

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; color: #222; }}
svg {{ width: 100%; height: auto; }}
svg text {{ font-size: 11px; fill: #555; }}
svg .title {{ font-size: 14px; fill: #222; }}
td {{ padding-right: 2rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<table>
{facts}
</table>
{charts}
</body>
</html>
"""


def report_page(report: Report, title: str) -> str:
    """The page."""
    facts = "\n".join(
        f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in report_facts(report)
    )
    return _PAGE.format(title=escape(title), facts=facts, charts="\n".join(_charts(report)))


def report_facts(report: Report) -> list[tuple[str, str]]:
    """The facts of a report as names and texts."""
    facts = [("rows", f"{report.rows:,}"), ("keys", f"{report.keys:,}"), ("results", f"{report.results:,}")]
    if report.ratio is not None:
        facts.append(("ratio", f"{report.ratio:,.2f} rows a result"))
    if report.keyless:
        facts.append(("without a key", f"{report.keyless:,}"))
    for name in ("late", "equal", "duplicates"):
        count = getattr(report, name)
        if count is not None:
            facts.append((name, f"{count:,}"))
    if report.sequence is not None:
        gaps = report.sequence
        missing = f"{gaps.missing:,} missing in {gaps.gaps:,} gaps" if gaps.gaps else "no gaps"
        facts.append(("sequence", f"{gaps.first:,} to {gaps.last:,}, {missing}"))
    rate = report.rows / report.seconds if report.seconds else 0.0
    facts.append(("time", f"{report.seconds:,.1f} s, {rate:,.0f} rows a second"))
    return facts


def _charts(report: Report) -> list[str]:
    buckets = report.over_time
    if not buckets:
        return []
    width = report.bucket_s
    return [
        _chart("rows a second", buckets, lambda bucket: bucket.rows / width, "#888"),
        _chart("results a second", buckets, lambda bucket: bucket.results / width, "#06c"),
        _chart(
            "ratio: rows over results",
            buckets,
            lambda bucket: bucket.rows / bucket.results if bucket.results else 0.0,
            "#c50",
        ),
    ]


def _chart(title: str, buckets: Sequence[Bucket], height: Callable[[Bucket], float], colour: str) -> str:
    values = [height(bucket) for bucket in buckets]
    top = max(values) or 1.0
    right = _WIDTH - _RIGHT
    across = (right - _LEFT) / len(values)
    down = _HEIGHT - _TOP - _BOTTOM
    bars = "".join(
        f'<rect x="{_LEFT + place * across:.1f}" y="{_TOP + down * (1 - value / top):.1f}" '
        f'width="{max(across - 0.5, 0.5):.1f}" height="{down * value / top:.1f}"/>'
        for place, value in enumerate(values)
    )
    lines = "".join(
        f'<line x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(top * part)}</text>'
        for part in (0, 0.5, 1)
        for y in [_TOP + down * (1 - part)]
    )
    ends = (
        f'<text x="{_LEFT}" y="{_HEIGHT - 10}">{_moment(buckets[0].start_s)}</text>'
        f'<text x="{right}" y="{_HEIGHT - 10}" text-anchor="end">{_moment(buckets[-1].start_s)}</text>'
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">'
        f'<text class="title" x="{_LEFT}" y="20">{escape(title)}</text>'
        f'{lines}<g fill="{colour}">{bars}</g>{ends}</svg>'
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
