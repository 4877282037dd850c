"""`lastvalue conflate` where it is called wrongly; Spark is not started."""

from pathlib import Path

import pytest

from lastvalue.cli.app import run


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--policy", "ohlc"], "--policy ohlc needs --value, the column of values"),
        (["--policy", "vwap", "--value", "price"], "--policy vwap needs --volume, the column of weights"),
        (["--policy", "max", "--value", "a", "--volume", "b"], "--policy max does not use --volume"),
        (["--value", "price"], "--policy last keeps whole rows: leave out --value and --volume"),
        (["--policy", "list", "--value", "a"], "--policy list needs --most, how many values: 1 to 10000"),
        (
            ["--policy", "list", "--value", "a", "--most", "10001"],
            "needs --most, how many values: 1 to 10000",
        ),
        (
            ["--policy", "max", "--value", "a", "--most", "3"],
            "--policy max does not use --most; leave it out",
        ),
        (["--keep-deletions"], "--keep-deletions needs --tombstone"),
        (["--policy", "middle"], "Invalid value for '--policy'"),
    ],
)
def test_options_that_contradict_each_other_are_told(
    options: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["conflate", str(tmp_path), "-k", "a", "--order-by", "b", "--out", "c", *options]) == 2
    assert complaint in capsys.readouterr().err


def test_without_a_key_the_option_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conflate", str(tmp_path), "--order-by", "b", "--out", "c"]) == 2
    assert "Missing option '--key'" in capsys.readouterr().err


def test_all_options_that_are_missing_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conflate", str(tmp_path), "--out-format=csv", "-ksymbol"]) == 2
    assert "Missing options '--order-by' and '--out'; see `lastvalue conflate" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ([], "in has no name with the suffix of a format, such as .parquet, .csv"),
        (["a.txt"], "in has no name with the suffix of a format"),
        (["a.csv", "more/b.parquet"], "in has csv and parquet files: name one format"),
        (["_hidden.csv"], "in has no name with the suffix of a format"),
    ],
)
def test_a_directory_has_files_of_one_format(
    names: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in" / "more").mkdir(parents=True)
    for name in names:
        (tmp_path / "in" / name).write_text("")
    assert run(["conflate", str(tmp_path / "in"), "-k", "a", "--order-by", "b", "--out", "c"]) == 1
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent = tmp_path / "absent.csv"
    assert run(["conflate", str(absent), "-k", "a", "--order-by", "b", "--out", "c"]) == 1
    assert f"there is no {absent}" in capsys.readouterr().err


def test_what_is_there_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.csv.gz"
    source.write_bytes(b"")
    assert run(["conflate", str(source), "-k", "a", "--order-by", "b", "--out", str(tmp_path)]) == 1
    assert "exists already: name another output, or overwrite it" in capsys.readouterr().err


def test_an_interval_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(b"")
    arguments = ["conflate", str(source), "-k", "a", "--order-by", "b", "--out", str(tmp_path / "out")]
    assert run([*arguments, "--every", "soon"]) == 1
    assert "'soon' is not an interval; write it as 500ms, 5s, 1m, 1h or 1d" in capsys.readouterr().err


@pytest.mark.parametrize("policy", [["merge"], ["list", "--most", "3"]])
def test_what_csv_cannot_hold_is_not_written_to_it(
    policy: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.parquet"
    source.write_bytes(b"")
    out = tmp_path / "out.csv"
    arguments = ["conflate", str(source), "-k", "a", "--order-by", "b", "--out", str(out)]
    assert run([*arguments, "--value", "v", "--policy", *policy]) == 2
    assert f"CSV cannot hold what --policy {policy[0]} makes" in capsys.readouterr().err
