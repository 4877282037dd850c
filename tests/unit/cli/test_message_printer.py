"""lastvalue.cli.message_printer."""

import pytest

from lastvalue.cli.message_printer import MessagePrinter
from lastvalue.cli.output import Output
from lastvalue.client.message import Message


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        (
            Output.TABLE,
            (
                "SEQUENCE  UPDATES  BODY                    PROPERTIES\n"
                "7         3        101.5                   symbol=AAPL\n"
                "          1        a\\nb\n"
            ),
        ),
        (
            Output.JSON,
            (
                '[\n  {"body": 101.5, "properties": {"symbol": "AAPL"}, "sequence": 7, "updates": 3},\n'
                '  {"body": "a\\nb", "updates": 1}\n]\n'
            ),
        ),
        (
            Output.JSONL,
            (
                '{"body": 101.5, "properties": {"symbol": "AAPL"}, "sequence": 7, "updates": 3}\n'
                '{"body": "a\\nb", "updates": 1}\n'
            ),
        ),
    ],
)
def test_messages_are_printed_as_they_come(
    output: Output, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = MessagePrinter(output)
    printer.print(Message(101.5, {"symbol": "AAPL"}, sequence=7, updates=3))
    printer.print(Message("a\nb"))
    printer.end()
    assert capsys.readouterr().out == printed


def test_no_messages_are_an_empty_json_array(capsys: pytest.CaptureFixture[str]) -> None:
    MessagePrinter(Output.JSON).end()
    assert capsys.readouterr().out == "[]\n"
