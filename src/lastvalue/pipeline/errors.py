"""What columns are not made for."""


class UnusualError(Exception):
    """A batch is left to those who look at its rows one by one, and who know what is wrong with one."""
