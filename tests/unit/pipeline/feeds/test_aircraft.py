"""Aircraft positions out of a wheel; nothing is downloaded here."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from lastvalue.pipeline.feeds import aircraft
from lastvalue.pipeline.feeds.aircraft import AircraftUnavailableError, positions_of_wheel

MEMBER = "traffic/data/samples/collections/quickstart.json.gz"
ROWS = [
    {"icao24": "b", "timestamp": 2000, "latitude": 1.0},
    {"icao24": "a", "timestamp": 2000, "latitude": 2.0},
    {"icao24": "a", "timestamp": 1000, "latitude": None},
]


def wheel(path: Path, member: str = MEMBER, rows: object = ROWS) -> Path:
    with zipfile.ZipFile(path / "traffic.whl", "w") as archive:
        archive.writestr(member, gzip.compress(json.dumps(rows).encode()))
    return path / "traffic.whl"


def test_positions_are_sorted_by_time_and_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aircraft, "ROWS", 3)
    monkeypatch.setattr(aircraft, "AIRCRAFT", 2)
    table = positions_of_wheel(wheel(tmp_path))
    assert table["icao24"].to_pylist() == ["a", "a", "b"]
    assert str(table["timestamp"].type) == "timestamp[us, tz=UTC]"


def test_other_counts_than_expected_are_told(tmp_path: Path) -> None:
    with pytest.raises(AircraftUnavailableError, match="holds 3 positions of 2 aircraft, not 284505 of 213"):
        positions_of_wheel(wheel(tmp_path))


def test_a_wheel_without_them_is_told(tmp_path: Path) -> None:
    with pytest.raises(AircraftUnavailableError, match=r"traffic\.whl does not hold them"):
        positions_of_wheel(wheel(tmp_path, member="other.json.gz"))


def test_a_file_that_is_no_wheel_is_told(tmp_path: Path) -> None:
    (tmp_path / "traffic.whl").write_bytes(b"no zip")
    with pytest.raises(AircraftUnavailableError):
        positions_of_wheel(tmp_path / "traffic.whl")


def test_a_pip_that_cannot_download_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(AircraftUnavailableError, match=r"traffic==2\.13 are not available"):
        aircraft.aircraft_recording(tmp_path)


def test_what_was_fetched_before_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (tmp_path / "aircraft-2.13.parquet").touch()
    assert aircraft.aircraft_recording(tmp_path).keys == 213
