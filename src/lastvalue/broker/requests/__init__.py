"""The management requests of `$management`, a module for each kind; see docs/decisions/0006."""
