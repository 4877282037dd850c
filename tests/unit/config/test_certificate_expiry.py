"""lastvalue.config.certificate_expiry."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme

from lastvalue.config.certificate_expiry import certificate_expiry_ms


@pytest.mark.parametrize("year", [2031, 2049, 2050, 2200])
def test_the_end_of_a_certificate_is_read_in_both_of_its_forms(tmp_path: Path, year: int) -> None:
    end = datetime(year, 3, 4, 5, 6, 7, tzinfo=UTC)
    file = tmp_path / "certificate.pem"
    trustme.CA().issue_cert("localhost", not_after=end).private_key_and_cert_chain_pem.write_to_path(file)
    assert certificate_expiry_ms(file) == end.timestamp() * 1000


def test_a_file_without_a_certificate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("nothing")
    with pytest.raises(ValueError, match="no certificate in PEM"):
        certificate_expiry_ms(tmp_path / "empty.pem")
