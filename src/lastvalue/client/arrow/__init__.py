"""Messages as rows of Arrow, decoded by column; needs pyarrow."""
