from lastvalue.broker.connections import ConnectionHandle, ConnectionInfo, Connections


class Peer(ConnectionHandle):
    """A connection that is open or not, and notes why it was closed."""

    def __init__(self, name: str, *, is_open: bool = True) -> None:
        self.name = name
        self.is_open = is_open
        self.reasons: list[str] = []

    def info(self) -> ConnectionInfo | None:
        return ConnectionInfo(self.name, "AMQP 1.0", "ann") if self.is_open else None

    def shut_down(self, reason: str) -> None:
        self.reasons.append(reason)


def joined(*peers: Peer) -> Connections:
    connections = Connections()
    for peer in peers:
        connections.join(peer)
    return connections


def names(connections: Connections) -> list[str]:
    return [info.name for info in connections.infos()]


def test_only_open_connections_are_shown() -> None:
    assert names(joined(Peer("a"), Peer("b", is_open=False), Peer("c"))) == ["a", "c"]


def test_a_connection_that_left_is_not_shown_and_may_leave_again() -> None:
    first, second = Peer("a"), Peer("b")
    connections = joined(first, second)
    connections.leave(first)
    connections.leave(first)
    assert names(connections) == ["b"]


def test_a_connection_is_closed_by_its_name_and_no_other() -> None:
    first, second, opening = Peer("a"), Peer("b"), Peer("c", is_open=False)
    connections = joined(first, second, opening)
    assert [connections.close_connection(name, "maintenance") for name in "bcd"] == [True, False, False]
    assert (first.reasons, second.reasons, opening.reasons) == ([], ["maintenance"], [])
