"""`python -m lastvalue.cli.until_stdin_closes serve …`: the command `lastvalue`, until standard input closes.

A parent with the other end of the pipe leaves no orphan, however it ends.
"""

import os
import signal
import sys
import threading

from lastvalue.cli.main import main


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    main()
