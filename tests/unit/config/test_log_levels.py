"""lastvalue.config.log_levels."""

import re

import pytest

from lastvalue.config.log_levels import COMPONENTS, LEVEL_FORM, LogLevelError, read_levels


def test_a_level_is_for_all_components_or_for_one() -> None:
    assert read_levels(()) == {"": "info", "audit": "info"}
    assert read_levels(["warning", "store=debug"]) == {"": "warning", "audit": "info", "store": "debug"}
    assert read_levels(["warning", "audit=error"]) == {"": "warning", "audit": "error"}


@pytest.mark.parametrize("text", ["loud", "disc=info", "store=", "=info=", "", "store=INFO"])
def test_what_is_no_level_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(LogLevelError, match="expected one or more of LEVEL and COMPONENT=LEVEL"):
        read_levels([text])
    assert not re.fullmatch(LEVEL_FORM[0], text)


@pytest.mark.parametrize("component", COMPONENTS)
def test_the_form_has_every_component(component: str) -> None:
    assert re.fullmatch(LEVEL_FORM[0], f"{component}=error")
