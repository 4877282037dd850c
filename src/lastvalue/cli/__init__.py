"""The `lastvalue` command."""
