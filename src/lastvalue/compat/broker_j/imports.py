"""Imports configurations from a Broker-J JSON store."""

from collections.abc import Container, Iterator, Mapping
from typing import Any, Final, TypeAlias

from lastvalue.config.arguments import SPELLINGS, read_argument
from lastvalue.config.configuration import PREDECLARED, Configuration
from lastvalue.config.contexts import Contexts, unfilled
from lastvalue.config.report import Draft, Report, UnreadableSourceError
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.nested_json import parse_json

_Object: TypeAlias = Mapping[str, Any]

_RECORDS: Final = (
    "id",
    "modelVersion",
    "createdBy",
    "createdTime",
    "lastUpdatedBy",
    "lastUpdatedTime",
    "desiredState",
)
"""Attributes of every object in a store that configure nothing."""

_READ: Final = (*_RECORDS, "name", "type", "context")

_NO_PLACE: Final = "lastvalue's configuration does not have this"
_NO_WILDCARDS: Final = "lastvalue's patterns have the wildcards `*` and `#`, but not regular expressions"
_NO_ALERTS: Final = "lastvalue looks every ten seconds at depth, size and age, and not at single messages"
_NOT_OFFERED: Final = {
    "messageDurability": "in lastvalue each message decides that",
    "alertThresholdMessageSize": _NO_ALERTS,
    "alertRepeatGap": _NO_ALERTS,
}
_AS_IT_IS: Final[dict[str, tuple[Any, ...]]] = {
    "messageDurability": ("DEFAULT",),
    "alertThresholdMessageSize": (0, "0"),
    "alertRepeatGap": (30000, "30000"),
    "lifetimePolicy": ("PERMANENT",),
    "durableBindings": ([],),
}
"""Values that lastvalue always behaves by."""

_NODE: Final = ("virtualhost", "virtualhosts", "virtualHostInitialConfiguration", "defaultVirtualHostNode")
_EXCHANGE: Final = (
    "durable",
    "alternateBinding",
    "unroutableMessageBehaviour",
    "durableBindings",
    "bindings",
)
_MAPS: Final = ("alternateBinding", "defaultFilters")
_DEPTHS: Final = ("maximumQueueDepthMessages", "maximumQueueDepthBytes")


def import_broker_j(text: str) -> tuple[Configuration, Report]:
    """Import the queues, exchanges and policies of a virtual host, with a report of the rest.

    The root is a broker, a virtual host node or a virtual host.

    Raises:
        UnreadableSourceError: it is not a JSON object, or has no virtual host.
    """
    try:
        return _imported(_json(text))
    except RecursionError:
        raise UnreadableSourceError("not a configuration of Broker-J: it is nested too deeply") from None


def _imported(root: _Object) -> tuple[Configuration, Report]:
    draft = Draft()
    way = _way(root, draft)
    host, path = way[-1]
    contexts = Contexts()
    for owner, _ in way:
        contexts = contexts.within(owner.get("context"))
    for name, value in host.items():
        match name:
            case "queues":
                for place, queue in enumerate(_list(value)):
                    _queue(queue, f"{path}queues[{queue.get('name', place)}]", contexts, draft)
            case "exchanges":
                for place, exchange in enumerate(_list(value)):
                    _exchange(exchange, f"{path}exchanges[{exchange.get('name', place)}]", contexts, draft)
            case "nodeAutoCreationPolicies":
                for place, policy in enumerate(_list(contexts.filled(value))):
                    _policy(policy, f"{path}{name}[{place}]", draft)
            case _:
                pass
    _strangers(host, ("queues", "exchanges", "nodeAutoCreationPolicies"), path, draft)
    for owner, place_of_owner in way:
        _context(owner, place_of_owner, contexts, draft)
    return draft.finish()


def _json(text: str) -> _Object:
    try:
        root = parse_json(text)
    except ValueError as error:
        raise UnreadableSourceError(f"not JSON: {error}") from None
    if not isinstance(root, dict):
        raise UnreadableSourceError("not a configuration of Broker-J: it is not a JSON object")
    return root


# ---------------------------------------------------------------------- virtual hosts


_Way: TypeAlias = list[tuple[_Object, str]]
"""Nested objects with their paths: a broker, a node, a virtual host."""


def _way(root: _Object, draft: Draft) -> _Way:
    nodes = root.get("virtualhostnodes")
    if nodes is None:
        return _way_from_node(root, "", Contexts(), draft)
    host_nodes = _list(nodes)
    if not host_nodes:
        raise UnreadableSourceError("not a configuration of Broker-J: it has no virtual host node")
    chosen = next(
        (node for node in host_nodes if node.get("defaultVirtualHostNode") in (True, "true")), host_nodes[0]
    )
    _strangers(root, ("virtualhostnodes",), "", draft)
    for place, node in enumerate(host_nodes):
        if node is not chosen:
            reason = f"only one virtual host is imported, which is {chosen.get('name')!r}"
            draft.leave_out(f"virtualhostnodes[{_label(node, place)}]", reason)
    path = f"virtualhostnodes[{chosen.get('name')}]/"
    way = _way_from_node(chosen, path, Contexts().within(root.get("context")), draft)
    return [(root, ""), *way]


def _way_from_node(node: _Object, path: str, contexts: Contexts, draft: Draft) -> _Way:
    host: _Object | None = None
    key = "virtualhost"
    if found := _list(node.get("virtualhosts", node.get("virtualhost"))):
        host = found[0]
    elif isinstance(initial := node.get("virtualHostInitialConfiguration"), str) and initial.strip():
        key = "virtualHostInitialConfiguration"
        inner = contexts.within(node.get("context"))
        host = _json(initial if initial.lstrip().startswith("{") else inner.filled(initial))
    elif not path:
        return [(node, "")]
    if host is None:
        raise UnreadableSourceError(f"not a configuration of Broker-J: {path} has no virtual host")
    _strangers(node, _NODE, path, draft)
    return [(node, path), (host, f"{path}{key}/")]


# ---------------------------------------------------------------------- queues, exchanges, policies


def _queue(queue: _Object, path: str, contexts: Contexts, draft: Draft) -> None:
    contexts = contexts.within(queue.get("context"))
    attributes = contexts.filled({name: value for name, value in queue.items() if name != "context"})
    entry = {"name": str(attributes.get("name", "")), **_arguments(attributes, path, draft)}
    draft.add("queue", {"durable": True, **entry}, path)
    _context(queue, path + "/", contexts, draft)


def _arguments(attributes: _Object, path: str, draft: Draft) -> dict[str, Any]:
    arguments = {}
    if "type" in attributes:
        attributes = {**attributes, "type": str(attributes["type"]).lower()}
    for name, raw in attributes.items():
        if (name in _READ and name != "type") or raw is None or raw in _AS_IT_IS.get(name, ()):
            continue
        value = _parsed(raw) if name in _MAPS else raw
        try:
            if unfilled(value):
                raise InvalidSpecError(f"no context has the variable {unfilled(value)[0]!r}")
            if name in _NOT_OFFERED:
                raise InvalidSpecError(_NOT_OFFERED[name])
            if name not in SPELLINGS:
                raise InvalidSpecError("lastvalue's queues do not have this option")
            read_argument(name, value)
        except InvalidSpecError as fault:
            draft.leave_out(f"{path}/{name}", str(fault), raw)
        else:
            arguments[name] = value
    if any(name in arguments for name in _DEPTHS):
        # [Broker-J] Without a policy the depth is not limited.
        arguments.setdefault("overflowPolicy", "NONE")
    return arguments


def _exchange(exchange: _Object, path: str, contexts: Contexts, draft: Draft) -> None:
    contexts = contexts.within(exchange.get("context"))
    attributes = contexts.filled({name: value for name, value in exchange.items() if name != "context"})
    name = str(attributes.get("name", ""))
    entry = {"name": name, **_exchange_options(attributes, path, draft)}
    if name in PREDECLARED:
        for option in ("alternate", "unroutable"):
            if option in entry:
                draft.leave_out(f"{path}/{option}", "predeclared exchanges are not configured")
    else:
        draft.add("exchange", {"durable": True, **entry}, path)
    for place, binding in enumerate(_list(attributes.get("durableBindings", attributes.get("bindings", [])))):
        _binding(binding, entry, f"{path}/durableBindings[{place}]", draft)
    _context(exchange, path + "/", contexts, draft)


def _exchange_options(attributes: _Object, path: str, draft: Draft) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name, raw in attributes.items():
        match name:
            case "type":
                options["type"] = str(raw).lower()
            case "durable":
                options["durable"] = str(raw).lower() == "true"
            case "alternateBinding" if raw is not None:
                binding = _parsed(raw)
                options["alternate"] = binding.get("destination", "") if isinstance(binding, Mapping) else raw
            case "unroutableMessageBehaviour":
                behaviour = str(raw).lower()
                options["unroutable"] = "refuse" if behaviour == "reject" else behaviour
            case _:
                pass
    _strangers(
        {name: raw for name, raw in attributes.items() if raw not in _AS_IT_IS.get(name, ())},
        _EXCHANGE,
        f"{path}/",
        draft,
    )
    return options


def _binding(binding: _Object, exchange: _Object, path: str, draft: Draft) -> None:
    # Without a value the header must be present, with any value.
    arguments = {
        name: "" if value is None else value for name, value in _map(binding.get("arguments")).items()
    }
    if exchange.get("type") == "headers" or exchange.get("name") == "amq.match":
        # [Broker-J] By default all conditions must hold.
        arguments.setdefault("x-match", "all")
    entry = {
        "exchange": exchange["name"],
        "queue": str(binding.get("destination", binding.get("queue", ""))),
        "key": str(binding.get("bindingKey", binding.get("name", ""))),
        "arguments": arguments,
    }
    draft.add("binding", entry, path)
    for name in binding.keys() - {"arguments", "destination", "queue", "bindingKey", "name", *_RECORDS}:
        draft.leave_out(f"{path}/{name}", _NO_PLACE, binding[name])


def _policy(policy: _Object, path: str, draft: Draft) -> None:
    node = str(policy.get("nodeType", "Queue")).rpartition(".")[2].lower()
    attributes = _map(_parsed(policy.get("attributes")))
    if node == "exchange":
        options = _exchange_options(attributes, f"{path}/attributes", draft)
    else:
        options = _arguments(attributes, f"{path}/attributes", draft)
    pattern = _wildcards(str(policy.get("pattern", "")))
    if pattern is None:
        draft.leave_out(path, _NO_WILDCARDS, policy.get("pattern"))
        return
    entry = {
        "pattern": pattern,
        "node": node,
        "on_publish": str(policy.get("createdOnPublish")).lower() == "true",
        "on_consume": str(policy.get("createdOnConsume")).lower() == "true",
        "options": options,
    }
    draft.add("auto-create", entry, path)
    for name in policy.keys() - {"pattern", "nodeType", "createdOnPublish", "createdOnConsume", "attributes"}:
        draft.leave_out(f"{path}/{name}", _NO_PLACE, policy[name])


def _wildcards(expression: str) -> str | None:
    """The pattern with the same matches as a regular expression, or None if there is none."""
    pattern = expression
    for sign, wildcard in ((r"\.", "\0"), (".*", "#"), ("[^\0]*", "*"), ("[^.]*", "*")):
        pattern = pattern.replace(sign, wildcard)
    plain = pattern.replace("#", "").replace("*", "")
    if not pattern or any(sign in plain for sign in ".+?$\\[](){}|^"):
        return None
    return pattern.replace("\0", ".")


# ---------------------------------------------------------------------- not imported values


def _strangers(attributes: _Object, known: Container[str], path: str, draft: Draft) -> None:
    for name, value in attributes.items():
        if name not in known and name not in _READ:
            _leave_out(value, f"{path}{name}", draft)


def _leave_out(value: Any, path: str, draft: Draft) -> None:
    """Report a value with its parts, except the attributes that every object has."""
    parts: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        parts = [(f"/{key}", item) for key, item in value.items() if key not in (*_RECORDS, "name")]
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        parts = [(f"[{_label(item, place)}]", item) for place, item in enumerate(value)]
    for step, item in parts:
        _leave_out(item, path + step, draft)
    if not parts:
        draft.leave_out(path, _NO_PLACE, value)


def _label(item: Any, place: int) -> Any:
    return item.get("name", place) if isinstance(item, Mapping) else place


def _context(owner: _Object, path: str, contexts: Contexts, draft: Draft) -> None:
    """Report the context variables that are not used."""
    for name, value in _map(owner.get("context")).items():
        if name not in contexts.used:
            draft.leave_out(f"{path}context/{name}", "no imported text uses it", value)


def _list(value: Any) -> list[_Object]:
    value = _parsed(value)
    items: Iterator[Any] = iter(value if isinstance(value, list) else [value])
    return [item for item in items if isinstance(item, Mapping)]


def _map(value: Any) -> _Object:
    return value if isinstance(value, Mapping) else {}


def _parsed(value: Any) -> Any:
    """The value of a JSON text; attributes with several parts may be stored as one."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return parse_json(value)
    except ValueError:
        return value
