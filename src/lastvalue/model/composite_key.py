"""A key of several properties: one text, made of the texts of their values.

The values are in the order of the names and separated by commas. A comma or a backslash within a value has a
backslash before it, so that different values never make the same key.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lastvalue.model.message import Message, PropertyName

SEPARATOR: Final = ","
"""Between the names of the properties, and between their values."""

MOST_PROPERTIES: Final = 16
"""Of one key."""

_ESCAPE: Final = "\\"


def names_of_key(declared: str) -> list[str]:
    """The properties that have the key, of the option `lvq_key`."""
    return declared.split(SEPARATOR)


def composite_names(declared: str) -> list[PropertyName]:
    """The properties of a key of several; none if it is of one."""
    return [PropertyName(name) for name in names_of_key(declared)] if is_composite_key(declared) else []


def is_composite_key(declared: object) -> bool:
    """Whether an option `lvq_key` names several properties."""
    return isinstance(declared, str) and SEPARATOR in declared


def composite_key(values: Iterable[str]) -> str:
    """The key of these values, which are texts: `Message.text`."""
    return SEPARATOR.join(
        [
            value.replace(_ESCAPE, 2 * _ESCAPE).replace(SEPARATOR, _ESCAPE + SEPARATOR)
            if _ESCAPE in value or SEPARATOR in value
            else value
            for value in values
        ]
    )


def composite_key_of(message: Message, names: Sequence[PropertyName]) -> str | None:
    """The key that a message has in these properties; None if it lacks one, or one has no text."""
    values: list[str] = []
    for name in names:
        text = message.text(name)
        if text is None:
            return None
        values.append(text)
    return composite_key(values)


def properties_of_key(declared: str, key: object) -> Mapping[str, object]:
    """The properties of a message that has this key, where `lvq_key` is `declared`.

    Raises:
        ValueError: the key is of several properties, and is no text of as many values.
    """
    if not is_composite_key(declared):
        return {declared: key}
    names = names_of_key(declared)
    values = _values(key) if isinstance(key, str) else None
    if values is None or len(values) != len(names):
        raise ValueError(
            f"the key is the values of {' and '.join(names)} with a comma between them; "
            "a comma or a backslash within a value has a backslash before it"
        )
    return dict(zip(names, values, strict=True))


def _values(key: str) -> list[str] | None:
    """The values that made a key; None if a backslash stands before another character than it may."""
    values = [""]
    letters = iter(key)
    for letter in letters:
        if letter == SEPARATOR:
            values.append("")
            continue
        meant = next(letters, "") if letter == _ESCAPE else letter
        if letter == _ESCAPE and meant not in (_ESCAPE, SEPARATOR):
            return None
        values[-1] += meant
    return values
