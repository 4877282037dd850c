from pathlib import Path

from lastvalue.pipeline.cache import cache_directory


def test_the_cache_is_where_the_user_says() -> None:
    assert cache_directory({"XDG_CACHE_HOME": "/var/cache/me"}) == Path("/var/cache/me/lastvalue")


def test_without_a_word_the_cache_is_in_the_home_directory() -> None:
    assert cache_directory({}) == Path.home() / ".cache" / "lastvalue"


def test_a_relative_cache_directory_is_ignored() -> None:
    assert cache_directory({"XDG_CACHE_HOME": "cache"}) == Path.home() / ".cache" / "lastvalue"
