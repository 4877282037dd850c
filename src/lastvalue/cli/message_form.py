"""How a message is written on a line: in columns, or by a text with names in braces."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from lastvalue.cli.cells import cell, cell_text, heading
from lastvalue.cli.exits import UsageError
from lastvalue.client.message import Message

_USUAL: Final = ("sequence", "updates", "body", "properties")
_WIDTHS: Final = {"sequence": 10, "updates": 9, "arrival_time_ms": 22, "delivery_count": 16}
_TEXT_WIDTH: Final = 24
_UNKNOWN_WIDTH: Final = 160
"""Where standard output is no terminal."""

_FIELDS: Final = frozenset(field.name for field in fields(Message))


class MessageForm:
    """Writes messages on lines.

    Args:
        columns: fields of messages, or names of application properties that are no fields; the last one
            has any width.
        template: a text with such names in braces, in place of columns.
        width: of a line; a longer body is cut, and its size is shown. None: as wide as the terminal.

    Raises:
        UsageError: the template cannot be used.
    """

    def __init__(
        self, columns: Sequence[str] = _USUAL, template: str | None = None, width: int | None = None
    ) -> None:
        self._columns = tuple(columns)
        self._template = template
        self._width = _terminal_width() if width is None else width
        if template is not None:
            self._filled(template, Message())

    def heading(self) -> str:
        """The heading of the columns; empty for a template."""
        if self._template is not None:
            return ""
        return self._joined([heading(name) for name in self._columns])

    def line(self, message: Message) -> str:
        """A message on one line."""
        if self._template is not None:
            return self._filled(self._template, message)
        cells = [_cell(name, message) for name in self._columns]
        if "body" in self._columns:
            at = self._columns.index("body")
            others = len(self._joined([text for place, text in enumerate(cells) if place != at]))
            room = max(_TEXT_WIDTH, self._width - min(others, self._width // 2) - 2)
            cells[at] = _cut(cells[at], room, message)
        return self._joined(cells)

    def _joined(self, cells: Sequence[str]) -> str:
        padded = [
            f"{text + ' ':<{_WIDTHS.get(name, _TEXT_WIDTH)}}"
            for name, text in zip(self._columns, cells, strict=False)
        ]
        return "".join(padded).rstrip()

    def _filled(self, template: str, message: Message) -> str:
        try:
            return template.format_map(_Named(message))
        except (ValueError, AttributeError, LookupError) as error:
            raise UsageError(f"--format {template!r} cannot be filled: {error}") from None


class _Named(dict[str, str]):
    """The values of a message by the names of fields and of application properties."""

    def __init__(self, message: Message) -> None:
        super().__init__()
        self._message = message

    def __missing__(self, name: str) -> str:
        return _cell(name, self._message)


def _cell(name: str, message: Message) -> str:
    if name == "properties":
        return " ".join(f"{name}={cell_text(value)}" for name, value in message.properties.items())
    if name in _FIELDS:
        return cell(name, getattr(message, name))
    return cell_text(message.properties[name]) if name in message.properties else ""


def _cut(text: str, room: int, message: Message) -> str:
    if len(text) <= room:
        return text
    body = message.body
    size = (
        len(body) if isinstance(body, bytes) else len(body.encode()) if isinstance(body, str) else len(text)
    )
    size_text = f"… ({size:,} bytes)"
    return text[: max(0, room - len(size_text))] + size_text


def _terminal_width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNKNOWN_WIDTH
