"""Imports packages with this interpreter, and says which are missing and why.

python packaging/check_environment.py pandas python-qpid-proton
"""

import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

MODULES: Final = {
    "azure-servicebus": "azure.servicebus",
    "googleapis-common-protos": "google.rpc.status_pb2",
    "grpcio": "grpc",
    "grpcio-status": "grpc_status",
    "import-linter": "importlinter",
    "mkdocs-material": "material",
    "nats-py": "nats",
    "opentelemetry-api": "opentelemetry.trace",
    "opentelemetry-sdk": "opentelemetry.sdk.trace",
    "protobuf": "google.protobuf",
    "pyjwt": "jwt",
    "pytest-xdist": "xdist",
    "python-qpid-proton": "proton",
    "pyyaml": "yaml",
    "types-defusedxml": "defusedxml",
}
"""What to import for a package whose module has another name."""


def find_faults(packages: Iterable[str]) -> list[str]:
    """A sentence for each package that is not installed or cannot be imported."""
    faults = []
    for package in packages:
        try:
            version(package)
            import_module(MODULES.get(package, package.replace("-", "_")))
        except PackageNotFoundError:
            faults.append(f"{package} is not installed")
        except Exception as error:  # noqa: BLE001 - a broken package may raise anything
            faults.append(f"{package} is installed, but cannot be imported: {type(error).__name__}: {error}")
    return faults


def main(packages: list[str]) -> int:
    """Print the faults of the packages; 1 where there are any."""
    faults = find_faults(packages)
    for fault in faults:
        print(f"lastvalue: {fault} ({sys.prefix})", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
