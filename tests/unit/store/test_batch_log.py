from lastvalue.store.batch_log import Commit, Syncs


def test_nothing_follows_a_commit_unless_that_is_said() -> None:
    commit = Commit(1, b"records")
    commit.done()
    commit.failed()
    assert (commit.obsolete, Syncs().count) == ([], 0)
