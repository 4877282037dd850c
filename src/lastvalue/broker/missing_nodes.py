"""Declares missing nodes when their names are used: by node policies, by settings, or as histories."""

from collections.abc import Callable, Mapping
from typing import Any, Final, final

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.histories import Histories, default_history
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import BROKER, NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.alternates import Alternates
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, exchange_from_arguments
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

_MOST_MADE_AT_ONCE: Final = 8
"""The most nodes that policies declare for one use of a name: its alternate, the alternate's, and so on."""


@final
class MissingNodes:
    """Declares nodes on the use of their names, as the operator has configured.

    Attributes:
        policies: the first one that fits a name applies.
        settings_for: where no policy fits: a function from a name to the arguments of a queue, or to None.
        address_settings: what the declaration of a queue at an address leaves out; None if nothing is set.
    """

    __slots__ = (
        "_alternates",
        "_authorization",
        "_declare",
        "_declare_exchange",
        "_histories",
        "_making",
        "_queues",
        "address_settings",
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
        declare_exchange: Callable[[ExchangeSpec, Owner], bool],
    ) -> None:
        self.policies: list[NodePolicy] = []
        self.settings_for: Callable[[str], Mapping[str, Any] | None] | None = None
        self.address_settings: Callable[[str], Mapping[str, Any]] | None = None
        self._queues = queues
        self._alternates = alternates
        self._histories = histories
        self._authorization = authorization
        self._declare = declare
        self._declare_exchange = declare_exchange
        self._making = 0

    def add(self, policy: NodePolicy, owner: Owner = NOBODY) -> None:
        """Add a policy for missing names, after the existing ones.

        Raises:
            NotPermittedError: the caller lacks a right.
        """
        self._authorization.check(owner, Verb.CHANGE_POLICY)
        self.policies.append(policy)
        self._authorization.note(owner, Verb.CHANGE_POLICY, policy.pattern, "", f"add {policy.kind}")

    def remove(self, pattern: str, owner: Owner = NOBODY) -> None:
        """Remove every policy of this pattern.

        Raises:
            NotPermittedError: the caller lacks a right.
        """
        self._authorization.check(owner, Verb.CHANGE_POLICY)
        kept = [each for each in self.policies if each.pattern != pattern]
        if len(kept) < len(self.policies):
            self._authorization.note(owner, Verb.CHANGE_POLICY, pattern, "", "remove")
        self.policies = kept

    def create(self, name: str, *, publishing: bool, owner: Owner = NOBODY) -> bool:
        """Declare a missing node by the first policy that fits its name, or by its settings.

        False if there are none, or the caller may not declare the name.

        Raises:
            BrokerError: another broker has the name, or the policy's declaration is refused.
        """
        self._authorization.check_here(owner, name)
        if not self._authorization.allows(owner, Verb.DECLARE_QUEUE, (name, None, None, None)):
            return False
        # The operator wrote the policy, so its alternates need no right of the caller.
        for policy in self.policies:
            if policy.fits(name, publishing=publishing):
                if policy.kind == "queue":
                    self._declare(spec_from_arguments(name, policy.arguments), owner)
                else:
                    self._declare_exchange(exchange_from_arguments(name, policy.arguments), owner)
                return True
        arguments = None if self.settings_for is None else self.settings_for(name)
        if arguments is None:
            return False
        self._declare(spec_from_arguments(name, arguments), owner)
        return True

    def need_alternates(self, *names: str | None) -> None:
        """Declare missing alternates for which there is a policy."""
        for name in names:
            if name and not self._alternates.exists(name) and self._making < _MOST_MADE_AT_ONCE:
                self._making += 1
                try:
                    self.create(name, publishing=True, owner=BROKER)
                finally:
                    self._making -= 1

    def need_history(self, spec: QueueSpec) -> None:
        """Declare the missing history that a declaration names, by a policy or else with the defaults.

        Raises:
            HistoryError: it cannot be a history, or the queue is a history and could not stay one.
        """
        if spec.name in self._alternates.histories:
            self._histories.check_still(spec, [hosted.queue.spec for hosted in self._queues.values()])
        name = spec.history
        if name is None:
            return
        if name not in self._queues:
            self.need_alternates(name)
        if name not in self._queues:
            self._declare(default_history(spec, name), BROKER)
        self._histories.check(spec)
        self._histories.keep_past(name)
