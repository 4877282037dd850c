"""Node policies: which nodes the broker declares when a missing name is used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.addresses.name_pattern import check_pattern, name_matches
from lastvalue.model.errors import InvalidSpecError

KINDS: Final = ("queue", "exchange")


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class NodePolicy:
    """The node that the broker declares for a missing name.

    Attributes:
        pattern: matches whole names; `*` stands for any text without a dot, `#` for any text.
        kind: queue or exchange.
        arguments: of the declaration, in any dialect.
        on_publish: it applies when a message is sent to the name, or a declaration names it as an alternate.
        on_consume: it applies when a client reads from the name.
    """

    pattern: str
    kind: str = "queue"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    on_publish: bool = True
    on_consume: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidSpecError(f"a policy declares a queue or an exchange, not {self.kind!r}")
        check_pattern(self.pattern)

    def fits(self, name: str, *, publishing: bool) -> bool:
        """Whether the policy is for this name and this use of it."""
        applies = self.on_publish if publishing else self.on_consume
        return applies and name_matches(self.pattern, name)
