"""Stored texts that become headers of an answer, and stored bodies that become the answer itself."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.responses import Response

from lastvalue.client import Message
from lastvalue.http.problems import FieldProblem

OCTETS: Final = "application/octet-stream"
_FIELD_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
"""[RFC 9110 §5.5] What a header may have: no control characters, and nothing beyond Latin 1."""

_AS_A_FILE: Final = {
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


def checked_message(message: Message, field: str = "content_type") -> Message:
    """A message that is to be stored, if its content type can become a header later.

    Raises:
        FieldProblem: it cannot.
    """
    content_type = message.content_type
    if content_type is not None and not _can_be_header(content_type):
        fault = f"the content type {content_type!r:.80} has characters that a media type cannot have"
        raise FieldProblem(field, fault, status=HTTPStatus.BAD_REQUEST)
    return message


def stored_content(
    body: bytes, content_type: str | None, headers: Mapping[str, str], name: str = "value"
) -> Response:
    """A stored body as the answer: a file to a browser, since a page would be of the console's origin."""
    media_type = content_type if content_type and _can_be_header(content_type) else OCTETS
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, headers={**headers, **_AS_A_FILE, **disposition}, media_type=media_type)


def _can_be_header(text: object) -> bool:
    return isinstance(text, str) and _FIELD_VALUE.fullmatch(text) is not None
