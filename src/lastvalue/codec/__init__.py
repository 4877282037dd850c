"""Bytes to values and back, a sub-package a protocol; pure, bounded, incremental."""
