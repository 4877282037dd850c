"""May a user do something? The verdict of the permissions on every verb, without anything being done."""

from typing import Any, Final

from lastvalue.broker.administration.request import Request, Response, text_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import NEEDS, WITHOUT_LEADING, Verb

MAY: Final = "MAY"


def permission_verdicts(broker: Broker, request: Request, owner: Owner) -> Response:
    """The answer to MAY: for a `user` and a `name` whether each verb is allowed, and which right is missing.

    Everybody may ask about themselves. `destination` is the other name of verbs that have two. Without
    `name` only the verbs that need none are listed. `follows` is the leader that this broker follows, empty
    if it is not known, or None; meanwhile it does nothing that `needs_leader`.
    """
    user = text_in(request.body, "user") or owner.principal
    broker.authorization.check_owned(owner, user, Verb.CHANGE_PERMISSIONS)
    name, destination = text_in(request.body, "name"), text_in(request.body, "destination")
    verdicts: list[dict[str, Any]] = []
    for verb in Verb:
        if not name and not NEEDS[verb][0].fixed:
            continue
        missing = broker.authorization.missing_right(user, verb, name, destination or None)
        verdicts.append(
            {
                "verb": verb.spelling,
                "meaning": verb.value,
                "allowed": missing is None,
                "lacks": "" if missing is None else f"{missing[0]} {missing[1]!r}",
                "needs_leader": verb not in WITHOUT_LEADING,
            }
        )
    return Response(200, "OK", {"user": user, "verbs": verdicts, "follows": broker.authorization.leader})
