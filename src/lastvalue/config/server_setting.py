"""The declaration of one server setting, and how its values are read."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.model.conditions import Condition
from lastvalue.model.durations import DURATION_EXAMPLES, duration_ms
from lastvalue.model.errors import LastvalueError

_NUMBER: Final = re.compile("-?[0-9]{1,20}")
_SIZE: Final = re.compile("([0-9]{1,16}) ?([KMGT]i?B)", re.IGNORECASE)
_UNITS: Final = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_BINARY_UNITS: Final = {"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}
_ANY_TEXT: Final = ("(?s).+", "text")
_FLAGS: Final = dict.fromkeys(("true", "1", "yes", "on"), True) | dict.fromkeys(
    ("false", "0", "no", "off"), False
)


class InvalidSettingError(LastvalueError):
    """Server settings have invalid values; `faults` lists all of them."""

    condition = Condition.INVALID_FIELD

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


def setting(default: Any, sentence: str, **declared: Any) -> Any:
    """A field of `ServerOptions`; keywords are attributes of `ServerSetting`."""
    metadata = {"sentence": sentence, **declared}
    if isinstance(default, dict):
        # The repr must not show passwords.
        return field(default_factory=dict, metadata=metadata, repr=False)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class ServerSetting:
    """One setting of the server.

    Attributes:
        name: its key in the table `[server]` of a file, and the field of `ServerOptions`.
        kind: int, bool, str, Path, an Enum; tuple for texts, dict for passwords by name.
        sentence: what it does; for help and documentation.
        least, most: the range of a number; unit: what it counts.
        default_text: the default in words, if `default` is None.
        form: for a text, or each of several: a pattern, and the expected form in words.
        needs: the setting without which this one has no effect, with the fault's first words.
        page: the page of the documentation with more.
        live: it can change while the server runs.
        flag, env: its names on the command line and in the environment, if they do not follow from `name`.
        metavar: the help's name for the value.
        is_secret: it is a URL whose path lets in whoever has it.
        reader: reads a text that `form` accepts, where calling `kind` does not.
    """

    name: str
    kind: Any
    default: Any
    sentence: str
    least: int = 0
    most: int = 2**31 - 1
    unit: str = ""
    default_text: str = "none"
    form: tuple[str, str] = _ANY_TEXT
    needs: tuple[str, str] | None = None
    page: str = ""
    live: bool = False
    flag: str = ""
    env: str = ""
    metavar: str | None = None
    is_secret: bool = False
    reader: Callable[[str], Any] | None = None

    def __post_init__(self) -> None:
        if not self.flag:
            object.__setattr__(self, "flag", "--" + self.name.replace("_", "-"))
        if not self.env:
            object.__setattr__(self, "env", "LASTVALUE_" + self.name.upper())

    @property
    def expected(self) -> str:
        """The expected values, in words."""
        if issubclass(self.kind, Enum):
            return "one of " + ", ".join(member.value for member in self.kind)
        if self.kind is int:
            return f"a number of {self.least} to {self.most}"
        texts = "a text or a list of texts" if self.form == _ANY_TEXT else self.form[1]
        return {bool: "true or false", tuple: texts, dict: "a table"}.get(self.kind, self.form[1])

    @property
    def is_size(self) -> bool:
        """Whether it is a number of bytes, which a text with a unit may tell, too."""
        return self.kind is int and self.unit == "bytes"

    @property
    def is_duration(self) -> bool:
        """Whether it is a number of milliseconds, which a text with a unit may tell, too."""
        return self.kind is int and self.name.endswith("_ms")

    @property
    def shown_default(self) -> str:
        """The default as the documentation prints it."""
        if isinstance(self.default, Enum):
            return str(self.default.value)
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return str(self.default) if self.default or self.default == 0 else self.default_text

    def read(self, raw: Any, source: str) -> Any:
        """Check a value of a file or a flag; `source` names the setting in the fault.

        Raises:
            InvalidSettingError: the value is out of range, or of another type.
        """
        value = self._value(raw)
        if value is None:
            texts = ", or a size such as 2GB or 512MiB" if self.is_size else ""
            texts = f", or a duration such as {DURATION_EXAMPLES}" if self.is_duration else texts
            shown = NO_VALUE if self.is_secret or self.kind is dict else raw
            raise InvalidSettingError([Fault((source,), f"expected {self.expected}{texts}", shown)])
        return value

    def read_text(self, raw: Any, source: str) -> Any:
        """Read a text of a flag or of the environment, where spaces separate several values."""
        value = raw
        if self.kind is tuple or self.kind is dict:
            value = raw.split() if isinstance(raw, str) else raw
        elif self.kind is int and isinstance(raw, str) and _NUMBER.fullmatch(raw):
            value = int(raw)
        elif self.kind is bool and isinstance(raw, str):
            value = _FLAGS.get(raw.lower(), raw)
        return self.read(_users(value, source) if self.kind is dict else value, source)

    def _value(self, raw: Any) -> Any:
        if self.is_size and isinstance(raw, str):
            raw = _size(raw)
        if self.is_duration and isinstance(raw, str):
            raw = duration_ms(raw)
        if self.kind is int:
            is_number = isinstance(raw, int) and not isinstance(raw, bool)
            return raw if is_number and self.least <= raw <= self.most else None
        if self.kind is tuple:
            texts = tuple(raw) if isinstance(raw, list | tuple) else (raw,)
            fit = (isinstance(text, str) and re.fullmatch(self.form[0], text) for text in texts)
            return texts if texts and all(fit) else None
        if self.kind is dict:
            return dict(raw) if isinstance(raw, Mapping) else None
        if self.kind is bool or not isinstance(raw, str):
            return raw if isinstance(raw, self.kind) else None
        if issubclass(self.kind, Enum):
            return {member.value: member for member in self.kind}.get(raw.lower())
        return (self.reader or self.kind)(raw) if re.fullmatch(self.form[0], raw) else None


def _size(text: str) -> int | None:
    """The bytes of a size: kB, MB, GB and TB are powers of 1000, KiB, MiB, GiB and TiB of 1024."""
    size = _SIZE.fullmatch(text.strip())
    return None if size is None else int(size[1]) * (_UNITS | _BINARY_UNITS)[size[2].lower()]


def _users(pairs: Iterable[str], source: str) -> dict[str, str]:
    """Passwords by name from NAME:PASSWORD; faults do not show them."""
    users: dict[str, str] = {}
    for pair in pairs:
        name, colon, password = pair.partition(":")
        if not name or not colon or not password:
            raise InvalidSettingError([Fault((), f"{source} is NAME:PASSWORD, both not empty", NO_VALUE)])
        if name in users:
            raise InvalidSettingError([Fault((), f"{source} names {name!r} twice", NO_VALUE)])
        users[name] = password
    return users
