"""lastvalue.store.store_options."""

from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync


def test_a_store_syncs_always_and_its_checks_are_no_difference() -> None:
    assert StoreOptions().sync is Sync.ALWAYS
    assert StoreOptions(checks=True) == StoreOptions()
    assert StoreOptions(reserve_bytes=1) != StoreOptions()
