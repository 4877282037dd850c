"""Three brokers over one replicated log on loopback, for the demo: one leads, and two follow it.

    python packaging/cluster_brokers.py lastvalue nats://HOST/NAME [OPTION...]

runs them on the ports 5672 to 5674 until Ctrl-C; further options are those of `lastvalue serve`.
"""

import contextlib
import signal
import subprocess
import sys
from typing import Final

PORTS: Final = (5672, 5673, 5674)


def main() -> int:
    """Run the brokers."""
    program, log, *options = sys.argv[1:]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    brokers: list[subprocess.Popen[bytes]] = []
    try:
        with contextlib.suppress(KeyboardInterrupt):
            for port in PORTS:
                serve = [program, "serve", "--follow", "--store", log, "--port", str(port), *options]
                brokers.append(subprocess.Popen(serve))
            print(f"try: {program} cluster status --url amqp://127.0.0.1:{PORTS[0]}", flush=True)
            for broker in brokers:
                broker.wait()
    finally:
        for broker in brokers:
            broker.terminate()
        for broker in brokers:
            broker.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
