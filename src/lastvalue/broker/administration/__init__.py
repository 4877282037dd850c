"""Management requests about the process that runs the broker: its clock, cluster, log, settings and users."""
