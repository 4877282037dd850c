"""The encoding of the Qpid Management Framework: its schema, and the messages of QMF v1."""
