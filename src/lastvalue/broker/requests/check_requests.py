"""Requests that ask whether a declaration would be carried out; they change nothing.

A body has what that of the declaration has. A refusal is answered, and recorded, as that of the declaration.
"""

from collections.abc import Mapping
from typing import Any, Final

from lastvalue.broker.administration.request import Request, Response, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.alternates import check_equal
from lastvalue.broker.routing.bindings import MATCH_ARGUMENT, Binding, conditions_of
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments, kept_exchange
from lastvalue.model.errors import InvalidSpecError, QueueNotFoundError
from lastvalue.queues.spec_arguments import spec_from_arguments

ASSUMED: Final = "assumed"
BESIDES: Final = "besides"


def check_queue(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """CHECK of a queue. `besides`: how many others of the caller's will have been declared by then.

    Not known before it is declared is whether its history and the queue that it redirects to suit it.
    """
    del now
    options = dict(request.body)
    besides = _besides(options)
    spec = spec_from_arguments(request.name, options)
    broker.authorization.check_spec(owner, Verb.DECLARE_QUEUE, spec)
    if broker.has_queue(spec.name):
        hosted = broker.lookup(spec.name)
        broker.check_owner(hosted, owner)
        check_equal(spec, hosted.queue.spec)
        return _existence(exists=True)
    broker.quotas.check(owner, besides)
    return _existence(exists=False)


def check_exchange(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """CHECK of an exchange."""
    del now
    options = dict(request.body)
    options.pop("name", None)
    spec = kept_exchange(exchange_from_arguments(request.name, options))
    broker.authorize(owner, Verb.DECLARE_EXCHANGE, spec.name, spec.alternate)
    made = broker.exchanges.check_declaration(spec, None if owner.trusted else owner.principal)
    return _existence(exists=not made)


def check_binding(broker: Broker, request: Request, binding: Binding, owner: Owner) -> Response:
    """CHECK_BIND, the check of a binding. `assumed`: names of nodes that will be there by then."""
    assumed = _assumed(request.body)
    broker.authorize(owner, Verb.BIND, request.name, binding.destination)
    if MATCH_ARGUMENT in binding.arguments:
        conditions_of(binding.arguments)
    if binding.destination not in assumed:
        if binding.to_exchange:
            broker.exchanges.find(binding.destination)
        elif not broker.has_queue(binding.destination):
            raise QueueNotFoundError(binding.destination)
        else:
            broker.check_owner(broker.lookup(binding.destination), owner)
    if request.name not in assumed:
        binding.made_by(owner)
        broker.exchanges.check_quota(broker.exchanges.find(request.name), binding, owner)
    return _existence(exists=False)


def _existence(exists: bool) -> Response:
    return Response(200, "OK", {"exists": exists})


def _assumed(body: Mapping[str, Any]) -> list[str]:
    names = body.get(ASSUMED, [])
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InvalidSpecError(f"{ASSUMED} is {names!r:.80}; expected a list of names")
    return list(names)


def _besides(body: dict[str, Any]) -> int:
    number = whole_number_in(body, BESIDES, 0, 0, 2**31 - 1)
    body.pop(BESIDES, None)
    return number
