"""Writes the calls of the blocking client that the asyncio client makes as they are.

    python packaging/blocking_calls.py            writes the module
    python packaging/blocking_calls.py --check    says whether the module is what would be written

A class of the blocking client inherits its calls from this module and defines the rest by hand.
A method is written unless the class defines it, or `NOT_BLOCKING` says why it has none.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from written_modules import write_or_check

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "src/lastvalue/client"
MODULE = CLIENT / "calls_blocking.py"
TITLE = '"""Calls of the blocking client to the asyncio client; written by packaging/blocking_calls.py."""'


@dataclass(frozen=True)
class Face:
    """A class that both clients have.

    Attributes:
        name: of the class.
        module: has it for asyncio.
        blocking: has it without await.
        attribute: where the blocking form keeps the other one.
    """

    name: str
    module: str
    blocking: str
    attribute: str


FACES: Final = (
    Face("Connection", "connection", "blocking", "_connection"),
    Face("Queue", "queue", "blocking", "_queue"),
    Face("Sender", "sender", "blocking", "_sender"),
    Face("PartitionedQueue", "partitioned_queue", "partitioned_queue_blocking", "_queue"),
    Face("Watcher", "watcher", "watcher_blocking", "_watcher"),
)
NOT_BLOCKING: Final = {
    "Connection.open": "`connect` of the blocking client opens it",
    "Queue.opened_sender": "for `send` and `send_many`, which have it",
    "Watcher.changed": "for `changes`, which has it",
}
BY_HAND: Final = {
    *("AsyncGenerator", "AsyncIterable", "AsyncIterator", "Browser", "Connection", "Delivery"),
    *("PartitionedQueue", "Queue", "Receiver", "Sender", "Watcher"),
}
"""What a signature has that is another thing in the blocking client; only transactions are translated."""
Method = ast.FunctionDef | ast.AsyncFunctionDef


def classes_of(module: str) -> tuple[ast.Module, dict[str, ast.ClassDef]]:
    """A module of the client, and its classes by name."""
    tree = ast.parse((CLIENT / f"{module}.py").read_text())
    return tree, {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def public_methods(definition: ast.ClassDef) -> Iterator[Method]:
    """The methods and properties of a class that others use."""
    for node in definition.body:
        if isinstance(node, Method) and not node.name.startswith("_"):
            yield node


def names_in(nodes: Iterable[ast.AST | None]) -> set[str]:
    """The names that annotations and defaults use, also those in quotes."""
    found: set[str] = set()
    for node in (each for root in nodes if root is not None for each in ast.walk(root)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            found |= names_in([ast.parse(node.value, mode="eval")])
    return found


def names_of(method: Method) -> set[str]:
    """The names of a signature."""
    arguments = method.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    defaults = [each for each in (*arguments.defaults, *arguments.kw_defaults) if not_text(each)]
    return names_in([*(each.annotation for each in every), method.returns, *defaults])


def names_to_import(face: Face, method: Method) -> set[str]:
    """The names of the signature of a method that is written.

    Raises:
        SystemExit: one of them is another thing in the blocking client.
    """
    names = names_of(method)
    for name in sorted(names & BY_HAND):
        place = f"{face.blocking}.{face.name}"
        raise SystemExit(f"{face.name}.{method.name} has {name}: define it in {place} by hand")
    return names


def not_text(default: ast.expr | None) -> bool:
    """Whether a default is not a text, which is no annotation in quotes."""
    return not (isinstance(default, ast.Constant) and isinstance(default.value, str))


def sources_of(tree: ast.Module, module: str) -> dict[str, tuple[str, str]]:
    """By name as a module uses it, where it is defined and what it is called there."""
    sources = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            sources[node.name] = (f"lastvalue.client.{module}", node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            sources[node.target.id] = (f"lastvalue.client.{module}", node.target.id)
    return sources


def docstring_of(face: Face, method: Method) -> str:
    """The first paragraph, with the place of the rest."""
    whole = ast.get_docstring(method) or ""
    first = whole.partition("\n\n")[0]
    if first == whole:
        return f'"""{first}"""'
    place = f"see `client.{face.name}.{method.name}`."
    line = f'"""{first.removesuffix(".")}; {place}"""'
    if "\n" not in first and len(line) <= 102:
        return line
    return f'"""{first}\n\nS{place.removeprefix("s")}\n"""'


def call_of(method: Method, callee: str) -> str:
    """The call of the asyncio client's method with the arguments of this one."""
    arguments = method.args
    given = [each.arg for each in arguments.args[1:]]
    given += [f"{each.arg}={translated(each.arg)}" for each in arguments.kwonlyargs]
    if arguments.kwarg is not None:
        given.append(f"**{arguments.kwarg.arg}")
    return f"{callee}({', '.join(given)})"


def translated(argument: str) -> str:
    """An argument for the asyncio client."""
    return "inner_transaction(transaction)" if argument == "transaction" else argument


def lines_of(face: Face, method: Method) -> Iterator[str]:
    """The text of a method, not yet formatted."""
    callee = f"self.{face.attribute}.{method.name}"
    is_property = any(isinstance(each, ast.Name) and each.id == "property" for each in method.decorator_list)
    call = call_of(method, callee)
    if is_property:
        yield "@property"
        body = f"return {callee}"
    elif isinstance(method, ast.AsyncFunctionDef):
        body = f"return self._thread.run({call})"
    else:
        body = f"return self._thread.run_function({callee if call.endswith('()') else f'lambda: {call}'})"
    if isinstance(method.returns, ast.Constant) and method.returns.value is None:
        body = body.removeprefix("return ")
    returns = "" if method.returns is None else f" -> {ast.unparse(method.returns)}"
    yield f"def {method.name}({ast.unparse(method.args)}){returns}:"
    yield from ("    " + line for line in docstring_of(face, method).splitlines())
    yield f"    {body}"


def class_of(face: Face, imported: Callable[[str], None]) -> Iterator[str]:
    """The text of a class; tells which names its signatures use."""
    _, asyncio_classes = classes_of(face.module)
    _, blocking_classes = classes_of(face.blocking)
    by_hand = {method.name for method in public_methods(blocking_classes[face.name])}
    yield f"class {face.name}Calls:"
    yield f'    """What `{face.blocking}.{face.name}` lets `client.{face.name}` do."""'
    yield f"    def __init__(self, {face.attribute[1:]}: Async{face.name}, thread: LoopThread) -> None:"
    yield f"        self.{face.attribute} = {face.attribute[1:]}"
    yield "        self._thread = thread"
    for method in public_methods(asyncio_classes[face.name]):
        if method.name in by_hand or f"{face.name}.{method.name}" in NOT_BLOCKING:
            continue
        for name in names_to_import(face, method):
            imported(name)
        yield ""
        yield from ("    " + line for line in lines_of(face, method))


def module_text() -> str:
    """The module that the asyncio client makes."""
    imports = {
        "from lastvalue.client.delivery_blocking import Transaction, inner_transaction",
        "from lastvalue.client.loop_thread import LoopThread",
    }
    classes: list[str] = []
    for face in FACES:
        tree, _ = classes_of(face.module)
        sources = sources_of(tree, face.module)
        used: set[str] = set()
        classes += ["", "", *class_of(face, used.add)]
        imports.add(f"from lastvalue.client.{face.module} import {face.name} as Async{face.name}")
        for name in used - {"Transaction"}:
            if name in sources:
                module, original = sources[name]
                imports.add(f"from {module} import {original}")
    return "\n".join([TITLE, "", *sorted(imports), *classes]) + "\n"


def main(arguments: list[str]) -> int:
    """See the module."""
    return write_or_check(MODULE, module_text(), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
