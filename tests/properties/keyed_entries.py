"""The entries of a table of keys, to be compared."""

from lastvalue.queues.entry import Entry
from lastvalue.queues.key_table import KeyTable


def keyed_entries(table: KeyTable) -> dict[bytes, Entry]:
    """The entry of each key; the table finds each by its key, and says how many there are."""
    entries = {entry.key: entry for entry in table.entries() if entry.key is not None}
    assert len(table) == len(entries)
    assert all(table.get(key) is entry for key, entry in entries.items())
    return entries
