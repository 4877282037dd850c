"""Where the demo's values are shown."""

import webbrowser
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.cli.demo_processes import show_console
from lastvalue.cli.demo_run import DemoPlan
from lastvalue.pipeline.feeds.recording import Recording

RECORDING = Recording("positions", Path("p"), "id", "t", "t", 1, 1, 1.0, ("latitude", "longitude"), "")
PICTURE = "console/#/queues/positions/map"
MAP = f"http://localhost:1/{PICTURE}"


def test_aircraft_are_on_the_map_and_prices_are_candles() -> None:
    plan = DemoPlan(RECORDING, 1, 1, 1, 0)
    assert plan.picture == PICTURE
    assert replace(plan, recording=replace(RECORDING, shown=("price",))).picture.endswith("/prices")


@pytest.mark.parametrize(
    ("opens", "opened", "asked", "printed"),
    [
        (False, True, [], f"console  {MAP}"),
        (True, True, [MAP], f"console  {MAP}"),
        (True, False, [MAP], f"console  {MAP} (no browser could be opened)"),
    ],
)
def test_the_console_is_printed_and_opened_on_request(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    opens: bool,
    opened: bool,
    asked: list[str],
    printed: str,
) -> None:
    urls: list[str] = []

    def open_(url: str) -> bool:
        urls.append(url)
        return opened

    monkeypatch.setattr(webbrowser, "open", open_)
    show_console(PICTURE, ["http://localhost:1"], opens=opens)
    assert (urls, capsys.readouterr().out.strip()) == (asked, printed)


def test_without_its_packages_the_console_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_console(PICTURE, [], opens=False)
    assert "pip install 'lastvalue[http]'" in capsys.readouterr().out
