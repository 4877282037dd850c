"""lastvalue.http.sealed_credentials."""

import pytest

from lastvalue.http.caller import Caller
from lastvalue.http.sealed_credentials import open_credentials, sealed_credentials

ANN = Caller("ann", "pässword")


@pytest.mark.parametrize("credentials", [ANN, Caller("bob"), Caller(token="x" * 5000), Caller("", "")])
def test_the_secret_opens_what_it_sealed(credentials: Caller) -> None:
    assert open_credentials(sealed_credentials(credentials, "secret"), "secret") == credentials


def test_another_secret_and_a_changed_text_open_nothing() -> None:
    sealed = sealed_credentials(ANN, "secret")
    assert open_credentials(sealed, "another") is None
    for changed in (sealed[:-8] + "AAAAAAA=", "A" + sealed[1:], sealed[:40], "", "é"):
        assert open_credentials(changed, "secret") is None


def test_what_is_sealed_does_not_tell_the_length_of_the_password() -> None:
    assert len(sealed_credentials(Caller("ann", "a"), "secret")) == len(
        sealed_credentials(Caller("ann", "a" * 100), "secret")
    )
