"""An object store: moto's S3, in a process of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest


@contextmanager
def s3_server() -> Iterator[str]:
    """Its URL."""
    command = [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            running = (re.search(r"Running on (http://127\.0\.0\.1:\d+)", line) for line in server.stderr)
            found = next(filter(None, running))
            # What it says of each request goes nowhere.
            with subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL):
                yield found[1]
                server.kill()
        finally:
            server.kill()


def empty_bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An empty bucket named `bucket`, which the environment leads to."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anyone")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    bucket = boto3.resource("s3", region_name="us-east-1").Bucket("bucket")
    bucket.create()
    bucket.objects.delete()
    return bucket
