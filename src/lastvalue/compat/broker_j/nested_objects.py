"""Objects with those below them, as far as the parameter `depth` asks."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.client import Connection
from lastvalue.compat.broker_j.object_tree import CATEGORIES, Objects
from lastvalue.http.problems import FieldProblem

MOST_DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class Children:
    """The objects of a category that are below an object: those whose attributes have the values of its own.

    Attributes:
        category: of the children.
        theirs, own: names of attributes of a child, and of the object.
    """

    category: str
    theirs: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


CHILDREN: Final[dict[str, tuple[Children, ...]]] = {
    "broker": (Children("virtualhostnode"), Children("port")),
    "virtualhostnode": (Children("virtualhost"),),
    "virtualhost": (Children("queue"), Children("exchange"), Children("connection")),
    "queue": (Children("binding", ("queue",), ("name",)), Children("consumer", ("queue",), ("name",))),
    "exchange": (Children("binding", ("exchange",), ("name",)),),
    "connection": (Children("session", ("connection",), ("name",)),),
    "session": (Children("consumer", ("connection", "session"), ("connection", "name")),),
}


def depth_of(text: str | None) -> int:
    """The depth that a request asks for.

    Raises:
        FieldProblem: it is none.
    """
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and int(text) <= MOST_DEPTH):
        raise FieldProblem("depth", f"depth is {text!r:.80}; expected 0 to {MOST_DEPTH}", place="query")
    return int(text)


async def nested_objects(objects: Objects, category: str, depth: int, broker: Connection) -> Objects:
    """The objects, each with the lists of what is below it: a virtual host with its `queues`, and so on."""
    if depth == 0 or not objects:
        return objects
    shown = objects
    for children in CHILDREN.get(category, ()):
        _, list_all = CATEGORIES[children.category]
        below: dict[tuple[Any, ...], Objects] = defaultdict(list)
        for child in await nested_objects(await list_all(broker), children.category, depth - 1, broker):
            below[_values(child, children.theirs)].append(child)
        name = f"{children.category}s"
        shown = [{**parent, name: below.get(_values(parent, children.own), [])} for parent in shown]
    return shown


def _values(found: Mapping[str, Any], attributes: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(found[each] for each in attributes)
