"""The chart as helm renders it, kept beside this file for machines without helm.

    python tests/packaging/rendered_chart.py --write     needs helm on PATH

Each file begins with the digest of the chart that it was rendered from, so a test sees when it is old.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).parents[2]
CHART: Final = ROOT / "packaging" / "helm" / "lastvalue"
STAND_IN: Final = Path(__file__).with_name("nats_chart")
RENDERED: Final = Path(__file__).with_name("rendered")
KUBERNETES: Final = "1.34.0"
HELM: Final = shutil.which("helm")
NATS_CHART: Final = os.environ.get("LASTVALUE_NATS_CHART")
"""The directory of NATS's own chart, where there is one."""
CASES: Final = {
    "anonymous": {"users.anonymous": "true"},
    "secured": {
        "users.existingSecret": "broker-users",
        "tls.existingSecret": "broker-tls",
        "shutdown.drainSeconds": "60",
        "persistence.storageClass": "fast",
        "service.type": "LoadBalancer",
        "nameOverride": "prices",
        "http.enabled": "true",
        "serviceMonitor.enabled": "true",
        "serviceMonitor.basicAuthSecret": "monitor",
        "serviceMonitor.serverName": "prices.market.svc",
        "extraEnv[0].name": "LASTVALUE_SYNC",
        "extraEnv[0].value": "interval",
        "nodeSelector.disk": "ssd",
    },
    "cluster": {
        "users.existingSecret": "broker-users",
        "tls.existingSecret": "broker-tls",
        "cluster.enabled": "true",
        "cluster.leaseMs": "5000",
        "nats.enabled": "true",
        "global.logSecret": "log-password",
    },
    "cluster-elsewhere": {
        "users.existingSecret": "broker-users",
        "cluster.enabled": "true",
        "cluster.logSecret": "log-address",
    },
}
"""What is set in each rendering."""


def digest() -> str:
    """Of all files of the chart."""
    whole = hashlib.sha256()
    for path in sorted(path for path in CHART.rglob("*") if path.is_file()):
        whole.update(f"{path.relative_to(CHART)}\0".encode() + path.read_bytes())
    return whole.hexdigest()


def helm(verb: str, *arguments: str, nats: Path = STAND_IN) -> subprocess.CompletedProcess[str]:
    """Run helm on the chart, with this one for NATS."""
    with tempfile.TemporaryDirectory() as directory:
        chart = Path(directory) / CHART.name
        shutil.copytree(CHART, chart)
        # Its dependency is a download; what stands in for it makes one service.
        shutil.copytree(nats, chart / "charts" / "nats")
        command = [str(HELM), verb, "--kube-version", KUBERNETES, *arguments, str(chart)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def settings(case: str) -> list[str]:
    """The flags that set a case's values."""
    return [word for name, value in CASES[case].items() for word in ("--set", f"{name}={value}")]


def render(case: str) -> str:
    """What helm makes of a case, below the chart's digest."""
    rendered = helm("template", "--name-template", "broker", "--namespace", "market", *settings(case))
    if rendered.returncode:
        raise SystemExit(rendered.stderr)
    return f"# The chart {digest()}, rendered by tests/packaging/rendered_chart.py\n{rendered.stdout}"


def kept(case: str) -> str:
    """What is kept of a case."""
    return (RENDERED / f"{case}.yaml").read_text()


def objects(case: str) -> dict[str, Any]:
    """The objects of a case that is kept, by kind and name."""
    documents = [each for each in yaml.safe_load_all(kept(case)) if each]
    return {f"{each['kind']}/{each['metadata']['name']}": each for each in documents}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"] or HELM is None:
        raise SystemExit(__doc__)
    RENDERED.mkdir(exist_ok=True)
    for each in CASES:
        (RENDERED / f"{each}.yaml").write_text(render(each))
