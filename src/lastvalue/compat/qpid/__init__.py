"""Qpid's: the Qpid Management Framework, and the interface of `qpid.messaging`."""
