"""The queues that names of Artemis's clients stand for."""

from urllib.parse import unquote

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.model.errors import QueueNotFoundError

_QUALIFIER = "::"


def bare_name(name: str) -> str:
    """The queue's name of a text that is one, or `address::queue`."""
    return name.rpartition(_QUALIFIER)[2]


def own_name(name: str, owner: Owner) -> str:
    """The name of a user's own subscription; see `broker.queue_names`."""
    return subscription_queue(owner.principal, "", name)


def shown_name(name: str, owner: Owner) -> str:
    """The name by which a client knows a queue."""
    prefix = own_name("", owner)
    return unquote(name[len(prefix) :]) if name.startswith(prefix) else name


def look_up(broker: Broker, name: str, owner: Owner) -> HostedQueue | None:
    """The queue of a name that the user may know: one that has it, or else the user's subscription."""
    bare = bare_name(name)
    for each in (bare, own_name(bare, owner)):
        if broker.has_queue(each) and broker.authorization.reaches(owner, each):
            return broker.lookup(each)
    return None


def find_queue(broker: Broker, name: str, owner: Owner) -> HostedQueue:
    """The queue of a name, which may be made by a policy.

    Raises:
        QueueNotFoundError: there is none.
        NotPermittedError: the user has no right on the name, whether there is such a queue or not.
    """
    hosted = look_up(broker, name, owner)
    if hosted is None and broker.missing.create(bare_name(name), publishing=False, owner=owner):
        hosted = look_up(broker, name, owner)
    if hosted is None:
        broker.authorization.check_reached(owner, Verb.CONSUME, bare_name(name))
        raise QueueNotFoundError(bare_name(name))
    return hosted
