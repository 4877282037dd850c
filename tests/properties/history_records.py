"""Records of a history, as tests land them."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import Record

SPEC: Final = {"type": "lvq", "lvq_key": "k", "history": "h"}
CONTENT: Final = encode_content(
    MessageContent(body={"a": [1]}, application_properties={"k": "a", "n": 1.5, "yes": True}, group_id="g")
)
BEGIN: Final = Record(1, "declared", "q", 1000, declaration=SPEC)


def added(offset: int, time_ms: int, sequence: int, **more: Any) -> Record:
    record = Record(
        offset, "added", "q", time_ms, sequence, key=f"k{sequence}", arrival_ms=time_ms, message=CONTENT
    )
    return replace(record, **more)


def removed(offset: int, time_ms: int, sequence: int) -> Record:
    return Record(offset, "removed", "q", time_ms, sequence, reason="accepted", key=f"k{sequence}")


async def held(directory: Path, time_ms: int) -> list[tuple[int | None, int]]:
    moment = (await read_history("q", tables=directory)).as_of(time_ms)
    return [(each.record.sequence, each.updates) for each in moment.in_order()]
