"""Labels a pod with the role of its broker, so that a service leads to the leader alone.

Runs beside the broker. POD_NAME and POD_NAMESPACE name the pod, HEALTH and KUBERNETES the two it talks to.
"""

import json
import os
import signal
import ssl
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

LABEL = "lastvalue/role"
EVERY_S = 1.0
WITHIN_S = 2.0
ACCOUNT = Path(os.environ.get("ACCOUNT", "/var/run/secrets/kubernetes.io/serviceaccount"))


class RefusedError(OSError):
    """The API of Kubernetes answered otherwise than with 200."""


def role() -> str:
    """What the broker is; one that does not answer leads nobody."""
    connection = HTTPConnection(urlsplit(os.environ["HEALTH"]).netloc, timeout=WITHIN_S)
    try:
        connection.request("GET", "/leaderz")
        return "leader" if connection.getresponse().status == 200 else "follower"
    except (OSError, HTTPException):
        return "follower"
    finally:
        connection.close()


def label(role: str) -> None:
    """Give the pod this label.

    Raises:
        OSError, HTTPException: the API does not answer, or refuses.
    """
    connection = api()
    try:
        connection.request(
            "PATCH",
            f"/api/v1/namespaces/{os.environ['POD_NAMESPACE']}/pods/{os.environ['POD_NAME']}",
            json.dumps({"metadata": {"labels": {LABEL: role}}}),
            {
                # The token is renewed in its file.
                "Authorization": f"Bearer {(ACCOUNT / 'token').read_text().strip()}",
                "Content-Type": "application/merge-patch+json",
            },
        )
        answer = connection.getresponse()
        if answer.status != 200:
            raise RefusedError(f"{answer.status} {answer.reason}")
    finally:
        connection.close()


def api() -> HTTPConnection:
    """A connection to the API, whose certificate has to be of the cluster's authority."""
    scheme, server = urlsplit(os.environ["KUBERNETES"])[:2]
    if scheme == "http":
        return HTTPConnection(server, timeout=WITHIN_S)
    trusted = ssl.create_default_context(cafile=ACCOUNT / "ca.crt")
    return HTTPSConnection(server, timeout=WITHIN_S, context=trusted)


def main() -> None:
    """Follow the role until the pod ends."""
    # As process 1 of its container it would not end by this signal otherwise.
    # An exception of a handler is lost where Python drops an object; so the process ends here.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    labelled = None
    while True:
        now = role()
        if now != labelled:
            try:
                label(now)
            except (OSError, HTTPException) as fault:
                print(f"cannot label the pod {now}: {fault}", flush=True)
            else:
                print(f"labelled the pod {now}", flush=True)
                labelled = now
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
