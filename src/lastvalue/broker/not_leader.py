"""Which broker decides: of those that share a log, one leads, and the others follow it."""

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError


@mypyc_attr(native_class=False)
class NotLeaderError(BrokerError):
    """This broker follows another one, which alone can do this.

    Attributes:
        host, port: where the leader listens; "" and 0 while that is not known.
        info: the same, as a redirect tells it [1.0 §2.8.18].
    """

    condition = Condition.LINK_REDIRECT

    def __init__(self, what: str, leader: str) -> None:
        where = f"ask {leader}, which leads" if leader else "its leader is not known yet; try again"
        super().__init__(f"this broker follows another one and cannot {what}: {where}")
        host, _, port = leader.rpartition(":")
        self.host = host.strip("[]")
        self.port = int(port) if port.isdecimal() else 0
        if self.host and self.port:
            self.info = {"hostname": self.host, "network-host": self.host, "port": self.port}
