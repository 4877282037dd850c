"""Converts bytes to values and back, in one sub-package per protocol; pure, bounded, incremental."""
