"""The blocks of Python that a page prints, run one after the other as a reader's program would."""

import ast
import asyncio
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, Final

from page_commands import ROOT

_BLOCK: Final = re.compile(r"(?ms)^```python\n(.*?)^```$")
_ADDRESS: Final = re.compile(r"amqp://[\w:@.]+")
_FOLDER: Final = re.compile(r'(?<=")/(?=(?:var|data|srv)/)')
_ENDLESS: Final = re.compile(r"(?m)^( *(?:async )?for .*\n +)\.\.\.$")
SPARK: Final = ("docs/pipeline/", "docs/migrate/from-kafka-compaction.md")
"""Pages whose blocks with Spark tests/spark runs."""

NOT_RUN: Final = {
    ("README.md", "from lastvalue.pipeline"): "tests/spark/test_readme.py runs it",
    ("docs/clients/azure-pyamqp.md", "import sys"): "tests/interop/test_azure_pyamqp.py runs it",
    (
        "docs/clients/rabbitmq-amqp-python-client.md",
        "import sys",
    ): "tests/interop/test_rabbitmq_client.py runs it",
    (
        "docs/clients/python-qpid-proton.md",
        "",
    ): "parts of programs; tests/interop/test_proton_blocking.py and test_proton_readers.py run the calls",
    (
        "docs/clients/pika.md",
        "",
    ): "parts of programs; tests/interop/test_pika.py and test_aio_pika.py run the calls",
    (
        "docs/operate/http-following.md",
        "prices = ",
    ): "needs pandas, polars or duckdb, and the gateway on port 8080",
    (
        "docs/operate/partitions.md",
        "",
    ): "needs two brokers; test_partitioned_queue.py has them",
    ("docs/pipeline/session.md", ""): "needs a cluster of Spark, and a process without a session",
    ("docs/migrate/from-kafka-compaction.md", ""): "needs Kafka",
}
"""Blocks that are not run, by their page and beginning, each with the reason."""


def python_blocks_of(name: str) -> list[str]:
    """The page's blocks of Python."""
    return _BLOCK.findall((ROOT / name).read_text())


def reason_for(name: str, block: str) -> str | None:
    """Why a block is not run."""
    for (page, beginning), reason in NOT_RUN.items():
        if page == name and block.startswith(beginning):
            return reason
    return None


def needs_spark(name: str, block: str) -> bool:
    """Whether a block works on DataFrames; such blocks of a page run with one session."""
    return name.startswith(SPARK) and "await " not in block and "asyncio" not in block


def blocks_to_run(name: str, *, spark: bool) -> Iterator[str]:
    """The blocks that are run, with Spark or without."""
    for block in python_blocks_of(name):
        if reason_for(name, block) is None and needs_spark(name, block) is spark:
            yield block


def local(block: str, url: str, folder: Path, changes: Mapping[str, str]) -> str:
    """A block for this broker and folder; a loop that continues for ever ends at its first turn."""
    for printed, run in changes.items():
        block = block.replace(printed, run)
    block = _ENDLESS.sub(r"\1break", block)
    return _FOLDER.sub(f"{folder}/", _ADDRESS.sub(url, block))


async def run_blocks(blocks: Sequence[str], names: dict[str, Any]) -> None:
    """Run blocks in their order in one namespace; a block may await."""
    for block in blocks:
        code = compile(block, "<page>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if code.co_flags & inspect.CO_COROUTINE:
            await eval(code, names)  # the code is this project's
        else:
            # In a thread, so that it may block, or run a loop of its own.
            await asyncio.to_thread(_run, code, names)


def _run(code: CodeType, names: dict[str, Any]) -> None:
    exec(code, names)
