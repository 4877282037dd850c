"""What a management request needs: which action on which name."""

from typing import Final

from lastvalue.broker.access import Access
from lastvalue.broker.owner import Owner
from lastvalue.broker.permissions import CONFIGURE, MANAGE, WRITE, NotPermittedError
from lastvalue.broker.requests import Request

_ACTIONS: Final = {
    "CREATE": CONFIGURE,
    "UPDATE": CONFIGURE,
    "DELETE": CONFIGURE,
    "BIND": CONFIGURE,
    "UNBIND": CONFIGURE,
    "QUERY": "",
    "READ": "",
    "SEQUENCES": "",
}
"""Others need `manage`; what is only told needs any permission on the name, and a list is of such names."""

_GIVING: Final = ("moveMessages", "copyMessages")


def check_request(access: Access, request: Request, owner: Owner) -> None:
    """Let a request through whose sender may do what it asks for.

    Raises:
        NotPermittedError: the sender may not.
    """
    user = owner.principal
    action = _ACTIONS.get(request.operation, MANAGE)
    if action:
        access.check(user, action, request.name)
    elif request.operation != "QUERY" and not access.reaches(user, request.name):
        raise NotPermittedError(user, "ask about", request.name)
    if request.operation in _GIVING:
        access.check(user, WRITE, str(request.body.get("destination", "")))
