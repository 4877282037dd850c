"""lastvalue.http.caller."""

import base64

import pytest

from lastvalue.http.caller import ANONYMOUS, Caller, read_caller
from lastvalue.http.problems import Problem


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("header", "caller"),
    [
        (None, ANONYMOUS),
        (basic("ann:secret"), Caller("ann", "secret")),
        (basic("änn:a:b"), Caller("änn", "a:b")),
        (basic("ann:"), Caller("ann", "")),
        # [RFC 4013 §3] A soft hyphen is nothing, and the Roman numeral nine is two letters.
        (basic("ann:I\u00adX"), Caller("ann", "IX")),
        (basic("ann:\u2168"), Caller("ann", "IX")),
        (basic("ann:\x07"), Caller("ann", "\x07")),
        ("bearer abc.def", Caller(token="abc.def")),
    ],
)
def test_the_header_names_the_caller(header: str | None, caller: Caller) -> None:
    assert read_caller(header) == caller


@pytest.mark.parametrize(
    "header",
    ["", "Basic", "Basic ???", basic("ann"), basic(":x"), "Bearer ", "Digest x", "Basic //8=", "Basic ÿÿ"],
)
def test_a_header_that_cannot_be_read_is_refused(header: str) -> None:
    with pytest.raises(Problem) as refused:
        read_caller(header)
    assert refused.value.status_code == 401


def test_secrets_are_not_shown() -> None:
    assert "secret" not in repr(Caller("ann", "secret", "secret"))
