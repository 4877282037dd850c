"""Queues that requests declare, change and delete, with their parameters in every version of Artemis."""

from typing import Any, Final

from lastvalue.codec.core.jms_names import ROUTING_TYPES
from lastvalue.codec.core.packets import CREATE_QUEUE_V2, Packet
from lastvalue.compat.artemis.management.management_call import (
    ManagementCall,
    ManagementError,
    Operation,
    read_json,
    shown_in_java,
    text,
    whole_number,
)
from lastvalue.compat.artemis.management.queue_attributes import QUEUE_ATTRIBUTES
from lastvalue.frontends.core.declarations import DECLARED_FIELDS, Declarations, queried
from lastvalue.frontends.core.filter_text import jms_selector

_WHOLE: Final = [
    "address", "routing_type", "name", "filter", "durable", "max_consumers", "purge_on_no_consumers",
    "exclusive", "group_rebalance", "group_buckets", "group_first_key", "last_value", "last_value_key",
    "non_destructive", "consumers_before_dispatch", "delay_before_dispatch", "auto_delete",
    "auto_delete_delay", "auto_delete_message_count", "auto_create_address", "ring_size",
]  # fmt: skip
_CREATED: Final[dict[int, list[str]]] = {
    2: ["address", "name"],
    3: ["address", "name", "routing_type"],
    4: ["address", "name", "filter", "durable"],
    5: ["address", "name", "filter", "durable", "routing_type"],
    8: [*_WHOLE[:7], "auto_create_address"],
    16: [each for each in _WHOLE if not each.startswith(("auto_delete", "group_first", "ring"))],
    19: [each for each in _WHOLE if each not in ("group_first_key", "ring_size")],
    20: _WHOLE[:-1],
    21: _WHOLE,
}
"""By the number of its parameters, what those of `createQueue` are."""
_CHANGED: Final = [
    "name", "routing_type", "filter", "max_consumers", "purge_on_no_consumers", "exclusive",
    "group_rebalance", "group_buckets", "group_first_key", "non_destructive",
    "consumers_before_dispatch", "delay_before_dispatch", "user", "ring_size",
]  # fmt: skip
_UPDATED: Final[dict[int, list[str]]] = {
    4: ["name", "routing_type", "max_consumers", "purge_on_no_consumers"],
    5: ["name", "routing_type", "max_consumers", "purge_on_no_consumers", "exclusive"],
    6: ["name", "routing_type", "max_consumers", "purge_on_no_consumers", "exclusive", "user"],
    12: [each for each in _CHANGED if each not in ("group_first_key", "ring_size")],
    13: _CHANGED[:-1],
    14: _CHANGED,
}
_JSON_NAMES: Final = {"filter_string": "filter"}
_TEXTS: Final = ("name", "address", "filter", "filter_string", "last_value_key", "group_first_key", "user")
_PLACES: Final = ("name", "address", "routing_type")
_MEANING_NOTHING: Final = (
    "id", "user", "internal", "auto_created", "configuration_managed", "auto_create_address", "fqqn",
)  # fmt: skip
"""What a configuration says of the queue that it was read from."""
_UNKNOWN_BUT_OFF: Final = (False, 0, -1, "", "0", "-1", "false")


def _fields(parameters: tuple[object, ...], known: dict[int, list[str]], operation: str) -> dict[str, Any]:
    """What the parameters of an operation say, by name."""
    first = parameters[0] if parameters else None
    if isinstance(first, str) and first.lstrip().startswith("{"):
        said = read_json(first, "the configuration of a queue")
        plain = {str(name).replace("-", "_"): value for name, value in said.items()}
        values = {name: value if name in _TEXTS else _plain(value) for name, value in plain.items()}
        return _known({_JSON_NAMES.get(name, name): value for name, value in values.items()})
    names = known.get(len(parameters))
    if names is None:
        raise ManagementError(
            f"{operation} takes {', '.join(map(str, known))} parameters, not {len(parameters)}"
        )
    if names == _CREATED[3] and isinstance(parameters[2], bool):
        names = ["address", "name", "durable"]
    elif names == _CREATED[4] and isinstance(parameters[2], bool):
        names = ["address", "name", "durable", "routing_type"]
    return dict(zip(names, parameters, strict=True))


def _known(said: dict[str, Any]) -> dict[str, Any]:
    """What a configuration says, without what means nothing.

    Raises:
        ManagementError: it says what queues do not have here.
    """
    meant = {name: value for name, value in said.items() if name not in _MEANING_NOTHING}
    known = {*_PLACES, "filter", "durable", "temporary", *DECLARED_FIELDS}
    for name, value in meant.items():
        if name not in known and value is not None and value not in _UNKNOWN_BUT_OFF:
            raise ManagementError(f"{name.replace('_', '-')!r} is {value!r}; queues here do not have that")
    return {name: value for name, value in meant.items() if name in known}


def _plain(value: object) -> object:
    """[Artemis] A configuration in JSON has its numbers and flags as texts, too."""
    if not isinstance(value, str):
        return value
    if value in ("true", "false"):
        return value == "true"
    found = whole_number(value)
    return value if found is None else found


def routing_number(routing_type: object) -> int:
    """The number of a routing type.

    Raises:
        ManagementError: it is not one.
    """
    named = str(routing_type or "").strip().upper()
    if named not in ROUTING_TYPES:
        raise ManagementError(f"routing type {named!r}; expected one of {', '.join(ROUTING_TYPES)}")
    return ROUTING_TYPES.index(named)


def _create_queue(call: ManagementCall, *parameters: object) -> str:
    said = _fields(parameters, _CREATED, "createQueue")
    name = text(said.get("name"), "name")
    ignores_existing = parameters[1:] == (True,)
    declarations = Declarations(call.broker, call.owner)
    if not (ignores_existing and _is_shown(call, name)):
        values = {key: value for key, value in said.items() if value is not None and key != "name"}
        values |= {
            "queue": name,
            "address": said.get("address") or name,
            "durable": said.get("durable") is not False,
            "filter": said.get("filter") or "",
        }
        declarations.create_queue(
            Packet(CREATE_QUEUE_V2, values),
            routing_number(said.get("routing_type") or "MULTICAST"),
            call.moment,
        )
    return described_queue(call, name)


def _is_shown(call: ManagementCall, name: str) -> bool:
    return call.broker.authorization.shown_queue(call.owner, name) is not None


def _deploy_queue(
    call: ManagementCall, address: object, name: object, filter_text: object, durable: object = True
) -> None:
    if not _is_shown(call, text(name, "name")):
        _create_queue(call, address, name, filter_text, durable)


def _update_queue(call: ManagementCall, *parameters: object) -> str:
    said = _fields(parameters, _UPDATED, "updateQueue")
    name = text(said.get("name"), "name")
    _check_place(call, name, said)
    changes = {
        _spelling(key): _changed(key, value)
        for key, value in said.items()
        if value is not None and key not in (*_PLACES, "user")
    }
    if changes:
        call.ask("UPDATE", name, changes)
    return described_queue(call, name)


def _check_place(call: ManagementCall, name: str, said: dict[str, Any]) -> None:
    """Refuse another address or routing type than a queue has: they are for life."""
    hosted = call.broker.show(name, call.owner)
    for field, attribute in (("address", "address"), ("routing_type", "routingType")):
        wanted, has = said.get(field), QUEUE_ATTRIBUTES[attribute](call, hosted)
        if field == "routing_type" and wanted is not None:
            wanted = ROUTING_TYPES[routing_number(wanted)]
        if wanted is not None and wanted != has:
            shown = field.replace("_", "-")
            raise ManagementError(
                f"{shown} of queue {name!r} is {has} for life; {wanted} needs another queue"
            )


def _spelling(field: str) -> str:
    return "filter-string" if field == "filter" else field.replace("_", "-")


def _changed(field: str, value: object) -> object:
    """A value as a change has it: what a declaration leaves out is what null stands for."""
    if value in (-1, ""):
        return None
    return jms_selector(value.strip()) if field == "filter" and isinstance(value, str) else value


def _destroy_queue(
    call: ManagementCall, name: object, remove_consumers: object = False, *address: object
) -> None:
    del address
    broker = call.broker
    hosted = broker.show(text(name, "name"), call.owner)
    if hosted.readers and remove_consumers is not True:
        raise ManagementError(
            f"queue {name!r} has {len(hosted.readers)} consumers; delete it with removeConsumers"
        )
    broker.delete(text(name, "name"), call.moment, call.owner, even_alternate=True)


def described_queue(call: ManagementCall, name: str) -> str:
    """A queue's configuration as Artemis's tool prints it."""
    hosted = call.broker.show(name, call.owner)
    of, options = QUEUE_ATTRIBUTES, queried(hosted.queue.spec)
    shown = {
        "name": name,
        "address": of["address"](call, hosted),
        "routingType": of["routingType"](call, hosted),
    }
    words = {key: "".join([key.split("_")[0], *map(str.title, key.split("_")[1:])]) for key in options}
    shown |= {words[key]: value for key, value in options.items()}
    return f"Queue [{', '.join(f'{key}={shown_in_java(value)}' for key, value in shown.items())}]"


QUEUE_CHANGES: Final[dict[str, Operation]] = {
    "createQueue": _create_queue,
    "deployQueue": _deploy_queue,
    "updateQueue": _update_queue,
    "destroyQueue": _destroy_queue,
}
"""By name; each takes the parameters."""
