"""The tables of the documentation that follow from declarations in the code; `make docs` writes them.

A table stands between `<!-- NAME: make docs writes this table -->` and `<!-- end of NAME -->`.
"""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from lastvalue.broker.administration.broker_process import PROCESS
from lastvalue.broker.requests.broker_requests import BROKER
from lastvalue.broker.rights.verbs import NEEDS, Need
from lastvalue.broker.statistics.statistic import CONNECTION, LINK, SESSION, Statistic
from lastvalue.config.server_options import SETTINGS
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.metrics import (
    BROKER_METRICS,
    EXTENT_METRICS,
    HISTORY_METRICS,
    LABELLED_METRICS,
    PART_LAG,
    PART_STATE,
    PIPELINE_METRICS,
    QUEUE_METRICS,
    REMOVED,
    STORE_SYNC,
)
from lastvalue.model.admission import ANY_NUMBER, EVERY, LIMITS
from lastvalue.model.queue_statistics import QUEUE_STATISTICS
from lastvalue.queues.option import Kind, Option
from lastvalue.queues.options import OPTIONS
from lastvalue.server.log_events import EVENTS

DOCS: Final = Path(__file__).parents[2] / "docs"


def settings() -> Iterator[tuple[str, ...]]:
    """Every setting of the server."""
    yield ("key", "flag", "variable", "value", "default", "changes", "meaning")
    for each in SETTINGS.values():
        value = (f"{each.expected.removeprefix('a number of ')} {each.unit}") if each.kind is int else ""
        value = value or {Path: "a path", dict: "passwords by name"}.get(each.kind, each.expected)
        meaning = each.sentence if not each.page else f"{each.sentence} [More]({each.page})"
        default = each.shown_default if each.default in (None, (), {}) else f"`{each.shown_default}`"
        names = (f"`{name}`" for name in (each.name, each.flag, each.env))
        yield (*names, value.strip(), default, "live" if each.live else "restart", meaning)


def queue_options() -> Iterator[tuple[str, ...]]:
    """Every option of a queue, with its spellings."""
    yield ("option", "type", "default", "meaning", "Qpid C++", "Broker-J", "Artemis", "RabbitMQ")
    for each in OPTIONS:
        default = "" if each.default is None else f"`{str(each.default).lower()}`"
        foreign = (each.qpid_cpp, each.broker_j, each.artemis, each.rabbitmq)
        yield (f"`{each.name}`", _type(each), default, each.sentence, *map(_spelled, foreign))


def queue_flags() -> Iterator[tuple[str, ...]]:
    """The flags of `lastvalue queue add` and `queue set`."""
    yield ("option", "")
    for each in OPTIONS:
        yield (f"`--{each.name.replace('_', '-')}`", each.sentence)


def rights() -> Iterator[tuple[str, ...]]:
    """The rights that each verb of the broker needs."""
    yield ("to", "the right", "on")
    for verb, needs in NEEDS.items():
        rights = "<br>".join(f"`{need.right}`" for need in needs)
        names = "<br>".join(_needed_on(need) for need in needs)
        yield (verb.value, rights, names)


def log_events() -> Iterator[tuple[str, ...]]:
    """What the server logs."""
    yield ("event", "level", "meaning", "fields")
    for each in sorted(EVENTS, key=lambda event: event.name):
        names = " ".join(f"`{field}`" for field in each.fields)
        yield (f"`{each.name}`", logging.getLevelName(each.level).lower(), each.sentence, names)


def queue_statistics() -> Iterator[tuple[str, ...]]:
    """What is counted of a queue, and what others call it."""
    yield ("name", "meaning", "unit", "of all queues", "metric", "elsewhere")
    for each in QUEUE_STATISTICS:
        others = {
            "QMF": each.qmf,
            "Broker-J": each.broker_j,
            "RabbitMQ": each.rabbitmq,
            "Artemis": each.artemis,
        }
        elsewhere = ", ".join(f"`{name}` ({product})" for product, name in others.items() if name)
        metric = f"`{each.prometheus}`" if each.prometheus else ""
        yield (f"`{each.name}`", each.meaning, each.unit.value, each.over.value, metric, elsewhere)


def statistics(table: tuple[Statistic[Any], ...]) -> Callable[[], Iterator[tuple[str, ...]]]:
    """What is counted of a connection, a session or a link."""

    def rows() -> Iterator[tuple[str, ...]]:
        yield ("name", "meaning")
        for each in table:
            yield (f"`{each.name}`", each.meaning)

    return rows


def broker_statistics() -> Iterator[tuple[str, ...]]:
    """What is counted of a broker, and what its process knows."""
    yield ("name", "meaning")
    yield ("`now_ms`", "the time of the queues")
    for each in BROKER:
        yield (f"`{each.name}`", each.meaning)
    for name, meaning in PROCESS.items():
        yield (f"`{name}`", meaning)


def admission() -> Iterator[tuple[str, ...]]:
    """What a peer may cost at each door."""
    yield ("at most", "of", "for each", "when", "at", "beyond it", "setting")
    for each in LIMITS:
        doors = "every door" if each.doors == EVERY else ", ".join(door.value for door in each.doors)
        setting = f"`{each.setting}`" if each.setting else ""
        most = "any number" if each.most == ANY_NUMBER else f"{each.most:,}"
        yield (most, each.what, each.per, each.stage.value, doors, each.answer, setting)


def resources() -> Iterator[tuple[str, ...]]:
    """What the gateway serves."""
    yield ("request", "")
    for path, operations in make_gateway(GatewaySettings(url="amqp://127.0.0.1")).openapi()["paths"].items():
        for method, operation in operations.items():
            yield (
                f"`{method.upper()} {path}`",
                operation["description"].partition("\n\n")[0].replace("\n", " "),
            )


def metrics() -> Iterator[tuple[str, ...]]:
    """The metrics of the gateway."""
    yield ("metric", "labels", "meaning")
    yield ("`lastvalue_build_info`", "version, compiled", "1")
    yield ("`lastvalue_config_info`", "hash", "1, with the configuration file as it was applied last")
    for broker_metric in BROKER_METRICS:
        yield (f"`lastvalue_{broker_metric.name}`", "", broker_metric.meaning)
    name, meaning = STORE_SYNC
    yield (f"`lastvalue_{name}`", "le", f"{meaning}, as a histogram")
    for queue_metric in QUEUE_METRICS:
        yield (f"`lastvalue_{queue_metric.name}`", "queue", queue_metric.meaning)
    for labelled in LABELLED_METRICS:
        yield (f"`lastvalue_{labelled.name}`", labelled.label, labelled.meaning)
    for name, meaning in (*HISTORY_METRICS, *((each.name, each.meaning) for each in EXTENT_METRICS)):
        yield (f"`lastvalue_{name}`", "history", meaning)
    yield (f"`lastvalue_{PART_STATE}`", "part, kind, state", "1, with the state of a part of the pipeline")
    yield (f"`lastvalue_{PART_LAG}`", "part, kind, unit", "what a part has not processed, counted in `unit`")
    for part_metric in PIPELINE_METRICS:
        yield (f"`lastvalue_pipeline_{part_metric.name}`", "part, kind", part_metric.meaning)
    yield (f"`lastvalue_{REMOVED}`", "queue, reason", "messages that left")


_STATISTICS: Final = "operate/statistics.md"

TABLES: Final = {
    "server settings": ("operate/server-settings.md", settings),
    "queue options": ("queues/options.md", queue_options),
    "queue flags": ("operate/cli-queues.md", queue_flags),
    "events of the log": ("operate/logs.md", log_events),
    "rights": ("operate/rights.md", rights),
    "statistics of queues": (_STATISTICS, queue_statistics),
    "statistics of connections": (_STATISTICS, statistics(CONNECTION)),
    "statistics of sessions": (_STATISTICS, statistics(SESSION)),
    "statistics of links": (_STATISTICS, statistics(LINK)),
    "statistics of brokers": ("operate/broker-statistics.md", broker_statistics),
    "limits of the doors": ("operate/doors.md", admission),
    "resources": ("operate/http-requests.md", resources),
    "metrics": ("operate/metrics.md", metrics),
}
"""By name: the page, and the rows."""


def written(name: str) -> tuple[Path, str]:
    """The page of a table, and the text that it should have."""
    page, rows = DOCS / TABLES[name][0], list(TABLES[name][1]())
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    begin, end = f"<!-- {name}: make docs writes this table -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.read_text().partition(begin)
    _, _, after = rest.partition(end)
    return page, before + begin + "\n".join(lines) + "\n" + end + after


def _needed_on(need: Need) -> str:
    if need.fixed:
        return f"`{need.subject}`"
    return f"the {need.subject}, if it names another" if need.sends_on else f"the {need.subject}"


def _type(option: Option) -> str:
    if option.kind is Kind.CHOICE:
        return " ".join(f"`{ours}`" for ours in dict.fromkeys(ours for _, ours in option.choices))
    return f"{option.kind.value} ({option.unit})" if option.unit else option.kind.value


def _spelled(spellings: tuple[str, ...]) -> str:
    return ", ".join(f"`{spelling}`" for spelling in spellings)


if __name__ == "__main__":
    for name in TABLES:
        page, text = written(name)
        page.write_text(text)
