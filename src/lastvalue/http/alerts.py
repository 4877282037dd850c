"""Alerts of queues that the broker tells its gateway: which there are now, and a webhook that hears of them.

Whoever starts the broker names the webhook; no user can, so none makes the gateway call another host.
"""

import json
import logging
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit

ANSWERS_WITHIN_S: Final = 5.0
MOST_WAITING: Final = 1000
TRIES: Final = 3
RETRY_S: Final = 2.0

_log = logging.getLogger(__name__)


class Alerts:
    """The current alerts; a webhook hears of each that begins or ends.

    Args:
        webhook: its URL, or None.

    Attributes:
        current: as the broker reported them last.
    """

    def __init__(self, webhook: str | None) -> None:
        self.current: tuple[dict[str, Any], ...] = ()
        self._waiting: queue.Queue[dict[str, Any]] | None = None
        if webhook is not None:
            self._waiting = queue.Queue(MOST_WAITING)
            threading.Thread(target=_post_all, args=(webhook, self._waiting), daemon=True).start()

    def take(self, alerts: Sequence[Mapping[str, Any]]) -> None:
        """Those that there are now; one thread calls this."""
        before = {_key(each): each for each in self.current}
        now = {_key(each): dict(each) for each in alerts}
        self.current = tuple(now.values())
        for key in now.keys() - before.keys():
            self._tell("begins", now[key])
        for key in before.keys() - now.keys():
            self._tell("ends", before[key])

    def _tell(self, event: str, alert: Mapping[str, Any]) -> None:
        if self._waiting is None:
            return
        try:
            self._waiting.put_nowait({"event": event, **alert, "time_ms": time.time_ns() // 1_000_000})
        except queue.Full:
            _log.warning("the webhook is too slow: it does not hear of an alert of %s", alert["queue"])


def _post_all(url: str, waiting: "queue.Queue[dict[str, Any]]") -> None:
    while True:
        document = waiting.get()
        for tried in range(1, TRIES + 1):
            try:
                _post(url, document)
                break
            except (HTTPException, OSError, ValueError) as error:
                if tried == TRIES:
                    _log.warning("the webhook does not take an alert of %s: %s", document["queue"], error)
                else:
                    time.sleep(RETRY_S)


def _post(url: str, document: Mapping[str, Any]) -> None:
    """Post to the host of the URL and no other: a redirect is as a refusal.

    Raises:
        HTTPException, OSError, ValueError: it was not taken.
    """
    named = urlsplit(url)
    kind = HTTPSConnection if named.scheme == "https" else HTTPConnection
    connection = kind(named.hostname or "", named.port, timeout=ANSWERS_WITHIN_S)
    path = f"{named.path or '/'}{f'?{named.query}' if named.query else ''}"
    try:
        connection.request("POST", path, json.dumps(document), {"Content-Type": "application/json"})
        status = connection.getresponse().status
    finally:
        connection.close()
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise ValueError(f"it answered {status}")


def _key(alert: Mapping[str, Any]) -> tuple[str, str]:
    return str(alert["queue"]), str(alert["what"])
