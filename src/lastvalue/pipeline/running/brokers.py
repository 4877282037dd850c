"""The brokers of a pipeline: their URLs with credentials, and checks of the queues that the parts need."""

import os
from collections.abc import Iterator, Mapping
from glob import glob
from pathlib import Path

from lastvalue.client import blocking
from lastvalue.client.errors import AuthenticationError, ClientError
from lastvalue.client.queue_info import QueueInfo
from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.pipeline_settings import (
    FeedSettings,
    HistorySettings,
    Part,
    PipelineDeclaration,
    PipelineSettings,
    ReplaySettings,
)
from lastvalue.history.locations import is_remote
from lastvalue.model.composite_key import names_of_key
from lastvalue.pipeline.broker_access import with_credentials

KeyPath = tuple[str | int, ...]
"""The path of a key in the configuration."""


def missing_variables(settings: PipelineSettings, environment: Mapping[str, str]) -> Iterator[Fault]:
    """Faults for environment variables that the settings name and that are not set."""
    for key in ("user_env", "password_env"):
        name = getattr(settings, key)
        if name is not None and not environment.get(name):
            yield Fault(("pipeline", key), "no environment variable of that name is set", name)


def broker_url(
    settings: PipelineSettings, url: str | None, environment: Mapping[str, str] = os.environ
) -> str:
    """The URL of a part's broker, with the credentials from the environment."""
    plain = url or settings.url
    if settings.user_env is None:
        return plain
    password = environment.get(settings.password_env, "") if settings.password_env else ""
    return with_credentials(plain, environment[settings.user_env], password)


def broker_faults(pipeline: PipelineDeclaration, names: frozenset[str]) -> list[Fault]:
    """Faults of the brokers for the parts of those names: no answer, or missing queues, keys or histories."""
    settings = pipeline.settings
    answers: dict[str, dict[str, QueueInfo] | str] = {}
    faults: dict[KeyPath, Fault] = {}
    for path, part in pipeline.parts():
        if part.name not in names:
            continue
        url = broker_url(settings, part.url)
        if url not in answers:
            answers[url] = _queues(url)
        queues = answers[url]
        if isinstance(queues, str):
            place = (*path, "url") if part.url else ("pipeline", "url")
            faults.setdefault(place, Fault(place, queues, part.url or settings.url))
            continue
        for fault in _part_faults(path, part, queues):
            faults.setdefault(fault.path, fault)
    return list(faults.values())


def _queues(url: str) -> dict[str, QueueInfo] | str:
    try:
        with blocking.connect(url, reconnect=False) as connection:
            return {queue.name: queue for queue in connection.queues()}
    except AuthenticationError as error:
        return f"{error}; see user_env and password_env"
    except ClientError as error:
        return str(error)


def _part_faults(path: KeyPath, part: Part, queues: Mapping[str, QueueInfo]) -> Iterator[Fault]:
    match part:
        case FeedSettings():
            yield from _feed_faults(path, part, queues)
        case HistorySettings():
            histories = {str(queue.options.get("history") or "") for queue in queues.values()}
            for name in part.queues:
                if name not in queues:
                    yield _absent((*path, "queues"), name)
                elif not queues[name].options.get("history") and name not in histories:
                    reason = f"the queue has no history; lastvalue queue set {name} --history {name}.history"
                    yield Fault((*path, "queues"), reason, name)
        case ReplaySettings():
            for key, name in (("queue", part.queue), ("into", part.into)):
                if name not in queues and not (key == "queue" and part.history):
                    yield _absent((*path, key), name)


def _feed_faults(path: KeyPath, feed: FeedSettings, queues: Mapping[str, QueueInfo]) -> Iterator[Fault]:
    if feed.queue not in queues:
        yield _absent((*path, "queue"), feed.queue)
        return
    on_rejected = next((value for name, value in feed.sink.items() if name.lower() == "onrejected"), "fail")
    if on_rejected != "fail" and on_rejected not in queues:
        yield _absent((*path, "sink", "onRejected"), on_rejected)
    declared = queues[feed.queue].options.get("lvq_key")
    if declared and feed.key and "properties" not in feed.message:
        yield from _key_faults(path, feed, str(declared))


def _key_faults(path: KeyPath, feed: FeedSettings, declared: str) -> Iterator[Fault]:
    """Faults of the properties that have the key, where the queue's `lvq_key` is `declared`."""
    wanted, named = names_of_key(declared), feed.key_property
    if len(wanted) == len(feed.key) == 1:
        if named not in (None, declared):
            reason = f"queue {feed.queue!r} has its keys in the property {declared!r}; leave key_property out"
            yield Fault((*path, "key_property"), reason, named)
    elif set(names_of_key(named) if named else feed.key) != set(wanted):
        reason = (
            f"queue {feed.queue!r} has keys of {', '.join(wanted)}; the feed needs a column for each, and "
            f"key_property, if these have other names"
        )
        key = "key_property" if named else "key"
        yield Fault((*path, key), reason, named or ",".join(feed.key))


def _absent(path: KeyPath, name: str) -> Fault:
    return Fault(path, f"the broker has no queue of that name; `lastvalue queue add {name}` makes one", name)


def unusable_paths(
    pipeline: PipelineDeclaration, names: frozenset[str], located: Mapping[str, str], home: Path
) -> Iterator[Fault]:
    """Faults for local paths that do not exist or that this process may not use.

    Args:
        pipeline: the declaration.
        names: of the parts to check.
        located: the paths of feeds, by the feeds' names.
        home: the directory of the file.
    """
    for path, part in pipeline.parts():
        place = located.get(part.name)
        if part.name not in names:
            continue
        if isinstance(part, HistorySettings):
            if is_remote(part.tables):
                continue
            directory = _existing(home / part.tables)
            if not os.access(directory, os.W_OK | os.X_OK):
                yield Fault((*path, "tables"), f"{directory} cannot be written", part.tables)
        elif (
            isinstance(part, FeedSettings) and place and "://" not in place and not place.startswith("hdfs:")
        ):
            plain = place.removeprefix("file:")
            found = glob(plain)  # noqa: PTH207 - Spark's patterns may stand anywhere in a path
            if not found:
                yield Fault((*path, "path"), f"there is nothing at {plain}", part.path or NO_VALUE)
            for entry in found:
                if not os.access(entry, os.R_OK | (os.X_OK if Path(entry).is_dir() else 0)):
                    yield Fault((*path, "path"), f"{entry} cannot be read", part.path or NO_VALUE)


def _existing(directory: Path) -> Path:
    """The directory, or the nearest one above it that exists."""
    return next(each for each in (directory, *directory.parents) if each.exists())
