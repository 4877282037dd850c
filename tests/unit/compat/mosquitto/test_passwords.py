"""lastvalue.compat.mosquitto.passwords."""

from base64 import b64encode
from hashlib import pbkdf2_hmac

import pytest

from lastvalue.compat.mosquitto.passwords import MECHANISM, read_passwords

SALT = b"salt of twelve"


def hashed(password: str, rounds: int = 101) -> str:
    salted = pbkdf2_hmac("sha512", password.encode(), SALT, rounds)
    return f"$7${rounds}${b64encode(SALT).decode()}${b64encode(salted).decode()}"


def test_a_password_is_the_same_afterwards() -> None:
    found, left_out = read_passwords(f"# users\n\nann:{hashed('secret')}\nb:c:{hashed('pa:ss', 1000)}\n")
    assert left_out == []
    assert found["ann"].fits(MECHANISM, "secret")
    assert not found["ann"].fits(MECHANISM, "Secret")
    assert found["b:c"].fits(MECHANISM, "pa:ss")
    assert found["b:c"].iterations == 1000


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ann", "line 1: expected NAME:HASH"),
        ("ann:plain", "line 1, user 'ann': its hash is none of `mosquitto_passwd`"),
        ("ann:$6$c2FsdA==$aGFzaA==", "line 1, user 'ann': its password is kept as one round of SHA-512"),
        ("ann:$argon2id$v=19$m=1,t=1,p=1$c2E$aGE", "line 1, user 'ann': its password is kept as Argon2"),
        ("ann:$7$101$c2FsdA==$aGFzaA==", "line 1, user 'ann': its hash does not have the rounds"),
        ("ann:$7$0$c2FsdA==$" + b64encode(bytes(64)).decode(), "line 1, user 'ann': its hash does not have"),
        ("ann:$7$101$!$aGFzaA==", "line 1, user 'ann': its hash is not Base64"),
    ],
)
def test_a_hash_that_becomes_no_credential_is_told(line: str, reason: str) -> None:
    found, left_out = read_passwords(line)
    assert found == {}
    assert [each for each in left_out if each.startswith(reason)], left_out
