"""Requests to the `$management` node, which declare, show and delete queues and exchanges.

Requests have `operation`, `type` and `name` as application properties, as in the AMQP management draft and
in Broker-J; the body of a CREATE is a map of options in any dialect of `queues.options`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from lastvalue.addresses.name_expression import NameExpression
from lastvalue.broker.administration import (
    clock_requests,
    cluster_requests,
    configuration_requests,
    log_requests,
    permission_requests,
    pipeline_requests,
    snapshot_requests,
)
from lastvalue.broker.administration.request import Request, Response, text_in, unknown_operation
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests import (
    broker_requests,
    check_requests,
    connection_requests,
    exchange_requests,
    held_requests,
    key_requests,
    message_requests,
    moment_requests,
    partition_requests,
    policy_requests,
    removal_requests,
    sequence_requests,
    value_requests,
)
from lastvalue.broker.requests.listing import Listing, Page
from lastvalue.broker.requests.permission_verdicts import MAY, permission_verdicts
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.statistics import statistic as statistics
from lastvalue.broker.statistics.queue_ranking import QueueRanking, asks_for_sums, queue_sums
from lastvalue.model.errors import BrokerError, InvalidSpecError
from lastvalue.queues.spec_arguments import changed_spec, spec_from_arguments, spec_to_arguments
from lastvalue.queues.subscription import ALL_MODES

__all__ = ["MANAGEMENT_NODE", "Request", "Response", "describe", "manage"]

MANAGEMENT_NODE = "$management"
_REFUSED: Final = 300
_QUEUE_TYPES: Final[dict[str, dict[str, str]]] = {
    "queue": {},
    "standard": {"type": "standard"},
    "lvq": {"type": "lvq"},
    "priority": {"type": "priority"},
    "sorted": {"type": "sorted"},
    "org.apache.qpid.Queue": {},
    "org.apache.qpid.StandardQueue": {"type": "standard"},
    "org.apache.qpid.LastValueQueue": {"type": "lvq"},
    "org.apache.qpid.PriorityQueue": {"type": "priority"},
    "org.apache.qpid.SortedQueue": {"type": "sorted"},
}
_Operation = Callable[[Broker, Request, int, Owner], Response]


def manage(broker: Broker, request: Request, now: int, owner: Owner = NOBODY) -> Response:
    """Carry out a request. A refusal is a response too; no request of a client raises."""
    try:
        if request.type in _SERVICES:
            return _SERVICES[request.type](broker, request, now, owner)
        return _of_nodes(broker, request, now, owner)
    except BrokerError as error:
        return Response(error.condition.http, str(error), dict(error.info) or None, error.condition.amqp10)


def _clock(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    if request.operation != clock_requests.READ:
        broker.authorize(owner, Verb.MOVE_CLOCK)
    answer = clock_requests.ask_clock(broker.time, request, now)
    if answer.awaits_flush:
        detail = f"to {answer.body['now_ms']} ms"
        broker.authorization.note(owner, Verb.MOVE_CLOCK, clock_requests.TYPE, "", detail)
    return answer


def _snapshots(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    broker.authorize(owner, Verb.SNAPSHOT)
    answer = snapshot_requests.ask_snapshots(broker.snapshots, request)
    if answer.status == snapshot_requests.BEGUN:
        broker.authorization.note(owner, Verb.SNAPSHOT, str(request.body["directory"]))
    return answer


def _configuration(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    broker.authorize(owner, Verb.RELOAD)
    answer = configuration_requests.ask_configuration(broker.configuration_file, request)
    if request.operation == "RELOAD" and answer.status < _REFUSED and request.body.get("dry_run") is not True:
        detail = f"{sum(each['done'] for each in answer.body)} changes"
        broker.authorization.note(owner, Verb.RELOAD, configuration_requests.TYPE, "", detail)
    return answer


def _permissions(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    if request.operation == MAY:
        return permission_verdicts(broker, request, owner)
    broker.authorize(owner, Verb.CHANGE_PERMISSIONS)
    answer = permission_requests.ask_permissions(broker.users, request)
    if answer.status < _REFUSED and request.operation in permission_requests.CHANGES:
        change = permission_requests.user_change(request.body)
        detail = f"{request.operation.lower()}: {change.detail}".removesuffix(": ")
        broker.authorization.note(owner, Verb.CHANGE_PERMISSIONS, request.name, "", detail)
    return answer


def _cluster(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    hands_over = request.operation == cluster_requests.STEP_DOWN
    broker.authorize(owner, Verb.STEP_DOWN if hands_over else Verb.SHOW_BROKER)
    answer = cluster_requests.ask_cluster(broker.cluster, request)
    if hands_over:
        broker.authorization.note(owner, Verb.STEP_DOWN, cluster_requests.TYPE)
    return answer


def _log(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    broker.authorize(owner, Verb.SHOW_LOG)
    return log_requests.ask_log(broker.log, request)


def _pipeline(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    restarts = request.operation == pipeline_requests.RESTART
    broker.authorize(owner, Verb.RESTART_PART if restarts else Verb.SHOW_PIPELINE)
    answer = pipeline_requests.ask_pipeline(broker.pipeline, request)
    if restarts:
        broker.authorization.note(owner, Verb.RESTART_PART, request.name)
    return answer


def _of_nodes(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    if request.type in exchange_requests.TYPES:
        operations = exchange_requests.OPERATIONS
    elif request.type in connection_requests.CONNECTION_OPERATIONS:
        operations = connection_requests.CONNECTION_OPERATIONS[request.type]
    elif not request.type or request.type in _QUEUE_TYPES:
        operations = _OPERATIONS
    else:
        known = ", ".join(
            [*_QUEUE_TYPES, *exchange_requests.TYPES, *connection_requests.CONNECTION_OPERATIONS]
        )
        return Response(
            400, f"unknown type {request.type!r}; expected one of {known}", None, "amqp:invalid-field"
        )
    operation = operations.get(request.operation)
    if operation is None:
        return unknown_operation(request, f"one of {', '.join(operations)}")
    if request.operation != "QUERY" and not request.name:
        return Response(400, f"{request.operation} needs the property `name`", None, "amqp:invalid-field")
    return operation(broker, request, now, owner)


def _create(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    if not isinstance(request.body, Mapping):
        raise InvalidSpecError("the body of CREATE must be a map of options")
    implied: dict[str, Any] = dict(_QUEUE_TYPES.get(request.type, {}))
    arguments = implied | dict(request.body)
    arguments.pop("name", None)
    spec = spec_from_arguments(request.name, arguments)
    made = broker.declare(spec, owner)
    shown = _described(broker, broker.lookup(request.name))
    return Response(201 if made else 200, "created" if made else "exists", shown)


def _update(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Options that are not in the body keep their values; `broker.reconfigure` checks the rights."""
    hosted = broker.show(request.name, owner)
    changes: dict[str, Any] = _QUEUE_TYPES.get(request.type, {}) | dict(request.body)
    changes.pop("name", None)
    broker.reconfigure(changed_spec(hosted.queue.spec, changes), now, owner)
    return Response(200, "updated", _described(broker, hosted))


def _read(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    return Response(200, "OK", _described(broker, broker.show(request.name, owner)))


def _delete(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """With `if_unused` a queue with readers stays, with `if_empty` one with messages."""
    unused_by = ALL_MODES if request.body.get("if_unused") is True else ()
    if_empty = request.body.get("if_empty") is True
    deleted = broker.delete(request.name, now, owner, unused_by, if_empty)
    return Response(204, "deleted", {"messages": deleted})


def _purge(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    count = broker.purge(request.name, owner)
    durable = broker.lookup(request.name).queue.spec.durable
    return Response(200, "purged", {"messages": count}, awaits_flush=durable and count > 0)


def _query(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    host, expression = text_in(request.body, "virtual_host"), text_in(request.body, "matches")
    admits = NameExpression(expression).admits if expression else None

    def find(name: str) -> HostedQueue | None:
        if admits is not None and not admits(name):
            return None
        hosted = broker.authorization.shown_queue(owner, name)
        return hosted if hosted is None or not host or hosted.queue.spec.virtual_host == host else None

    def shown(name: str | None) -> object:
        hosted = None if name is None else find(name)
        return None if hosted is None else _described(broker, hosted)

    page, ranking = Page(request.body), QueueRanking(request.body)
    names = page.of(broker.authorization.queue_names())
    found: Iterable[object]
    if asks_for_sums(request.body):
        found = queue_sums(request.body, names, find)
    elif ranking.is_by_name and not (host or expression):
        found = map(shown, names)
    else:
        found = map(shown, ranking.of(names, find, int(page.count)))
    listing = Listing(found, owner.connection, page.count)
    return Response(200, "OK", listing.begin(broker.long_commands, now))


def _described(broker: Broker, hosted: HostedQueue) -> dict[str, object]:
    return {**describe(hosted), "stored": broker.stores and hosted.queue.spec.durable}


def describe(hosted: HostedQueue) -> dict[str, object]:
    """A queue's declaration and its statistics. `published` is `depth` and the sum of `removed`."""
    queue = hosted.queue
    return {
        "name": queue.spec.name,
        "options": spec_to_arguments(queue.spec),
        **statistics.describe(hosted, statistics.QUEUE),
        "removed": statistics.removed(queue),
    }


_OPERATIONS: Final[dict[str, _Operation]] = {
    "CREATE": _create,
    "CHECK": check_requests.check_queue,
    "READ": _read,
    "UPDATE": _update,
    "DELETE": _delete,
    "PURGE": _purge,
    "QUERY": _query,
    "SEQUENCES": sequence_requests.tell_sequences,
    "EXTENT": moment_requests.tell_extent,
    "AS_OF": moment_requests.tell_moment,
    "TIMELINE": moment_requests.tell_timeline,
    "GET": value_requests.get,
    "PUT": value_requests.put,
    "PUT_MANY": value_requests.put_many,
    "DELETE_KEY": value_requests.delete,
    "WHY": removal_requests.why,
    "HELD": held_requests.tell_held,
    "KEYS": key_requests.tell_keys,
    "moveMessages": message_requests.move,
    "copyMessages": message_requests.copy,
    "retryMessages": message_requests.retry,
    "deleteMessages": message_requests.delete,
    "reenqueueMessagesForPriorityChange": message_requests.change_priority,
    "deliverScheduledMessages": message_requests.deliver_early,
}

_SERVICES: Final[dict[str, _Operation]] = {
    clock_requests.TYPE: _clock,
    broker_requests.TYPE: broker_requests.ask_broker,
    snapshot_requests.TYPE: _snapshots,
    policy_requests.TYPE: policy_requests.ask_policies,
    permission_requests.TYPE: _permissions,
    cluster_requests.TYPE: _cluster,
    configuration_requests.TYPE: _configuration,
    log_requests.TYPE: _log,
    partition_requests.TYPE: partition_requests.ask_partition,
    pipeline_requests.TYPE: _pipeline,
}
"""What the broker itself answers, by the type of the request."""
