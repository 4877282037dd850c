"""`lastvalue user add`, `import`, `passwd`, `allow`, `list`, `delete`: the file of `serve --users-file`."""

import sys
import warnings
from getpass import GetPassWarning
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from lastvalue.cli.exits import UsageError, confirm
from lastvalue.cli.options import Columns, OutputOption
from lastvalue.cli.output import Output, print_records

if TYPE_CHECKING:
    from lastvalue.server.users import Users

user_app = typer.Typer(no_args_is_help=True, help="Users who may connect to a broker, and their permissions.")

_DEFAULT: Final = Path("users.toml")
File = Annotated[
    Path,
    typer.Option("--users-file", metavar="FILE", envvar="LASTVALUE_USERS_FILE", help="The users file."),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The user's name.")]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        "--password-file", metavar="FILE", help="Read the password from this file; - is standard input."
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="RULE",
        help="Actions and a pattern of names, such as 'read,browse prices.*'; may be repeated. "
        "Without a rule a user may do everything.",
    ),
]


def add(
    name: Name, *, file: File = _DEFAULT, password_file: PasswordFile = None, allow: Allow = None
) -> None:
    """Add a user; the command asks for the password, or reads it from a file."""
    users = _opened(file, missing_ok=True)
    if name in users.names():
        raise UsageError(f"user {name!r} exists; `lastvalue user passwd` and `user allow` change it")
    users.put(name, _password(password_file), None if allow is None else tuple(allow))
    everything = "" if allow is not None else "; without a rule that user may do everything"
    confirm(f"added user {name} to {file}{everything}")


def passwd(name: Name, *, file: File = _DEFAULT, password_file: PasswordFile = None) -> None:
    """Change a user's password; connections that were opened with the old one are closed."""
    users = _opened(file)
    users.get(name)
    users.put(name, _password(password_file), None)
    confirm(f"changed the password of user {name}")


def allow(
    name: Name,
    rules: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RULE…", help="All rules of the user; without a rule the user may do nothing."
        ),
    ] = None,
    *,
    file: File = _DEFAULT,
) -> None:
    """Replace a user's permissions."""
    users = _opened(file)
    users.get(name)
    users.put(name, None, tuple(rules or ()))
    confirm(f"changed the permissions of user {name}")


def list_(*, file: File = _DEFAULT, output: OutputOption = Output.TABLE, columns: Columns = None) -> None:
    """Print the users and their permissions."""
    users = _opened(file)
    rows: list[dict[str, object]] = []
    for name in users.names():
        rules = users.get(name).rules
        rows.append({"name": name, "permissions": "everything" if rules is None else "; ".join(rules)})
    print_records(rows, ("name", "permissions"), output, columns)


def delete(name: Name, *, file: File = _DEFAULT) -> None:
    """Remove a user, whose open connections are closed."""
    _opened(file).remove(name)
    confirm(f"removed user {name} from {file}")


def import_(
    passwords: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The password file of Mosquitto."),
    ],
    *,
    file: File = _DEFAULT,
    allow: Allow = None,
) -> None:
    """Add the users of Mosquitto's password file, with their passwords; without --allow they may do nothing.

    The passwords that are hashed by PBKDF2 ($7$) move as they are; the others are listed.
    """
    from lastvalue.compat.mosquitto.passwords import MECHANISM, read_passwords

    try:
        text = passwords.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"the password file {passwords} cannot be read: {reason}") from error
    found, left_out = read_passwords(text)
    for line in left_out:
        print(f"lastvalue: not imported: {line}", file=sys.stderr)
    if found:
        credentials = {name: {MECHANISM: one} for name, one in found.items()}
        _opened(file, missing_ok=True).adopt(credentials, tuple(allow or ()))
    nothing = "" if allow or not found else "; they may do nothing yet: `lastvalue user allow` changes that"
    confirm(f"added {len(found)} users to {file}{nothing}")


def _opened(file: Path, *, missing_ok: bool = False) -> "Users":
    # Imported here, so that the other commands do not wait for the server's modules.
    from lastvalue.server.users import Users

    users = Users(file)
    if not missing_ok or file.exists():
        users.load()
    return users


def _password(file: Path | None) -> str:
    """The password: the first line of a file or of standard input, otherwise typed twice.

    Raises:
        UsageError: the password is empty, or nobody types one.
    """
    if file is None:
        try:
            with warnings.catch_warnings():
                # Without a terminal the password would be read, and shown, as any other text.
                warnings.simplefilter("error", GetPassWarning)
                password = str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
        except (typer.Abort, GetPassWarning):
            raise UsageError("no password was typed; type it twice, or give --password-file") from None
    elif str(file) == "-":
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        try:
            password = file.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
        except OSError as error:
            raise UsageError(f"the password file {file} cannot be read: {error.strerror}") from error
    if not password:
        raise UsageError("the password is empty; write it on the first line")
    return password


user_app.command("add", epilog="Example: lastvalue user add alice --allow 'read,browse prices.*'")(add)
user_app.command(
    "import", epilog="Example: lastvalue user import /etc/mosquitto/passwd --allow 'read,write amq.topic'"
)(import_)
user_app.command("passwd", epilog="Example: lastvalue user passwd alice")(passwd)
user_app.command("allow", epilog="Example: lastvalue user allow alice 'all orders' 'browse *'")(allow)
user_app.command("list", epilog="Example: lastvalue user list")(list_)
user_app.command("delete", epilog="Example: lastvalue user delete alice")(delete)
