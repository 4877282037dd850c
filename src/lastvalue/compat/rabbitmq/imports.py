"""Imports configurations from RabbitMQ's definitions file."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lastvalue.addresses.name_wildcards import RIGHTS_OF, name_wildcards
from lastvalue.config.configuration import Configuration
from lastvalue.config.report import Draft, Report, UnreadableSourceError
from lastvalue.model.nested_json import parse_json
from lastvalue.queues.spec_arguments import knows_argument

_DEFAULT_HOST: Final = "/"
_OWN: Final = "amq."
_READ: Final = ("queues", "exchanges", "bindings", "policies", "permissions", "users", "vhosts")
_ABOUT: Final = (
    "rabbit_version",
    "rabbitmq_version",
    "product_name",
    "product_version",
    "rabbitmq_definition_format",
)
_TYPES: Final = ("direct", "topic", "fanout", "headers")


def import_rabbitmq(text: str) -> tuple[Configuration, Report]:
    """Import the queues, exchanges, bindings, policies and permissions of a virtual host, with a report.

    The virtual host is `/`, or the only one that has queues or exchanges.

    Raises:
        UnreadableSourceError: it is not RabbitMQ's definitions.
    """
    root = _json(text)
    draft = Draft()
    host = _host(root)
    policies = [each for each in _of(root, "policies", host, draft) if _is_usable(each, draft)]
    policies.sort(key=lambda policy: -int(policy.get("priority", 0)))
    for exchange in _of(root, "exchanges", host, draft):
        _exchange(exchange, draft)
    for queue in _of(root, "queues", host, draft):
        _queue(queue, policies, draft)
    for binding in _of(root, "bindings", host, draft):
        _binding(binding, draft)
    for permission in _of(root, "permissions", host, draft):
        _permission(permission, draft)
    for user in _list(root, "users"):
        draft.leave_out(
            f"users[{user.get('name')}]", "passwords do not move; `lastvalue user add` makes a user"
        )
    for name, value in root.items():
        if name not in (*_READ, *_ABOUT) and value:
            draft.leave_out(name, "lastvalue's configuration does not have this")
    return draft.finish()


def _json(text: str) -> Mapping[str, Any]:
    try:
        root = parse_json(text)
    except ValueError as error:
        raise UnreadableSourceError(f"not JSON: {error}") from None
    if not isinstance(root, dict) or not any(name in root for name in ("queues", "exchanges", "vhosts")):
        raise UnreadableSourceError("not the definitions of RabbitMQ: it has no queues, exchanges or vhosts")
    return root


def _list(root: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = root.get(name) or []
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise UnreadableSourceError(f"not the definitions of RabbitMQ: {name} is no list of objects")
    return value


def _host(root: Mapping[str, Any]) -> str:
    # The definitions of a single virtual host do not name it.
    used = {
        str(each.get("vhost", _DEFAULT_HOST))
        for name in ("queues", "exchanges")
        for each in _list(root, name)
    }
    return used.pop() if len(used) == 1 else _DEFAULT_HOST


def _of(root: Mapping[str, Any], name: str, host: str, draft: Draft) -> Iterator[Mapping[str, Any]]:
    for place, each in enumerate(_list(root, name)):
        if each.get("vhost", host) == host:
            yield each
        else:
            path = f"{name}[{each.get('name', place)}]"
            draft.leave_out(path, f"it is in the virtual host {each['vhost']!r}; a broker here has one")


def _exchange(exchange: Mapping[str, Any], draft: Draft) -> None:
    name, kind = str(exchange.get("name", "")), exchange.get("type")
    path = f"exchanges[{name}]"
    if not name or name.startswith(_OWN):
        return
    if kind not in _TYPES:
        draft.leave_out(path, f"expected one of {', '.join(_TYPES)}", kind)
        return
    entry: dict[str, Any] = {"name": name, "type": kind, "durable": exchange.get("durable") is True}
    entry |= {flag: True for flag in ("auto_delete", "internal") if exchange.get(flag) is True}
    for argument, value in _arguments(exchange).items():
        if argument == "alternate-exchange":
            entry["alternate"] = value
        else:
            draft.leave_out(f"{path}/arguments/{argument}", "an exchange here does not have this", value)
    draft.add("exchange", entry, path)


def _queue(queue: Mapping[str, Any], policies: list[Mapping[str, Any]], draft: Draft) -> None:
    name = str(queue.get("name", ""))
    path = f"queues[{name}]"
    entry: dict[str, Any] = {"name": name, "durable": queue.get("durable") is True}
    if queue.get("auto_delete") is True:
        entry["lifetime"] = "delete-on-no-outbound-links"
    if queue.get("type") in ("classic", "quorum"):
        entry["x-queue-type"] = queue["type"]
    arguments = _arguments(queue)
    for policy in policies:
        if policy.get("apply-to", "all") in ("all", "queues") and re.search(policy["pattern"], name):
            # [RabbitMQ] One policy applies, and a queue's own arguments come before it.
            said = {_argument(key): value for key, value in policy.get("definition", {}).items()}
            arguments = {
                argument: value for argument, value in said.items() if knows_argument(argument)
            } | arguments
            break
    for argument, value in arguments.items():
        if knows_argument(argument):
            entry[argument] = value
        else:
            draft.leave_out(f"{path}/arguments/{argument}", "a queue here does not have this", value)
    draft.add("queue", entry, path)


def _is_usable(policy: Mapping[str, Any], draft: Draft) -> bool:
    path = f"policies[{policy.get('name')}]"
    try:
        re.compile(policy["pattern"])
    except (KeyError, TypeError, re.error):
        draft.leave_out(path, "its pattern is no regular expression")
        return False
    for key, value in policy.get("definition", {}).items():
        if not knows_argument(_argument(key)):
            draft.leave_out(f"{path}/{key}", "a queue here does not have this", value)
    draft.note(f"{path}: it is applied to the queues of the file, and to no later ones")
    return True


def _argument(key: str) -> str:
    return f"x-{key}"


def _binding(binding: Mapping[str, Any], draft: Draft) -> None:
    exchange, queue = binding.get("source", ""), binding.get("destination", "")
    entry: dict[str, Any] = {"exchange": exchange, "queue": queue}
    if exchange == "":
        # Every queue is bound to the default exchange by its name.
        return
    if binding.get("routing_key"):
        entry["key"] = binding["routing_key"]
    if arguments := _arguments(binding):
        entry["arguments"] = {name: "" if value is None else value for name, value in arguments.items()}
    draft.add("binding", entry, f"bindings[{exchange} to {queue}]")


def _permission(permission: Mapping[str, Any], draft: Draft) -> None:
    user = str(permission.get("user", ""))
    rules: list[str] = []
    for action, ours in RIGHTS_OF.items():
        pattern = str(permission.get(action, ""))
        wildcards = name_wildcards(pattern)
        if wildcards is None:
            draft.leave_out(
                f"permissions[{user}]/{action}",
                "patterns here have the wildcard `*`, but are no regular expressions",
                pattern,
            )
        else:
            rules.extend(f"{','.join(ours)} {wildcard}" for wildcard in wildcards)
    draft.add(
        "permission", {"user": user, "rules": rules} if rules else {"user": user}, f"permissions[{user}]"
    )


def _arguments(described: Mapping[str, Any]) -> dict[str, Any]:
    arguments = described.get("arguments")
    return dict(arguments) if isinstance(arguments, dict) else {}
