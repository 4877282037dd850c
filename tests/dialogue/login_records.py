"""The driver of a connection, as its login sees it."""


class LoginRecord:
    """Records what a login tells its driver."""

    def __init__(self) -> None:
        self.checked = 0
        self.lasts_s: list[float] = []

    def password_checked(self) -> None:
        self.checked += 1

    def token_lasts(self, seconds: float) -> None:
        self.lasts_s.append(seconds)
