"""The verbs of the broker, and the rights that each needs on which names.

This is the only declaration: the broker checks by it, tests cover it, the documentation prints it.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.rights.permissions import ADMINISTER, BROWSE, CONFIGURE, MANAGE, READ, WRITE

REACH: Final = "reach"
"""Any right on the name."""

STORE: Final = "$store"
CLOCK: Final = "$clock"
POLICIES: Final = "$policies"
PERMISSIONS: Final = "$permissions"
CONFIGURATION: Final = "$configuration"
LOGGING: Final = "$logging"
CONNECTIONS: Final = "$connections"
TRANSACTIONS: Final = "$transactions"
BROKER: Final = "$broker"
SENDERS: Final = "$senders"
PIPELINES: Final = "$pipelines"
"""Names for the administrative verbs: fixed, so that no request chooses the name that is checked."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Need:
    """One right that a verb needs.

    Attributes:
        right: one of `permissions.RIGHTS`, or REACH.
        subject: the kind of thing that has the name, or the fixed name itself if it begins with `$`.
        sends_on: it is on the verb's first name, and applies only if the verb has another one, to which
            messages of the first then go. Such a need is the last of its verb.
    """

    right: str
    subject: str
    sends_on: bool = False

    @property
    def fixed(self) -> bool:
        """Whether the name is always the same."""
        return self.subject.startswith("$")


class Verb(Enum):
    """What a client may ask the broker to do."""

    DECLARE_QUEUE = "declare a queue"
    UPDATE_QUEUE = "change a queue's options"
    REDIRECT_QUEUE = "redirect a queue, end that"
    DELETE_QUEUE = "delete a queue"
    PURGE_QUEUE = "purge a queue"
    DECLARE_EXCHANGE = "declare an exchange"
    DELETE_EXCHANGE = "delete an exchange"
    BIND = "bind"
    UNBIND = "unbind"
    PUBLISH = "publish"
    IMPERSONATE = "publish messages of another user, by their user-id"
    CONSUME = "consume"
    BROWSE = "browse"
    ACQUIRE = "acquire a message that was browsed"
    MOVE = "move messages"
    COPY = "copy messages"
    DELETE_MESSAGES = "delete messages"
    CHANGE_PRIORITY = "change the priority of messages"
    DELIVER_EARLY = "deliver messages before their time"
    QUERY = "show a queue or an exchange"
    SHOW_BROKER = "show the broker's statistics"
    SNAPSHOT = "write a snapshot, show the last one and the store's segments"
    MOVE_CLOCK = "move the clock"
    CHANGE_POLICY = "show, make or delete a node policy"
    CHANGE_PERMISSIONS = "show, make, change or remove users and their permissions"
    RELOAD = "compare with the configuration file, or apply it"
    CHANGE_LOGGING = "change log levels and arrival stamps"
    SHOW_LOG = "show the newest lines of the log"
    SHOW_PIPELINE = "show the pipeline"
    RESTART_PART = "restart a part of the pipeline"
    CLOSE_CONNECTION = "close or show another user's connection"
    STEP_DOWN = "hand over to a follower"
    CLOSE_CONSUMER = "close another user's consumer"
    COMPLETE_BRANCH = "recover, commit, roll back or forget another user's branch"

    @property
    def spelling(self) -> str:
        """Its name in the log, in counts and in answers."""
        return self.name.lower().replace("_", "-")


NEEDS: Final[dict[Verb, tuple[Need, ...]]] = {
    Verb.DECLARE_QUEUE: (
        Need(CONFIGURE, "queue"),
        Need(WRITE, "alternate"),
        Need(WRITE, "expiry alternate"),
        Need(WRITE, "history"),
        Need(READ, "queue", sends_on=True),
    ),
    Verb.UPDATE_QUEUE: (
        Need(CONFIGURE, "queue"),
        Need(WRITE, "alternate"),
        Need(WRITE, "expiry alternate"),
        Need(WRITE, "history"),
        Need(READ, "queue", sends_on=True),
    ),
    Verb.REDIRECT_QUEUE: (
        Need(CONFIGURE, "queue"),
        Need(READ, "queue"),
        Need(WRITE, "queue"),
        Need(CONFIGURE, "redirect"),
        Need(READ, "redirect"),
        Need(WRITE, "redirect"),
    ),
    Verb.DELETE_QUEUE: (Need(CONFIGURE, "queue"),),
    Verb.PURGE_QUEUE: (Need(MANAGE, "queue"),),
    Verb.DECLARE_EXCHANGE: (
        Need(CONFIGURE, "exchange"),
        Need(WRITE, "alternate"),
        Need(READ, "exchange", sends_on=True),
    ),
    Verb.DELETE_EXCHANGE: (Need(CONFIGURE, "exchange"),),
    Verb.BIND: (Need(READ, "exchange"), Need(WRITE, "destination")),
    Verb.UNBIND: (Need(READ, "exchange"), Need(WRITE, "destination")),
    Verb.PUBLISH: (Need(WRITE, "queue, exchange or address"),),
    Verb.IMPERSONATE: (Need(WRITE, "queue, exchange or address"), Need(ADMINISTER, SENDERS)),
    Verb.CONSUME: (Need(READ, "queue"),),
    Verb.BROWSE: (Need(BROWSE, "queue"),),
    Verb.ACQUIRE: (Need(READ, "queue"),),
    Verb.MOVE: (Need(MANAGE, "queue"), Need(WRITE, "destination")),
    Verb.COPY: (Need(MANAGE, "queue"), Need(WRITE, "destination")),
    Verb.DELETE_MESSAGES: (Need(MANAGE, "queue"),),
    Verb.CHANGE_PRIORITY: (Need(MANAGE, "queue"),),
    Verb.DELIVER_EARLY: (Need(MANAGE, "queue"),),
    Verb.QUERY: (Need(REACH, "queue or exchange"),),
    Verb.SHOW_BROKER: (Need(ADMINISTER, BROKER),),
    Verb.SNAPSHOT: (Need(ADMINISTER, STORE),),
    Verb.MOVE_CLOCK: (Need(ADMINISTER, CLOCK),),
    Verb.CHANGE_POLICY: (Need(ADMINISTER, POLICIES),),
    Verb.CHANGE_PERMISSIONS: (Need(ADMINISTER, PERMISSIONS),),
    Verb.RELOAD: (Need(ADMINISTER, CONFIGURATION),),
    Verb.CHANGE_LOGGING: (Need(ADMINISTER, LOGGING),),
    Verb.SHOW_LOG: (Need(ADMINISTER, LOGGING),),
    Verb.SHOW_PIPELINE: (Need(ADMINISTER, PIPELINES),),
    Verb.RESTART_PART: (Need(ADMINISTER, PIPELINES),),
    Verb.CLOSE_CONNECTION: (Need(ADMINISTER, CONNECTIONS),),
    Verb.STEP_DOWN: (Need(ADMINISTER, STORE),),
    Verb.CLOSE_CONSUMER: (Need(ADMINISTER, CONNECTIONS),),
    Verb.COMPLETE_BRANCH: (Need(ADMINISTER, TRANSACTIONS),),
}

WITHOUT_LEADING: Final = frozenset(
    {
        Verb.BROWSE,
        Verb.QUERY,
        Verb.SHOW_BROKER,
        Verb.CHANGE_PERMISSIONS,
        Verb.CHANGE_LOGGING,
        Verb.SHOW_LOG,
        Verb.SHOW_PIPELINE,
        Verb.CLOSE_CONNECTION,
        Verb.CLOSE_CONSUMER,
    }
)
"""What a broker carries out that follows another one: it changes no queue and no exchange."""
