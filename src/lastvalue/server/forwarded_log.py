"""The log of a child process, which becomes a part of the broker's: a line of JSON for each record."""

import json
import logging
from typing import Any, Final

SERVING: Final = b'{"serving": true}\n'
"""What the process writes when it answers."""

LONGEST_LINE: Final = 64 * 1024
_MOST_CHARACTERS: Final = 2048
"""Of a message and of a trace, so that a line stays one, whatever is escaped in it."""


class ForwardedForm(logging.Formatter):
    """Formats a record for `pass_on`."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter."""
        fields: dict[str, Any] = {
            "logger": record.name,
            "level": record.levelno,
            "created": record.created,
            "message": record.getMessage()[:_MOST_CHARACTERS],
        }
        if record.exc_info:
            # The end of a trace tells most.
            fields["trace"] = self.formatException(record.exc_info)[-_MOST_CHARACTERS:]
        return json.dumps(fields)


def pass_on(line: bytes) -> bool:
    """Log a record of the other process as if it were of this one; False if the line is none."""
    try:
        fields = json.loads(line)
        logger = logging.getLogger(fields["logger"])
        record = logger.makeRecord(
            logger.name, fields["level"], __file__, 0, fields["message"], (), exc_info=None
        )
        record.created = fields["created"]
        record.exc_text = fields.get("trace")
    except (ValueError, TypeError, KeyError):
        return False
    if logger.isEnabledFor(record.levelno):
        logger.handle(record)
    return True
