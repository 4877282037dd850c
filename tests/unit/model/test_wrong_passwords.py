"""lastvalue.model.wrong_passwords."""

from lastvalue.model.wrong_passwords import WrongPasswords


def wrong(passwords: WrongPasswords, address: str, user: str, times: int) -> int:
    """How many wrong passwords of these are looked at."""
    looked_at = 0
    for _ in range(times):
        if not passwords.refuses(address, user, 0):
            passwords.count(address, user, 0, right=False)
            looked_at += 1
    return looked_at


def test_wrong_passwords_count_for_the_address_and_for_the_user() -> None:
    passwords = WrongPasswords(per_address=3, per_user=2)
    assert wrong(passwords, "a", "ann", 5) == 2
    assert wrong(passwords, "a", "bob", 5) == 1
    assert wrong(passwords, "b", "ann", 5) == 0
    assert not passwords.refuses("b", "ann", 60_000)


def test_a_user_who_has_shown_the_right_password_is_not_locked_out_of_there() -> None:
    passwords = WrongPasswords(per_user=2)
    passwords.count("home", "ann", 0, right=True)
    assert wrong(passwords, "a", "ann", 5) == 2
    assert wrong(passwords, "home", "ann", 5) == 2


def test_a_user_s_wrong_passwords_may_count_by_address() -> None:
    passwords = WrongPasswords(per_user=2, apart=True)
    assert wrong(passwords, "a", "ann", 5) == 2
    assert wrong(passwords, "b", "ann", 5) == 2


def test_what_begins_to_exceed_a_limit_is_told_once() -> None:
    told: list[tuple[str, str, int]] = []
    passwords = WrongPasswords(1, 1, on_excess=lambda *excess: told.append(excess))
    wrong(passwords, "a", "ann", 9)
    wrong(passwords, "b", "ann", 9)
    assert told == [("peer", "a", 1), ("user", "'ann'", 1)]
