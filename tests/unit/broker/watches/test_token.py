"""lastvalue.broker.watches.token."""

import pytest

from lastvalue.broker.watches.token import Token, read_token
from lastvalue.model.errors import InvalidSpecError


def test_a_token_is_read_as_it_is_written() -> None:
    assert read_token(str(Token(17, 5, 0))) == Token(17, 5, 0)


@pytest.mark.parametrize("text", ["", "1-2", "1-2-x", "1-2-3-4", "-1-2-3", "1" * 19 + "-1-1"])
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(InvalidSpecError, match="expected N-N-N"):
        read_token(text)
