"""lastvalue.protocols.scram_credential."""

import pytest

from lastvalue.protocols.scram_credential import (
    ITERATIONS,
    SALT_BYTES,
    SCRAM_MECHANISMS,
    ScramCredential,
    key_bytes,
)

SALT = bytes(range(SALT_BYTES))


@pytest.mark.parametrize("mechanism", SCRAM_MECHANISMS)
def test_a_credential_fits_its_password_and_is_read_as_it_was_written(mechanism: str) -> None:
    made = ScramCredential.of(mechanism, "geheim ✓", SALT)
    made.check_strength(mechanism)
    assert ScramCredential.parse(str(made)) == made
    assert (made.salt, made.iterations, len(made.stored_key)) == (SALT, ITERATIONS, key_bytes(mechanism))
    assert made.fits(mechanism, "geheim ✓")
    assert not made.fits(mechanism, "geheim")


@pytest.mark.parametrize("text", ["", "1 2", "0 QUE= QUE= QUE=", "many QUE= QUE= QUE=", "1 QUE= QUE= ?"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds
        ScramCredential.parse(text)


@pytest.mark.parametrize(
    ("iterations", "salt_bytes", "size", "fault"),
    [
        (4095, 16, 32, "4095 iterations"),
        (1_000_001, 16, 32, "iterations"),
        (4096, 7, 32, "salt of 7 bytes"),
        (4096, 257, 32, "salt of 257 bytes"),
        (4096, 16, 31, "have 32 bytes"),
    ],
)
def test_weak_and_costly_ones_are_refused(iterations: int, salt_bytes: int, size: int, fault: str) -> None:
    credential = ScramCredential(iterations, bytes(salt_bytes), bytes(size), bytes(size))
    with pytest.raises(ValueError, match=fault):
        credential.check_strength("SCRAM-SHA-256")


def test_a_password_is_prepared_as_clients_of_scram_do() -> None:
    made = ScramCredential.of("SCRAM-SHA-256", "Ⅸ", SALT)
    assert made.fits("SCRAM-SHA-256", "IX")
    assert made.fits("SCRAM-SHA-256", "Ⅸ")
    assert not made.fits("SCRAM-SHA-256", "IX\x00")
    with pytest.raises(ValueError, match=r"control characters forbidden$"):
        ScramCredential.of("SCRAM-SHA-256", "IX\x00", SALT)
