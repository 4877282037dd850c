"""The journal: effects in, positions out; the only owner of data files."""
