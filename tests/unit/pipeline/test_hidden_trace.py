"""lastvalue.pipeline.hidden_trace."""

import os

import pytest

from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.hidden_trace import HIDE_TRACE, hidden_trace


@pytest.mark.parametrize(("error", "hides"), [(LastvalueError("named"), True), (ValueError("a bug"), False)])
def test_only_errors_that_name_their_fault_hide_the_trace(
    error: Exception, *, hides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HIDE_TRACE, "")
    with pytest.raises(type(error)), hidden_trace():
        raise error
    assert bool(os.environ[HIDE_TRACE]) is hides
