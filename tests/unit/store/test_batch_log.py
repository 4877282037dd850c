from lastvalue.store.batch_log import SYNC_BOUNDS_MS, Commit, Syncs, SyncTimes


def test_nothing_follows_a_commit_unless_that_is_said() -> None:
    commit = Commit(1, b"records")
    commit.done()
    commit.failed()
    assert (commit.obsolete, Syncs().count) == ([], 0)


def test_syncs_are_counted_by_how_long_they_took() -> None:
    times = SyncTimes()
    for took_s in (0.001, 0.3, 60):
        times.add(took_s)
    syncs = times.syncs
    within = dict(zip(SYNC_BOUNDS_MS, syncs.within, strict=True))
    assert (within[1], within[250], within[500], within[5000]) == (1, 1, 2, 2)
    assert (syncs.count, round(syncs.total_s, 3), syncs.last_s) == (3, 60.301, 60)
