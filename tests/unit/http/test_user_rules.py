"""lastvalue.http.user_rules."""

import pytest

from lastvalue.http.problems import Problem
from lastvalue.http.user_rules import credentials_of
from lastvalue.protocols.scram_credential import SCRAM_MECHANISMS, ScramCredential


async def test_what_checks_a_password_is_another_one_each_time() -> None:
    first, second = await credentials_of("geheim"), await credentials_of("geheim")
    assert list(first) == list(SCRAM_MECHANISMS)
    assert all(ScramCredential.parse(text).fits(name, "geheim") for name, text in first.items())
    assert not set(first.values()) & set(second.values())


async def test_a_password_that_none_can_be_is_named() -> None:
    with pytest.raises(Problem, match="password: control characters"):
        await credentials_of("\n")
