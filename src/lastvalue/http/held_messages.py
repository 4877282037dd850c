"""The messages of a queue that consumers have and have not settled."""

from dataclasses import dataclass
from typing import Final

from lastvalue.client import Connection, Message
from lastvalue.client.values import value_message

_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class HeldMessage:
    """A message, and the user who has it: "" for a consumer that is gone and may resume."""

    message: Message
    user: str


async def held_messages(broker: Connection, queue: str, after: int, limit: int) -> list[HeldMessage]:
    """So many of them at most, by sequence, from the first with a higher sequence than `after`.

    Raises:
        QueueNotFoundError, RefusedError: the queue does not exist, or the user may not browse it.
    """
    found: list[HeldMessage] = []
    while len(found) < limit:
        asked = {"after": after, "limit": min(_PAGE, limit - len(found))}
        answer = await broker.manage("HELD", queue, asked)
        page = answer if isinstance(answer, list) else []
        if not page:
            break
        found += [HeldMessage(value_message(each), str(each["user"])) for each in page]
        after = int(page[-1]["sequence"])
    return found
