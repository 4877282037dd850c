"""The Qpid Management Framework [QMF v2, and the parts of v1 that its consoles need]."""
