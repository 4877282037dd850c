"""Saved URLs of brokers by name, and which one a command uses."""

import json
import os
import tomllib
from pathlib import Path

from lastvalue.cli.exits import CommandFailedError, UsageError


class Contexts:
    """The saved contexts: a file that only the user can read, as URLs may have passwords.

    Args:
        path: the file; it need not exist.

    Attributes:
        urls: by name.
        current: the one that commands use; empty for none.

    Raises:
        CommandFailedError: the file is there and cannot be read.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = _file() if path is None else path
        try:
            saved = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            saved = {}
        except (OSError, ValueError) as error:
            raise CommandFailedError(f"the contexts in {self.path} cannot be read: {error}") from None
        urls = saved.get("urls", {})
        self.urls: dict[str, str] = {str(name): str(url) for name, url in urls.items()}
        self.current = str(saved.get("current", ""))

    def url(self, name: str) -> str:
        """The URL of a context.

        Raises:
            UsageError: there is none of that name.
        """
        if name not in self.urls:
            known = ", ".join(sorted(self.urls)) or "none; `lastvalue context add NAME URL` saves one"
            raise UsageError(f"there is no context {name!r}; there are {known}")
        return self.urls[name]

    def save(self) -> None:
        """Write the file.

        Raises:
            CommandFailedError: it cannot be written.
        """
        lines = [f"current = {_quoted(self.current)}", "", "[urls]"]
        lines += [f"{_quoted(name)} = {_quoted(url)}" for name, url in sorted(self.urls.items())]
        new = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write("\n".join(lines) + "\n")
            new.replace(self.path)
        except OSError as error:
            raise CommandFailedError(f"{self.path} cannot be written: {error.strerror or error}") from None


def broker_url(url: str, *, is_given: bool, context: str | None, ca_file: Path | None) -> str:
    """The URL of the broker: the one that is given, else that of the context.

    Args:
        url: of the option, or its default.
        is_given: on the command line or by the environment.
        context: on the command line.
        ca_file: the authorities to trust.

    Raises:
        UsageError: there is no such context.
        InvalidUrlError: the URL has no TLS, and a file of authorities.
    """
    if context is not None:
        url = Contexts().url(context)
    elif not is_given and (contexts := Contexts()).current:
        url = contexts.url(contexts.current)
    if ca_file is None:
        return url
    # Imported here, so that a command that does not connect does not load the client.
    from lastvalue.client.url import with_ca_file

    return with_ca_file(url, str(ca_file))


def _file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "lastvalue" / "contexts.toml"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
