"""Requests that show and replace the node policies."""

from collections.abc import Mapping
from typing import Any, Final

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec_arguments import spec_from_arguments

TYPE: Final = "policy"


def ask_policies(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """QUERY returns the policies in their order; UPDATE replaces all by the `policies` of the body."""
    del now
    if request.operation not in ("QUERY", "UPDATE"):
        return unknown_operation(request, "QUERY or UPDATE")
    broker.authorize(owner, Verb.CHANGE_POLICY)
    if request.operation == "UPDATE":
        described = request.body.get("policies")
        if not isinstance(described, list):
            raise InvalidSpecError("the body of UPDATE needs policies, a list of maps")
        broker.missing.policies = policies = [_policy(each) for each in described]
        patterns = " ".join(policy.pattern for policy in policies)
        broker.authorization.note(owner, Verb.CHANGE_POLICY, "all policies", "", f"replace by {patterns}")
    return Response(200, "OK", [describe_policy(policy) for policy in broker.missing.policies])


def describe_policy(policy: NodePolicy) -> dict[str, Any]:
    """A policy with the keys that it has in a configuration file."""
    return {
        "pattern": policy.pattern,
        "node": policy.kind,
        "on_publish": policy.on_publish,
        "on_consume": policy.on_consume,
        "options": dict(policy.arguments),
    }


def _policy(described: object) -> NodePolicy:
    if not isinstance(described, Mapping):
        raise InvalidSpecError(f"a policy is a map, not {described!r}")
    options = described.get("options") or {}
    if not isinstance(options, Mapping):
        raise InvalidSpecError(f"options is {options!r}; expected a map")
    arguments = {str(name): value for name, value in options.items()}
    policy = NodePolicy(
        str(described.get("pattern", "")),
        str(described.get("node", "queue")),
        arguments,
        described.get("on_publish") is True,
        described.get("on_consume") is True,
    )
    if policy.kind == "queue":
        spec_from_arguments("a queue", arguments)
    else:
        exchange_from_arguments("an exchange", arguments)
    return policy
