"""The messages of queues of every type: /queues/NAME/messages."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.requests import Request

from lastvalue.client import Choice, HandledMessages
from lastvalue.client.message_records import message_record
from lastvalue.http.broker_access import BrokerConnection, QueueName
from lastvalue.http.found_page import find_page, next_page
from lastvalue.http.held_messages import held_messages
from lastvalue.http.value_routes import message_of

MOST_MESSAGES: Final = 1000
MOST_CHOSEN: Final = 10_000

message_routes = APIRouter(prefix="/queues/{queue}/messages", tags=["messages"])


class MessagePage(BaseModel):
    """Which messages of a queue."""

    model_config = ConfigDict(extra="forbid")

    after: int | None = Field(None, ge=0, lt=2**62, description="Messages with a higher sequence.")
    limit: int = Field(100, ge=1, le=MOST_MESSAGES)
    selector: str | None = Field(None, description="Only messages that a JMS selector selects.")
    held: bool = Field(
        default=False, description="Those that consumers have and have not settled, with `held_by`."
    )

    @model_validator(mode="after")
    def _all_of_them(self) -> "MessagePage":
        if self.held and self.selector is not None:
            raise ValueError("messages that consumers have are listed without a selector")
        return self


class ChosenMessages(BaseModel):
    """Messages that meet all these conditions; those that a consumer holds are left out."""

    model_config = ConfigDict(extra="forbid")

    selector: str | None = Field(None, description="Only messages that a JMS selector selects.")
    sequences: list[Annotated[int, Field(ge=1, lt=2**62)]] | None = Field(None, max_length=MOST_CHOSEN)
    limit: int | None = Field(None, ge=1, lt=2**31, description="At most this many, the oldest first.")
    all: bool = Field(default=False, description="Needed where none of the other conditions is there.")

    @model_validator(mode="after")
    def _some(self) -> "ChosenMessages":
        conditions = [self.selector, self.sequences, self.limit]
        if self.all == any(each is not None for each in conditions):
            raise ValueError("say which messages: selector, sequences, limit, or all of them by `all`")
        return self

    @property
    def choice(self) -> Choice:
        """The conditions as the client takes them."""
        return Choice(self.selector, self.sequences, self.limit)


class ChosenForQueue(ChosenMessages):
    """Messages for another queue."""

    destination: str = Field(min_length=1, max_length=255, description="The queue that gets them.")


@message_routes.get("")
async def list_messages(
    queue: QueueName, broker: BrokerConnection, page: Annotated[MessagePage, Query()]
) -> dict[str, Any]:
    """Messages in the queue's order; they stay. `next` is the next page while there is one."""
    if page.held:
        held = await held_messages(broker, queue, page.after or 0, page.limit)
        records = [{**message_record(each.message), "held_by": each.user} for each in held]
        next_after = held[-1].message.sequence if len(held) == page.limit else None
    else:
        asked = broker.queue(queue)
        found = await find_page(asked, await asked.info(), page.after, page.limit, page.selector)
        records, next_after = [message_record(each) for each in found.messages], found.next_after
    return {"messages": records, "next": next_page(page, next_after)}


@message_routes.post("", status_code=HTTPStatus.CREATED)
async def publish(queue: QueueName, broker: BrokerConnection, request: Request) -> dict[str, bool]:
    """Publish a message to a queue of any type and wait for its confirmation."""
    await broker.queue(queue).send(await message_of(request))
    return {"confirmed": True}


@message_routes.post("/move")
async def move_messages(queue: QueueName, broker: BrokerConnection, asked: ChosenForQueue) -> dict[str, Any]:
    """Move messages to another queue; `stayed` are those that it did not take."""
    return await _handled(broker.queue(queue).move_messages(asked.destination, asked.choice))


@message_routes.post("/copy")
async def copy_messages(queue: QueueName, broker: BrokerConnection, asked: ChosenForQueue) -> dict[str, Any]:
    """Copy messages to another queue."""
    return await _handled(broker.queue(queue).copy_messages(asked.destination, asked.choice))


@message_routes.post("/retry")
async def retry_messages(queue: QueueName, broker: BrokerConnection, asked: ChosenMessages) -> dict[str, Any]:
    """Move dead letters back to the queues that they left."""
    return await _handled(broker.queue(queue).retry_messages(asked.choice))


@message_routes.post("/delete")
async def delete_messages(
    queue: QueueName, broker: BrokerConnection, asked: ChosenMessages
) -> dict[str, Any]:
    """Remove messages; they do not go to the alternate."""
    return await _handled(broker.queue(queue).delete_messages(asked.choice))


async def _handled(command: Awaitable[HandledMessages]) -> dict[str, Any]:
    handled = await command
    return {"messages": len(handled.messages), "stayed": list(handled.stayed)}
