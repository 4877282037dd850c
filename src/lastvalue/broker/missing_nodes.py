"""Nodes that are made when a name is used that does not exist: by policies, by settings, or as histories."""

from collections.abc import Callable, Mapping
from typing import Any, Final, final

from lastvalue.broker.alternates import Alternates
from lastvalue.broker.authorization import Authorization
from lastvalue.broker.exchange_spec import ExchangeSpec, exchange_from_arguments
from lastvalue.broker.histories import Histories, default_history
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.owner import BROKER, NOBODY, Owner
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.verbs import Verb
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

_MOST_MADE_AT_ONCE: Final = 8
"""Nodes that policies make for one use of a name: its alternate, that one's alternate, and so on."""


@final
class MissingNodes:
    """Makes the nodes that a broker's operator wants to be made.

    Attributes:
        policies: the first that fits a name is followed.
        settings_for: after the policies: the arguments of a queue that a missing name becomes, or None.
    """

    __slots__ = (
        "_alternates",
        "_authorization",
        "_declare",
        "_declare_exchange",
        "_histories",
        "_making",
        "_queues",
        "policies",
        "settings_for",
    )

    def __init__(
        self,
        queues: dict[str, HostedQueue],
        alternates: Alternates,
        histories: Histories,
        authorization: Authorization,
        declare: Callable[[QueueSpec, Owner], bool],
        declare_exchange: Callable[[ExchangeSpec], bool],
    ) -> None:
        self.policies: list[NodePolicy] = []
        self.settings_for: Callable[[str], Mapping[str, Any] | None] | None = None
        self._queues = queues
        self._alternates = alternates
        self._histories = histories
        self._authorization = authorization
        self._declare = declare
        self._declare_exchange = declare_exchange
        self._making = 0

    def add(self, policy: NodePolicy, owner: Owner = NOBODY) -> None:
        """Follow a policy for missing names, after those that there are.

        Raises:
            NotPermittedError: the caller may not.
        """
        self._authorization.check(owner, Verb.CHANGE_POLICY)
        self.policies.append(policy)

    def remove(self, pattern: str, owner: Owner = NOBODY) -> None:
        """Follow no policy of this pattern any more.

        Raises:
            NotPermittedError: the caller may not.
        """
        self._authorization.check(owner, Verb.CHANGE_POLICY)
        self.policies = [each for each in self.policies if each.pattern != pattern]

    def create(self, name: str, *, publishing: bool, owner: Owner = NOBODY) -> bool:
        """Follow the first policy that fits a missing name, or its settings; false where there are none.

        False too where the caller may not declare the name.

        Raises:
            BrokerError: the policy's declaration is refused.
        """
        if not self._authorization.allows(owner, Verb.DECLARE_QUEUE, (name, None, None, None)):
            return False
        # What a policy declares beside the name is its operator's will, not the caller's.
        for policy in self.policies:
            if policy.fits(name, publishing=publishing):
                if policy.kind == "queue":
                    self._declare(spec_from_arguments(name, policy.arguments), owner)
                else:
                    self._declare_exchange(exchange_from_arguments(name, policy.arguments))
                return True
        arguments = None if self.settings_for is None else self.settings_for(name)
        if arguments is None:
            return False
        self._declare(spec_from_arguments(name, arguments), owner)
        return True

    def need_alternates(self, *names: str | None) -> None:
        """Make the alternates that policies make."""
        for name in names:
            if name and not self._alternates.exists(name) and self._making < _MOST_MADE_AT_ONCE:
                self._making += 1
                try:
                    self.create(name, publishing=True, owner=BROKER)
                finally:
                    self._making -= 1

    def need_history(self, spec: QueueSpec) -> None:
        """Make the history that a declaration names, as a policy or else as the broker makes histories.

        Raises:
            HistoryError: it cannot be one, or the queue cannot be the history that it is.
        """
        if self._alternates.is_used(spec.name):
            self._histories.check_still(spec, [hosted.queue.spec for hosted in self._queues.values()])
        name = spec.history
        if name is None:
            return
        if name not in self._queues:
            self.need_alternates(name)
        if name not in self._queues:
            self._declare(default_history(spec, name), BROKER)
        self._histories.check(spec)
