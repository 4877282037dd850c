"""lastvalue.http.session_file."""

import time
from pathlib import Path

import pytest

from lastvalue.http.session_file import KeptSession, SessionFile

KEPT = KeptSession("ann", "token", "sealed", time.time_ns() // 1_000_000 + 3_600_000)


def test_what_is_written_is_read_until_it_ends(tmp_path: Path) -> None:
    file = SessionFile(str(tmp_path / "sessions"))
    assert file.read() == {}
    file.write({"one": KEPT, "two": KeptSession(None, "t", "s", 1)})
    assert file.read() == {"one": KEPT}
    assert [each.name for each in tmp_path.iterdir()] == ["sessions"]


@pytest.mark.parametrize("text", ["", "[]", '{"one": {}}', '{"one": 5}'])
def test_a_file_that_cannot_be_read_has_no_sessions_and_is_told(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "sessions").write_text(text)
    assert SessionFile(str(tmp_path / "sessions")).read() == {}
    assert "cannot be read" in caplog.text


def test_where_it_cannot_be_written_sessions_are_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    SessionFile(str(tmp_path / "missing" / "sessions")).write({"one": KEPT})
    assert "cannot be kept" in caplog.text
    SessionFile(None).write({"one": KEPT})
