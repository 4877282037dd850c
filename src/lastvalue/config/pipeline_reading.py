"""Reads the tables of a configuration that declare a pipeline."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.pipeline_settings import (
    FILE_FORMATS,
    FORMATS_WITH_SCHEMA,
    MESSAGE_FIELDS,
    ON_GAP,
    POLICIES,
    POLICIES_WITH_VOLUME,
    POLICIES_WITHOUT_VALUE,
    FeedSettings,
    HistorySettings,
    PipelineDeclaration,
    PipelineSettings,
    ReplaySettings,
)
from lastvalue.config.source_faults import source_faults
from lastvalue.config.tables import Table
from lastvalue.model.composite_key import names_of_key
from lastvalue.model.durations import duration_ms
from lastvalue.queues.policy import MOST_LISTED

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PART: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_RELATIVE: Final = re.compile(r"-\d+(\.\d+)?(ms|s|m|h|d|w)")
_LONGEST_MS: Final = 366 * 86_400_000
_SINK_OPTIONS: Final = ("delivery", "durable", "onRejected", "timeoutSeconds", "transactionRows")


def read_pipeline(root: Table) -> PipelineDeclaration:
    """Read `[pipeline]`, `[[feed]]`, `[[history]]` and `[[replay]]`; faults are added to the root's."""
    settings = _settings(root.table("pipeline"))
    return PipelineDeclaration(
        settings,
        tuple(_feed(table) for table in root.tables("feed")),
        tuple(_history(table) for table in root.tables("history")),
        tuple(_replay(table) for table in root.tables("replay")),
    )


def cross_check_pipeline(pipeline: PipelineDeclaration) -> Iterator[Fault]:
    """Find duplicate names, and names of histories that do not exist."""
    first: dict[str, tuple[str | int, ...]] = {}
    for path, part in pipeline.parts():
        if part.name and first.setdefault(part.name, path) != path:
            kind, place = first[part.name]
            reason = (
                f"{kind}[{int(place) + 1}] has the same; names of feeds, histories and replays must differ"
            )
            yield Fault((*path, "name"), reason, part.name)
    histories = {history.name for history in pipeline.histories}
    for place, replay in enumerate(pipeline.replays):
        if replay.history is not None and replay.history not in histories:
            yield Fault(("replay", place, "history"), "no [[history]] has that name", replay.history)


def _settings(table: Table) -> PipelineSettings:
    plain = PipelineSettings()
    url = _url(table) or plain.url
    settings = PipelineSettings(
        master=_master(table, plain.master),
        url=url,
        user_env=_variable(table, "user_env"),
        password_env=_variable(table, "password_env"),
        state=table.text("state"),
        checkpoints=table.text("checkpoints"),
        restarts=_or(table.number("restarts", 0, 1_000_000), plain.restarts),
        restart_delay_ms=_or(_duration(table, "restart_delay"), plain.restart_delay_ms),
        ship=table.flag("ship", plain.ship),
        spark=_scalars(table, "spark", _spark_setting),
    )
    for secret, right in (("user", "user_env"), ("password", "password_env")):
        if secret in table:
            table.take(secret)
            table.fault(
                secret,
                f"credentials are not allowed here; write {right} = the environment variable's name",
                NO_VALUE,
            )
    table.end()
    if settings.password_env and not settings.user_env:
        table.fault("password_env", "password_env needs user_env", settings.password_env)
    return settings


def _spark_setting(name: str) -> str:
    return "" if name.startswith("spark.") else 'settings of Spark begin with "spark."'


def _message_field(name: str) -> str:
    if name in MESSAGE_FIELDS:
        return ""
    if name == "key":
        return "leave it out; the feed's own key names the column"
    return "expected one of " + ", ".join(MESSAGE_FIELDS)


def _sink_option(name: str) -> str:
    known = {option.lower() for option in _SINK_OPTIONS}
    return "" if name.lower() in known else "expected one of " + ", ".join(_SINK_OPTIONS)


def _master(table: Table, default: str) -> str:
    master = table.text("master", default) or default
    if not re.fullmatch(r"local(\[[^\]]+\])?|spark://.+|yarn|k8s://.+", master):
        table.fault("master", "expected local[*], local[N], spark://host:port, yarn or k8s://…", master)
    return master


def _feed(table: Table) -> FeedSettings:
    plain = FeedSettings("", "", "")
    feed = FeedSettings(
        name=_name(table, "ticks"),
        format=table.required("format", 'format = "parquet"'),
        queue=table.required("queue", 'queue = "prices"'),
        path=table.text("path"),
        options=_scalars(table, "options", lambda _name: ""),
        schema=table.text("schema"),
        select=table.texts("select"),
        where=table.text("where"),
        key=table.texts("key"),
        order_by=table.texts("order_by"),
        policy=table.choice("policy", POLICIES, plain.policy) or plain.policy,
        value=table.text("value"),
        volume=table.text("volume"),
        most=table.number("most", 1, MOST_LISTED),
        time=table.text("time"),
        every_ms=_duration(table, "every"),
        watermark_ms=_duration(table, "watermark", least=0),
        trigger_ms=_or(_duration(table, "trigger", least=0), plain.trigger_ms),
        partitions=_or(table.number("partitions", 1, 100_000), plain.partitions),
        message=_scalars(table, "message", _message_field, text_only=True),
        key_property=table.text("key_property"),
        sink=_scalars(table, "sink", _sink_option),
        url=_url(table),
    )
    table.end()
    _check_source(table, feed)
    _check_conflation(table, feed)
    return feed


def _check_source(table: Table, feed: FeedSettings) -> None:
    kind = feed.format.lower()
    if kind in FILE_FORMATS and feed.path is None:
        table.fault(None, f"path is missing: where the {kind} files are", NO_VALUE)
    if kind in FORMATS_WITH_SCHEMA and feed.schema is None:
        reason = f"schema is missing: {kind} files do not say it; write for example"
        table.fault(None, f'{reason} schema = "symbol STRING, price DOUBLE"', NO_VALUE)
    table.faults.extend(source_faults(feed, table.path))
    if "path" in feed.options:
        table.faults.append(
            Fault((*table.path, "options", "path"), "leave it out; write it as the feed's path", NO_VALUE)
        )


def _check_conflation(table: Table, feed: FeedSettings) -> None:
    if not feed.key:
        for key, value in _conflating(feed).items():
            if value:
                table.fault(key, "conflates, which needs key, the column to conflate by", value)
        return
    if not feed.order_by:
        table.fault(None, "order_by is missing: the columns that tell which row of a key is newer", NO_VALUE)
    if feed.key_property and len(names_of_key(feed.key_property)) != len(feed.key):
        reason = f"expected one name for each column of key, with commas between them: {', '.join(feed.key)}"
        table.fault("key_property", reason, feed.key_property)
    _check_policy(table, feed)
    if feed.every_ms is not None and feed.watermark_ms is None:
        reason = "an interval is published once no row of it can come; write for example"
        table.fault("every", f'{reason} watermark = "10s"', NO_VALUE)
    if feed.watermark_ms is not None and feed.every_ms is None:
        table.fault("watermark", "needs every, the interval", NO_VALUE)


def _check_policy(table: Table, feed: FeedSettings) -> None:
    policy = feed.policy
    if policy in POLICIES_WITHOUT_VALUE:
        for key, value in (("value", feed.value), ("volume", feed.volume)):
            if value:
                table.fault(key, f"leave it out; policy {policy} keeps whole rows", value)
    elif feed.value is None:
        table.fault(None, f"value is missing: the column of values for policy {policy}", NO_VALUE)
    if policy == "vwap" and feed.volume is None:
        table.fault(None, "volume is missing: the column of weights", NO_VALUE)
    if policy == "list" and feed.most is None and not _faulty(table, "most"):
        table.fault(None, "most is missing: how many of the newest values", NO_VALUE)
    if feed.most is not None and policy != "list":
        table.fault("most", f"leave it out; policy {policy} does not use it", feed.most)
    if feed.volume is not None and policy not in (*POLICIES_WITH_VOLUME, *POLICIES_WITHOUT_VALUE):
        table.fault("volume", f"leave it out; policy {policy} does not use it", feed.volume)


def _conflating(feed: FeedSettings) -> Mapping[str, Any]:
    return {
        "order_by": list(feed.order_by),
        "value": feed.value,
        "volume": feed.volume,
        "most": feed.most,
        "every": feed.every_ms,
        "watermark": feed.watermark_ms,
        "key_property": feed.key_property,
    }


def _history(table: Table) -> HistorySettings:
    plain = HistorySettings("", (), "")
    history = HistorySettings(
        name=_name(table, "prices-history"),
        queues=table.texts("queues"),
        tables=table.required("tables", 'tables = "/var/lib/lastvalue/history"'),
        every_ms=_or(_duration(table, "every"), plain.every_ms),
        retention_days=table.real("retention_days", "days above 0"),
        on_gap=table.choice("on_gap", ON_GAP, plain.on_gap) or plain.on_gap,
        url=_url(table),
    )
    table.end()
    if table.is_table and not history.queues and not _faulty(table, "queues"):
        table.fault(None, 'queues is missing; write for example queues = ["prices"]', NO_VALUE)
    return history


def _replay(table: Table) -> ReplaySettings:
    replay = ReplaySettings(
        name=_name(table, "yesterday"),
        queue=table.required("queue", 'queue = "prices"'),
        into=table.required("into", 'into = "prices.again"'),
        start=_time(table, table.required("start", 'start = "2026-03-01T12:00:00Z"'), "start"),
        end=_time(table, table.text("end", "now") or "now", "end"),
        history=table.text("history"),
        speed=_speed(table),
        every_ms=_or(_duration(table, "every"), 0),
        url=_url(table),
    )
    table.end()
    if replay.queue and replay.queue == replay.into:
        table.fault("into", "a queue cannot be replayed into itself", replay.into)
    return replay


def _name(table: Table, example: str) -> str:
    name = table.required("name", f'name = "{example}"')
    if name and not _PART.fullmatch(name):
        table.fault(
            "name", "expected letters, digits, '.', '-' and '_', because a directory has this name", name
        )
    return name


def _url(table: Table) -> str | None:
    url = table.text("url")
    if url is None:
        return None
    from lastvalue.client.errors import InvalidUrlError  # noqa: PLC0415 - brokers load this module, not the client
    from lastvalue.client.url import parse_url  # noqa: PLC0415 - brokers load this module, not the client

    try:
        broker = parse_url(url)
    except InvalidUrlError as error:
        table.fault("url", str(error), NO_VALUE)
        return None
    if broker.user is not None or broker.password:
        table.fault(
            "url", "credentials are not allowed here; write user_env and password_env in [pipeline]", NO_VALUE
        )
    return url


def _variable(table: Table, key: str) -> str | None:
    name = table.text(key)
    if name is not None and not _VARIABLE.fullmatch(name):
        # The value may be the secret itself, so it is not shown.
        table.fault(key, "expected the name of an environment variable", NO_VALUE)
    return name


def _duration(table: Table, key: str, least: int = 1) -> int | None:
    text = table.text(key)
    if text is None:
        return None
    milliseconds = duration_ms(text)
    if milliseconds is None or not least <= milliseconds <= _LONGEST_MS:
        table.fault(key, "expected a number and a unit, as in 100ms, 5s, 1m, 1h or 1d", text)
        return None
    return milliseconds


def _time(table: Table, text: str, key: str) -> str:
    if text and text != "now" and not _RELATIVE.fullmatch(text):
        try:
            datetime.fromisoformat(text)
        except ValueError:
            reason = "expected ISO 8601 as in 2026-03-01T12:00:00Z, a time before now as in -5m, or now"
            table.fault(key, reason, text)
    return text


def _speed(table: Table) -> float:
    if table.holds("speed", "max"):
        table.take("speed")
        return 0.0
    speed = table.real("speed", "a number above 0, or max")
    return 1.0 if speed is None else speed


def _scalars(
    table: Table, key: str, fault_of: Callable[[str], str], *, text_only: bool = False
) -> dict[str, str]:
    """A table of texts, numbers and flags; all values as text, because Spark's options are text."""
    texts: dict[str, str] = {}
    for name, value in table.mapping(key).items():
        path = (*table.path, key, name)
        reason = fault_of(name)
        if reason:
            # A value may be a secret, so it is not shown.
            table.faults.append(Fault(path, reason, NO_VALUE))
        elif isinstance(value, bool) and not text_only:
            texts[name] = str(value).lower()
        elif isinstance(value, str) or (isinstance(value, int | float) and not text_only):
            texts[name] = str(value)
        else:
            expected = "an SQL expression, as text" if text_only else "text, a number, true or false"
            table.faults.append(Fault(path, f"expected {expected}", value))
    return texts


def _faulty(table: Table, key: str) -> bool:
    return any(fault.path == (*table.path, key) for fault in table.faults)


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value
