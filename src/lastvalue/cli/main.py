"""The console script `lastvalue`."""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        # Imported here, so that without the extra the error names the missing package.
        from lastvalue.cli.app import run
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit("lastvalue: the command line needs more packages; pip install 'lastvalue[cli]'")
    sys.exit(run(sys.argv[1:]))
