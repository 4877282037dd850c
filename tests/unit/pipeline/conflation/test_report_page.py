"""The page with the report of a conflation, without Spark."""

from dataclasses import replace
from xml.etree import ElementTree as ET

from lastvalue.pipeline.conflation.bulk import Bucket, Gaps, Report
from lastvalue.pipeline.conflation.report_page import report_facts, report_page

REPORT = Report(
    rows=1200,
    keyless=3,
    keys=10,
    results=100,
    late=4,
    equal=0,
    duplicates=1,
    sequence=Gaps(first=1, last=1210, missing=10, gaps=2),
    seconds=2.0,
    bucket_s=5.0,
    over_time=(Bucket(0.0, 600, 50), Bucket(5.0, 600, 0), Bucket(10.0, 0, 50)),
)


def test_a_report_is_told_line_by_line() -> None:
    assert report_facts(REPORT) == [
        ("rows", "1,200"),
        ("keys", "10"),
        ("results", "100"),
        ("ratio", "12.00 rows a result"),
        ("without a key", "3"),
        ("late", "4"),
        ("equal", "0"),
        ("duplicates", "1"),
        ("sequence", "1 to 1,210, 10 missing in 2 gaps"),
        ("time", "2.0 s, 600 rows a second"),
    ]


def test_what_was_not_counted_is_not_told() -> None:
    quick = replace(REPORT, late=None, equal=None, duplicates=None, sequence=None, results=0, keyless=0)
    assert [name for name, _ in report_facts(quick)] == ["rows", "keys", "results", "time"]


def test_a_picture_is_a_whole_page_that_needs_nothing_else() -> None:
    page = report_page(REPORT, "a <table> & more")
    root = ET.fromstring(page.partition("\n")[2].replace('<meta charset="utf-8">', ""))
    charts = [[len(group) for group in chart.iter("g")] for chart in root.iter("svg")]
    assert charts == [[3], [3], [3]]
    assert root.findtext("body/h1") == "a <table> & more"
    assert "http" not in page
    assert len(page) < 10_000


def test_without_times_there_are_no_charts() -> None:
    assert "<svg" not in report_page(replace(REPORT, over_time=(), bucket_s=0.0), "a table")
