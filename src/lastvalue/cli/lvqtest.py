"""`lastvalue lvqtest`: the legacy last-value modes, shown by the steps of the C++ broker's test program."""

from enum import StrEnum
from typing import Annotated, Final
from uuid import uuid4

import typer

from lastvalue.cli.options import DEFAULT_URL, Url
from lastvalue.compat.qpid.messaging import Connection, Empty, Message, MessagingError, Session
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.spec import LEGACY_KEY

QUEUE: Final = "LVQtester"
KEYS: Final = ("key1", "key2", "key3", "key1", "last")
_CREATING: Final = "{}; {{create: always, assert: always, node: {{x-declare: {{arguments: {{{}: 1}}}}}}}}"
_BROWSING: Final = "{}; {{mode: browse}}"
# The original program acknowledged nothing, so the sender is settled.
_CONSUMING: Final = "{}; {{link: {{reliability: unreliable}}}}"


class Step(StrEnum):
    """The step to run."""

    CREATE_LVQ = "create_lvq"
    CREATE_LVQ_NO_BROWSE = "create_lvq_no_browse"
    WRITE = "write"
    BROWSE = "browse"
    CONSUME = "consume"


def lvqtest(
    step: Annotated[Step, typer.Argument(help="Create the queue, write to it, or read it.")],
    *,
    queue: Annotated[str, typer.Option("--queue", metavar="QUEUE", help="Name of the queue.")] = QUEUE,
    url: Url = DEFAULT_URL,
) -> None:
    """Show the legacy last-value modes, step by step; reading ends at the end of the queue."""
    try:
        with Connection.establish(url) as connection:
            _take(step, connection.session(), queue)
    except MessagingError as error:
        # The client's own error decides the exit code.
        cause = error.__cause__ if isinstance(error.__cause__, LastvalueError) else error
        raise cause from cause.__cause__


def _take(step: Step, session: Session, queue: str) -> None:
    match step:
        case Step.CREATE_LVQ:
            session.sender(_CREATING.format(queue, "qpid.last_value_queue"))
        case Step.CREATE_LVQ_NO_BROWSE:
            session.sender(_CREATING.format(queue, "qpid.last_value_queue_no_browse"))
        case Step.WRITE:
            _write(session, queue)
        case Step.BROWSE:
            _read(session, _BROWSING.format(queue))
        case Step.CONSUME:
            _read(session, _CONSUMING.format(queue))


def _write(session: Session, queue: str) -> None:
    sender = session.sender(queue)
    # Distinguishes the messages of different runs.
    mark = f"{uuid4().int >> 80:#x}"
    for key in KEYS:
        content = key if key == "last" else f"{key}.{mark}"
        print(f"Sending Data: {key}={content}")
        sender.send(Message(content, properties={LEGACY_KEY: key}))


def _read(session: Session, address: str) -> None:
    receiver = session.receiver(address)
    while True:
        try:
            message = receiver.fetch(timeout=0)
        except Empty:
            return
        print(f"Receiving Data:{message.content}", flush=True)
