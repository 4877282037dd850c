"""What became of a message, or of the value of a key: /queues/NAME/why."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from lastvalue.http.broker_access import BrokerConnection, QueueName
from lastvalue.http.problems import FieldProblem
from lastvalue.http.value_routes import KeyType, key_of

explanation_routes = APIRouter(prefix="/queues/{queue}", tags=["values"])


class Why(BaseModel):
    """Of which messages: one of the three."""

    model_config = ConfigDict(extra="forbid")

    key: str | None = None
    type: KeyType = KeyType.TEXT
    sequence: Annotated[int | None, Field(ge=1, lt=2**62)] = None
    message_id: str | None = None


@explanation_routes.get("/why")
async def why(queue: QueueName, broker: BrokerConnection, asked: Annotated[Why, Query()]) -> dict[str, Any]:
    """What became of the messages of a key, of a sequence or of a message id, newest first."""
    if [asked.key, asked.sequence, asked.message_id].count(None) != 2:
        raise FieldProblem("key", "expected one of key, sequence and message_id")
    key = None if asked.key is None else key_of(asked.key, asked.type)
    explained = await broker.queue(queue).why(key=key, sequence=asked.sequence, message_id=asked.message_id)
    return {
        "found": [asdict(each) for each in explained.found],
        "remembers": explained.remembers,
        "last": explained.last,
    }
