"""Readers that watch a queue: what changed, from where, at which pace; docs/protocols/watch.md."""
