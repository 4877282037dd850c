"""The console script `lastvalue`."""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        # Here, so that an installation without the extra is told what it lacks.
        from lastvalue.cli.app import run
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit("lastvalue: the command line needs more packages; pip install 'lastvalue[cli]'")
    sys.exit(run(sys.argv[1:]))
