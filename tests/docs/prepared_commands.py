"""Builds every subcommand, for processes that are forked from the one which loads this."""

from lastvalue.cli.app import SUBCOMMANDS, built_command

for name in SUBCOMMANDS:
    built_command((name,))
