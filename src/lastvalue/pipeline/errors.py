"""Errors that source and sink share."""


class NotVectorizableError(Exception):
    """A batch cannot be converted by column; the caller converts it row by row and reports invalid rows."""
