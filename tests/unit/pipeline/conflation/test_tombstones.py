"""lastvalue.pipeline.conflation.tombstones."""

from lastvalue.pipeline import Tombstones
from lastvalue.pipeline.conflation import tombstones


def test_deletions_leave_the_result_unless_they_are_kept() -> None:
    assert Tombstones is tombstones.Tombstones
    assert Tombstones("deleted").keep is False
