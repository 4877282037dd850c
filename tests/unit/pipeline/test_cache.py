import os
from pathlib import Path

import pytest

from lastvalue.pipeline.cache import cache_directory, make_private


def test_the_cache_is_where_the_user_says() -> None:
    assert cache_directory({"XDG_CACHE_HOME": "/var/cache/me"}) == Path("/var/cache/me/lastvalue")


def test_without_a_word_the_cache_is_in_the_home_directory() -> None:
    assert cache_directory({}) == Path.home() / ".cache" / "lastvalue"


def test_a_relative_cache_directory_is_ignored() -> None:
    assert cache_directory({"XDG_CACHE_HOME": "cache"}) == Path.home() / ".cache" / "lastvalue"


def test_a_new_cache_is_its_owners_alone_and_an_older_one_is_closed_to_writers(tmp_path: Path) -> None:
    cache = tmp_path / "a" / "cache"
    make_private(cache)
    assert cache.stat().st_mode & 0o777 == 0o700
    cache.chmod(0o777)
    make_private(cache)
    assert cache.stat().st_mode & 0o777 == 0o755


def test_another_users_cache_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = tmp_path.stat()
    anothers = os.stat_result((*status[:4], os.geteuid() + 1, *status[5:10]))
    monkeypatch.setattr(Path, "stat", lambda _, **__: anothers)
    with pytest.raises(PermissionError, match="another user has the cache"):
        make_private(tmp_path)
