"""Changes of exchanges and bindings, with the tables that depend on them."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.alternates import Alternates
from lastvalue.broker.bindings import Binding
from lastvalue.broker.definitions import Definitions
from lastvalue.broker.exchange_spec import ExchangeSpec, check_exchange_change
from lastvalue.broker.exchanges import Exchange, Exchanges


@final
class Topology:
    """Changes the table of exchanges, the uses of alternates, and the outbox of definitions together."""

    __slots__ = ("_alternates", "_bindings", "_definitions", "_exchanges", "_scoped")

    def __init__(self, exchanges: Exchanges, alternates: Alternates, definitions: Definitions) -> None:
        self._exchanges = exchanges
        self._alternates = alternates
        self._definitions = definitions
        # By the number of the connection or link with which they are deleted.
        self._scoped: dict[int, list[Exchange]] = {}
        # By the number of the session with which they are removed.
        self._bindings: dict[int, dict[Binding, Exchange]] = {}

    def declare(self, spec: ExchangeSpec, scope: i64) -> bool:
        """Declare an exchange whose alternate exists; false if an equal one exists.

        Raises:
            ExchangeNotAllowedError: one of that name exists with other options, or the name is reserved.
        """
        if not self._exchanges.declare(spec):
            return False
        self._alternates.use(spec.alternate, None)
        self._definitions.exchange_declared(spec)
        if scope > 0:
            self._scoped.setdefault(scope, []).append(self._exchanges.find(spec.name))
        return True

    def reconfigure(self, spec: ExchangeSpec) -> None:
        """Change the options of an exchange whose new alternate exists; its bindings stay.

        Raises:
            ExchangeNotFoundError: no exchange has that name.
            DefaultExchangeError, ExchangeNotAllowedError: it is one of the broker's own.
            InvalidSpecError: its type or durability differs.
        """
        exchange = self._exchanges.check_deletable(spec.name)
        check_exchange_change(exchange.spec, spec)
        self._alternates.check_exchange(spec)
        self._alternates.use(spec.alternate)
        self._alternates.release(exchange.spec.alternate)
        exchange.spec = spec
        if not spec.initial_value:
            exchange.last = None
        self._definitions.exchange_declared(spec)

    def remove(self, exchange: Exchange) -> None:
        """Delete an exchange; its publishers get `queue_deleted`."""
        exchange.leave()
        for binding in exchange.bindings.values():
            self._forget(exchange, binding)
        for bound_to, binding in self._exchanges.bindings_of(exchange.name, is_exchange=True):
            self._forget(bound_to, binding)
        self._exchanges.remove(exchange)
        self._definitions.exchange_deleted(exchange.spec)
        self._alternates.release(exchange.spec.alternate, None)

    def ended(self, number: i64) -> None:
        """Delete the exchanges of a connection or link, and the bindings of a session, that has ended."""
        for binding, bound_to in list(self._bindings.get(number, {}).items()):
            self.unbind(bound_to, binding.destination, binding.key)
        for exchange in self._scoped.pop(number, []):
            if self._exchanges.get(exchange.name) is exchange:
                self.remove(exchange)

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
        binding = exchange.bindings.get((destination, False, key))
        if binding is None:
            binding = exchange.bindings.get((destination, True, key))
        if not self._exchanges.unbind(exchange, destination, key):
            return False
        if binding is not None:
            self._forget(exchange, binding)
        self._drop_unbound(exchange)
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
        if (
            exchange.spec.auto_delete
            and not exchange.bindings
            and self._exchanges.get(exchange.name) is exchange
            and not self._alternates.is_used(exchange.name)
        ):
            self.remove(exchange)
