"""Changes of exchanges and bindings, with the tables that depend on them."""

from collections.abc import Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.long_commands import HANDLED_AT_ONCE, HANDLED_IN_A_STEP
from lastvalue.broker.observers import Observer
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.alternates import Alternates
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.definitions import Definitions
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, check_exchange_change, exchange_differences
from lastvalue.broker.routing.exchanges import Exchange, Exchanges

_UNBOUND: Final = "its last binding is gone"


@final
class Topology:
    """Changes the table of exchanges, the uses of alternates, and the outbox of definitions together."""

    __slots__ = (
        "_alternates", "_authorization", "_bindings", "_definitions", "_exchanges", "_observers", "_scoped"
    )  # fmt: skip

    def __init__(
        self,
        exchanges: Exchanges,
        alternates: Alternates,
        definitions: Definitions,
        authorization: Authorization,
        observers: list[Observer],
    ) -> None:
        self._authorization = authorization
        self._observers = observers
        self._exchanges = exchanges
        self._alternates = alternates
        self._definitions = definitions
        # By the number of the connection or link with which they are deleted.
        self._scoped: dict[int, list[Exchange]] = {}
        # By the number of the session with which they are removed.
        self._bindings: dict[int, dict[Binding, Exchange]] = {}

    def declare(self, spec: ExchangeSpec, owner: Owner, scope: i64) -> bool:
        """Declare an exchange; false if an equal one exists.

        Raises:
            ExchangeNotAllowedError: one of that name exists with other options, or the name is reserved.
            TooManyBindingsError: the caller's user has too many exchanges and bindings.
        """
        creator = None if owner.trusted else owner.principal
        if not self._exchanges.declare(spec, creator):
            return False
        self._alternates.use(spec.name, spec.alternate)
        self._definitions.exchange_declared(spec, creator)
        if scope > 0:
            exchange = self._exchanges.find(spec.name)
            exchange.holder = owner.connection
            self._scoped.setdefault(scope, []).append(exchange)
        for observer in self._observers:
            observer.exchange_declared(spec.name)
        return True

    def reconfigure(self, spec: ExchangeSpec, owner: Owner) -> None:
        """Change the options of an exchange for a caller; its bindings stay.

        Raises:
            ExchangeNotFoundError: no exchange has that name.
            DefaultExchangeError, ExchangeNotAllowedError: it is one of the broker's own.
            InvalidSpecError: its type or durability differs.
        """
        exchange = self._exchanges.check_deletable(spec.name)
        check_exchange_change(exchange.spec, spec)
        changed = exchange_differences(spec, exchange.spec)
        if changed:
            self._authorization.note(owner, Verb.DECLARE_EXCHANGE, spec.name, "", changed)
        self._alternates.use(spec.name, spec.alternate)
        self._alternates.release(spec.name, exchange.spec.alternate)
        exchange.spec = spec
        self._exchanges.changes += 1
        if not spec.initial_value:
            exchange.last = None
        self._definitions.exchange_declared(spec, exchange.creator)

    def remove(self, exchange: Exchange) -> None:
        """Delete an exchange; its publishers get `queue_deleted`.

        Auto-delete exchanges whose last binding led to it are deleted, too.
        """
        unbound = self._remove(exchange)
        while unbound:
            next_one = unbound.pop()
            if self._is_unbound(next_one):
                self._note_end(next_one, _UNBOUND)
                unbound += self._remove(next_one)

    def _remove(self, exchange: Exchange) -> list[Exchange]:
        """Delete one exchange; returns those that were bound to it."""
        exchange.leave()
        for binding in exchange.bindings.values():
            self._forget(exchange, binding)
        for bound_to, binding in self._exchanges.bindings_of(exchange.name, is_exchange=True):
            self._forget(bound_to, binding)
        bound = self._exchanges.remove(exchange)
        self._definitions.exchange_deleted(exchange.spec)
        self._alternates.release(exchange.name, exchange.spec.alternate)
        for observer in self._observers:
            observer.exchange_deleted(exchange.name)
        return bound

    def ended(self, number: i64) -> Iterator[None]:
        """Delete the exchanges of a connection or link, and the bindings of a session, that has ended."""
        scoped = [(bound_to, binding) for binding, bound_to in self._bindings.get(number, {}).items()]
        yield from self._unbind_all(scoped)
        for exchange in self._scoped.pop(number, []):
            if self._exchanges.get(exchange.name) is exchange:
                self._note_end(exchange, "its connection or link is gone")
                yield from self.removal(exchange)

    def removal(self, exchange: Exchange) -> Iterator[None]:
        """Delete an exchange, very many bindings first, in steps."""
        bindings = [(exchange, binding) for binding in exchange.bindings.values()]
        bindings += self._exchanges.bindings_of(exchange.name, is_exchange=True)
        if len(bindings) > HANDLED_AT_ONCE:
            yield from self._unbind_all(bindings, exchange)
        if self._exchanges.get(exchange.name) is exchange:
            self.remove(exchange)

    def unbind_queue(self, name: str) -> Iterator[None]:
        """Remove the bindings of a queue that will be deleted in steps, where they are very many."""
        bindings = self._exchanges.bindings_of(name)
        if len(bindings) > HANDLED_AT_ONCE:
            yield from self._unbind_all(bindings)

    def _unbind_all(
        self, bindings: list[tuple[Exchange, Binding]], ending: Exchange | None = None
    ) -> Iterator[None]:
        for removed, (exchange, binding) in enumerate(bindings, 1):
            place = (binding.destination, binding.to_exchange, binding.key)
            # Others may have removed it, or the whole exchange, meanwhile.
            if self._exchanges.get(exchange.name) is exchange and exchange.bindings.get(place) is binding:
                self._unbind(exchange, binding.destination, binding.key)
                if exchange is not ending:
                    self._drop_unbound(exchange)
            if removed % HANDLED_IN_A_STEP == 0:
                yield

    def bind(self, exchange: Exchange, binding: Binding, lasts: bool) -> bool:
        """Bind a destination that exists; false if the same binding exists.

        Args:
            exchange: the exchange to bind to.
            binding: the binding.
            lasts: the destination is durable.

        Raises:
            DefaultExchangeError: the exchange is the default exchange.
            BindingError: the exchange's type needs other arguments.
        """
        before = exchange.rivals(binding)
        present = exchange.bindings.get((binding.destination, binding.to_exchange, binding.key))
        if not self._exchanges.bind(exchange, binding):
            return False
        if present is not None and present not in before:
            before.append(present)
        for rival in before:
            self._forget(exchange, rival)
        if binding.scope > 0:
            self._bindings.setdefault(binding.scope, {})[binding] = exchange
        elif lasts and exchange.spec.durable:
            self._definitions.bound(exchange.name, binding)
        return True

    def unbind(self, exchange: Exchange, destination: str, key: str) -> bool:
        """Remove a binding; false if it does not exist.

        Raises:
            DefaultExchangeError: the exchange is the default exchange.
        """
        if not self._unbind(exchange, destination, key):
            return False
        self._drop_unbound(exchange)
        return True

    def _unbind(self, exchange: Exchange, destination: str, key: str) -> bool:
        binding = exchange.bindings.get((destination, False, key))
        if binding is None:
            binding = exchange.bindings.get((destination, True, key))
        if not self._exchanges.unbind(exchange, destination, key):
            return False
        if binding is not None:
            self._forget(exchange, binding)
        return True

    def queue_deleted(self, name: str) -> None:
        """Remove the bindings of a deleted queue."""
        for exchange, binding in self._exchanges.bindings_of(name):
            self._forget(exchange, binding)
        for exchange in self._exchanges.unbind_all(name, False):
            self._drop_unbound(exchange)

    def _forget(self, exchange: Exchange, binding: Binding) -> None:
        """Forget a binding that is removed or replaced."""
        self._definitions.unbound(exchange.name, binding)
        if binding.scope > 0:
            scoped = self._bindings.get(binding.scope, {})
            scoped.pop(binding, None)
            if not scoped:
                self._bindings.pop(binding.scope, None)

    def _drop_unbound(self, exchange: Exchange) -> None:
        """Delete an auto-delete exchange if it has no binding left."""
        if self._is_unbound(exchange):
            self._note_end(exchange, _UNBOUND)
            self.remove(exchange)

    def _is_unbound(self, exchange: Exchange) -> bool:
        """Whether it is an auto-delete exchange that has lost its last binding."""
        return (
            exchange.spec.auto_delete
            and not exchange.bindings
            and self._exchanges.get(exchange.name) is exchange
            and not self._alternates.is_used(exchange.name)
        )

    def _note_end(self, exchange: Exchange, cause: str) -> None:
        """Audit that an exchange ends that no command deletes."""
        self._authorization.note_end(NOBODY, Verb.DELETE_EXCHANGE, exchange.name, cause)
