"""`lastvalue queue move`, `copy`, `retry` and `delete-messages`: messages chosen by id or selector."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError, confirm
from lastvalue.cli.options import DEFAULT_URL, OutputOption, QueueName, Url, option, with_options
from lastvalue.cli.output import Output, print_record
from lastvalue.client import Choice, HandledMessages, Queue, connect
from lastvalue.client.reconnection import REDIRECTS_ONLY

_SHOWN = 10
_TIMEOUT_S = 600.0
"""The broker serves others meanwhile, so handling very many messages takes its time."""

Target: TypeAlias = Annotated[str, typer.Argument(metavar="TO", help="The queue that gets them.")]

_with_choice = with_options(
    [
        option(
            "ids",
            list[str],
            "--id",
            metavar="N[-M]",
            help="A message, by its sequence, which `browse` prints, or a range of them; may be given again.",
        ),
        option("selector", str, "--selector", metavar="CONDITION", help="Messages that meet this selector."),
        option("count", int, "--count", "-n", min=1, help="At most this many, the oldest first."),
        option("every", bool, "--all", help="All of them."),
    ]
)


@_with_choice
def move(
    queue: QueueName,
    to: Target,
    *,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
    **options: Any,
) -> None:
    """Move messages to another queue; those that it does not take stay."""
    choice = _choice(**options)
    handled = _handle(url, queue, lambda each: each.move_messages(to, choice, timeout_s=_TIMEOUT_S))
    _report(f"moved {{}} from {queue} to {to}", handled, output)
    _check_all_handled(handled, choice, f"{to} did not take them, or a consumer has them")


@_with_choice
def copy(
    queue: QueueName,
    to: Target,
    *,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
    **options: Any,
) -> None:
    """Copy messages to another queue, those excepted that it does not take."""
    choice = _choice(**options)
    handled = _handle(url, queue, lambda each: each.copy_messages(to, choice, timeout_s=_TIMEOUT_S))
    _report(f"copied {{}} from {queue} to {to}", handled, output)
    _check_all_handled(handled, choice, f"{to} did not take them")


@_with_choice
def retry(
    queue: QueueName, *, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE, **options: Any
) -> None:
    """Move dead letters back to the queues that they left."""
    choice = _choice(**options)
    handled = _handle(url, queue, lambda each: each.retry_messages(choice, timeout_s=_TIMEOUT_S))
    _report(f"moved {{}} from {queue} back to where they came from", handled, output)
    why = "they are no dead letters, or their queue is gone, did not take them, or is not yours to publish to"
    _check_all_handled(handled, choice, why)


@_with_choice
def delete_messages(
    queue: QueueName, *, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE, **options: Any
) -> None:
    """Remove messages; they do not become dead letters."""
    choice = _choice(**options)
    handled = _handle(url, queue, lambda each: each.delete_messages(choice, timeout_s=_TIMEOUT_S))
    _report(f"deleted {{}} from {queue}", handled, output)
    _check_all_handled(handled, choice, "a consumer has them")


def _choice(*, ids: list[str] | None, selector: str | None, count: int | None, every: bool | None) -> Choice:
    """The messages that the options choose.

    Raises:
        UsageError: nothing or everything and something is chosen, or an id is none.
    """
    if bool(every) == bool(ids or selector is not None or count is not None):
        raise UsageError("say which messages: --id, --selector, --count, or all of them by --all")
    return Choice(selector, None if not ids else [each for text in ids for each in _sequences(text)], count)


def _sequences(text: str) -> range:
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise UsageError(
            f"--id {text!r} is not a sequence, as in 17, or a range of them, as in 17-20"
        ) from None


def _handle(url: str, queue: str, command: Callable[[Queue], Awaitable[HandledMessages]]) -> HandledMessages:
    async def handle() -> HandledMessages:
        async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
            return await command(connection.queue(queue))

    return asyncio.run(handle())


def _report(done: str, handled: HandledMessages, output: Output) -> None:
    if output is not Output.TABLE:
        print_record({"messages": list(handled.messages), "stayed": list(handled.stayed)}, output)
    count = len(handled.messages)
    confirm(done.format(f"{count} message{'' if count == 1 else 's'}"))


def _check_all_handled(handled: HandledMessages, choice: Choice, why: str) -> None:
    """Fail where messages stayed that were chosen, or are not there.

    Raises:
        CommandFailedError: some did, or are not.
    """
    if handled.stayed:
        raise CommandFailedError(f"{_listed(handled.stayed)} stayed: {why}")
    missing = sorted(set(choice.sequences or ()) - set(handled.messages))
    if missing and choice.limit is None:
        raise CommandFailedError(f"left out {_listed(missing)}: not there, not selected, or a consumer's")


def _listed(sequences: Sequence[int]) -> str:
    shown = ", ".join(map(str, sequences[:_SHOWN]))
    more = f" and {len(sequences) - _SHOWN} more" if len(sequences) > _SHOWN else ""
    return f"{'message' if len(sequences) == 1 else 'messages'} {shown}{more}"
