"""Messages on standard output, as they come."""

import json
from typing import assert_never

from lastvalue.cli.message_form import MessageForm
from lastvalue.cli.output import Output
from lastvalue.client.message import Message
from lastvalue.client.message_records import message_record


class MessagePrinter:
    """Prints messages as they come, each at once; `end` completes a JSON array.

    Args:
        output: the form; of a table `form` says more.
        form: which columns, or a text with names in braces in place of a table.
    """

    def __init__(self, output: Output, form: MessageForm | None = None) -> None:
        self._output = output
        self._form = form or MessageForm()
        self._printed = 0

    def print(self, message: Message) -> None:
        """Print one message."""
        match self._output:
            case Output.TABLE:
                if not self._printed and (head := self._form.heading()):
                    print(head, flush=True)
                print(self._form.line(message), flush=True)
            case Output.JSON:
                lead = "[\n  " if not self._printed else ",\n  "
                print(lead + json.dumps(message_record(message), ensure_ascii=False), end="", flush=True)
            case Output.JSONL:
                print(json.dumps(message_record(message), ensure_ascii=False), flush=True)
            case _:
                assert_never(self._output)
        self._printed += 1

    def end(self) -> None:
        """Complete the output after the last message."""
        if self._output is Output.JSON:
            print("\n]" if self._printed else "[]", flush=True)
