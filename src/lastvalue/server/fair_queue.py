"""A queue in which addresses take turns, so that none of them waits for the many items of another."""

from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """Items by the address that they came from; those of one address keep their order.

    All calls take constant time.
    """

    def __init__(self) -> None:
        # The addresses that wait, the next one first.
        self._items: dict[str, dict[Item, None]] = {}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Item]:
        for items in self._items.values():
            yield from items

    def add(self, address: str, item: Item) -> None:
        """Put an item behind the others of its address; a new address is the last one."""
        self._items.setdefault(address, {})[item] = None
        self._length += 1

    def take(self) -> Item:
        """Remove the first item of the next address, whose others wait until all addresses had their turn."""
        address = next(iter(self._items))
        items = self._items.pop(address)
        item = next(iter(items))
        del items[item]
        self._length -= 1
        if items:
            self._items[address] = items
        return item

    def discard(self, address: str, item: Item) -> None:
        """Remove an item, if it waits."""
        items = self._items.get(address, {})
        if item in items:
            del items[item]
            self._length -= 1
            if not items:
                del self._items[address]
