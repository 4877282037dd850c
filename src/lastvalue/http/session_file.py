"""The sessions of a gateway in a file, from which the gateway's next process continues them.

It has no password and no secret of a session in readable form; see `sealed_credentials`.
"""

import json
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

_OWNER_ONLY: Final = 0o600

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A session as the file has it.

    Attributes:
        sealed: its credentials; see `sealed_credentials`.
        ends_ms: by the time of day.
    """

    user: str | None
    csrf_token: str
    sealed: str
    ends_ms: int


class SessionFile:
    """Reads and writes the file; without a path nothing is kept.

    A file that cannot be read or written is logged: sessions then end with the process.
    """

    def __init__(self, path: str | None) -> None:
        self._path = None if path is None else Path(path)

    def read(self) -> dict[str, KeptSession]:
        """The sessions that have not ended, by the digests of their secrets."""
        if self._path is None or not self._path.exists():
            return {}
        try:
            document = json.loads(self._path.read_text())
            found = {str(key): KeptSession(**each) for key, each in document.items()}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            _log.warning("the sessions in %s cannot be read: %s", self._path, error)
            return {}
        now_ms = time.time_ns() // 1_000_000
        return {key: each for key, each in found.items() if each.ends_ms > now_ms}

    def write(self, sessions: Mapping[str, KeptSession]) -> None:
        """Put these in place of the file's."""
        if self._path is None:
            return
        text = json.dumps({key: asdict(each) for key, each in sessions.items()})
        beside = self._path.with_name(f"{self._path.name}.new")
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, _OWNER_ONLY)
            with os.fdopen(descriptor, "w") as file:
                file.write(text)
            beside.replace(self._path)
        except OSError as error:
            _log.warning("the sessions cannot be kept in %s: %s", self._path, error)
