"""`python -m lastvalue`: the command `lastvalue`."""

from lastvalue.cli.main import main

main()
