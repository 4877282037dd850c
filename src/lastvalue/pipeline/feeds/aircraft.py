"""Real aircraft positions: three hours over Europe at 1 Hz, from the PyPI wheel `traffic`.

The data is downloaded at run time and is not part of lastvalue.
"""

import gzip
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

import pyarrow as pa

from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.cache import cache_directory
from lastvalue.pipeline.feeds.recording import Recording, write_recording

PACKAGE: Final = "traffic==2.13"
ROWS: Final = 284_505
AIRCRAFT: Final = 213

_MEMBER: Final = "traffic/data/samples/collections/quickstart.json.gz"
_DOWNLOAD_TIMEOUT_S: Final = 300


class AircraftUnavailableError(LastvalueError):
    """The positions cannot be downloaded, or are not the expected ones."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"the aircraft positions of the wheel {PACKAGE} are not available: {fault}")


def aircraft_recording(cache: Path | None = None) -> Recording:
    """The positions; the first call downloads 28 MB and writes 8 MB to the cache directory.

    Raises:
        AircraftUnavailableError: the wheel cannot be downloaded, or its contents are not as expected.
    """
    path = (cache or cache_directory()) / "aircraft-2.13.parquet"
    if not path.is_file():
        with tempfile.TemporaryDirectory(prefix="lastvalue-") as directory:
            write_recording(positions_of_wheel(_downloaded(Path(directory))), path)
    return Recording(
        queue="positions",
        path=path,
        key="icao24",
        order_by="timestamp",
        time_column="timestamp",
        rows=ROWS,
        keys=AIRCRAFT,
        speed=180.0,
        shown=("callsign", "latitude", "longitude", "altitude", "groundspeed", "track"),
        origin=f"{ROWS:,} positions of {AIRCRAFT} aircraft on 7 October 2021 (PyPI wheel {PACKAGE})",
    )


def positions_of_wheel(wheel: Path) -> pa.Table:
    """The positions in the wheel, sorted by time, with time as a timestamp.

    Raises:
        AircraftUnavailableError: the positions are missing, or their number is not as expected.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            rows = json.loads(gzip.decompress(archive.read(_MEMBER)))
    except (OSError, KeyError, zipfile.BadZipFile, json.JSONDecodeError) as error:
        raise AircraftUnavailableError(f"{wheel.name} does not hold them ({error})") from None
    table = pa.Table.from_pylist(rows)
    aircraft = len(table["icao24"].unique())
    if (table.num_rows, aircraft) != (ROWS, AIRCRAFT):
        raise AircraftUnavailableError(
            f"{wheel.name} holds {table.num_rows} positions of {aircraft} aircraft, not {ROWS} of {AIRCRAFT}"
        )
    moments = table["timestamp"].cast(pa.timestamp("ms", "UTC")).cast(pa.timestamp("us", "UTC"))
    timed = table.set_column(table.schema.get_field_index("timestamp"), "timestamp", moments)
    return timed.sort_by([("timestamp", "ascending"), ("icao24", "ascending")])


def _downloaded(directory: Path) -> Path:
    """The wheel without its dependencies, downloaded by this interpreter's pip with pip's own settings."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(directory), PACKAGE]
    try:
        subprocess.run(  # noqa: S603 - this interpreter and constants
            command, check=True, capture_output=True, text=True, timeout=_DOWNLOAD_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        raise AircraftUnavailableError(
            f"pip took longer than {_DOWNLOAD_TIMEOUT_S} s to download it"
        ) from None
    except subprocess.CalledProcessError as error:
        reasons = error.stderr.strip().splitlines() or ["pip gave no reason"]
        raise AircraftUnavailableError(reasons[-1]) from None
    except OSError as error:
        raise AircraftUnavailableError(str(error)) from None
    return next(directory.glob("*.whl"))
