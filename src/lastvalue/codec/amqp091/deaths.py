"""Headers that tell why a message is a dead letter [RabbitMQ]: x-death, and where it died first and last."""

from typing import Final

from lastvalue.codec.amqp091.fields import field_of
from lastvalue.codec.amqp10.values import Timestamp, Value

DEATH: Final = b"x-death"
_FIRST: Final = "first"
_FIELDS: Final = ("count", "reason", "queue", "exchange", "routing-keys")
_NAMED: Final = ("queue", "reason", "exchange")


def death_headers(deaths: Value) -> dict[bytes, bytes]:
    """The headers of the annotation x-opt-deaths; none if it has another form."""
    if not isinstance(deaths, list):
        return {}
    known = [{str(name): value for name, value in each.items()} for each in deaths if isinstance(each, dict)]
    if not known:
        return {}
    headers = {DEATH: field_of([_table(death) for death in known])}
    first = next((death for death in known if death.get(_FIRST) is True), known[-1])
    for place, death in (("first", first), ("last", known[0])):
        for name in _NAMED:
            value = death.get(name)
            if isinstance(value, str):
                headers[f"x-{place}-death-{name}".encode()] = field_of(value)
    return headers


def _table(death: dict[str, Value]) -> Value:
    """One entry of x-death; its time is that of its first death."""
    entry: dict[Value, Value] = {name: death[name] for name in _FIELDS if name in death}
    time = death.get("first-time")
    if isinstance(time, Timestamp):
        entry["time"] = time
    ttl = death.get("ttl")
    if isinstance(ttl, int):
        entry["original-expiration"] = str(int(ttl))
    return entry
