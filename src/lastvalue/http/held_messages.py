"""The messages of a queue that consumers have and have not settled."""

from dataclasses import dataclass

from lastvalue.client import Connection, Message
from lastvalue.client.values import value_message
from lastvalue.http.page_size import PageSize


@dataclass(frozen=True, slots=True)
class HeldMessage:
    """A message, and the user who has it: "" for a consumer that is gone and may resume."""

    message: Message
    user: str


async def held_messages(
    broker: Connection, queue: str, after: int, limit: int
) -> tuple[list[HeldMessage], int | None]:
    """This many of them at most, by sequence, from the first with a higher sequence than `after`.

    The second result is after which sequence the next ones come; None at the end.

    Raises:
        QueueNotFoundError, RefusedError: the queue does not exist, or the user may not browse it.
    """
    found: list[HeldMessage] = []
    size = PageSize()
    while len(found) < limit and not size.is_full:
        asked = {"after": after, "limit": min(size.part, limit - len(found))}
        answer = await broker.manage("HELD", queue, asked)
        page = answer if isinstance(answer, list) else []
        if not page:
            return found, None
        held = [HeldMessage(value_message(each), str(each["user"])) for each in page]
        size.add(*(each.message for each in held))
        found += held
        after = int(page[-1]["sequence"])
    return found, after
