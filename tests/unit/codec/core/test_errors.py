"""The errors of CORE."""

import pytest

from lastvalue.codec.core.errors import ADDRESS_EXISTS, CoreError

pytestmark = pytest.mark.pure


def test_an_error_has_the_code_of_artemis() -> None:
    fault = CoreError(ADDRESS_EXISTS, "address 'a' exists")
    assert (fault.code, str(fault)) == (107, "address 'a' exists")
