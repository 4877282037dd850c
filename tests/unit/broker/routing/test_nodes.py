"""What names stand for."""

import pytest
from broker_desk import made


@pytest.mark.parametrize(
    ("path", "name", "subject"),
    [
        ("/queues/my%20queue", "my queue", None),
        ("/exchanges/amq.topic", "amq.topic", ""),
        ("/exchanges/amq.topic/a%2Fb", "amq.topic", "a/b"),
    ],
)
def test_the_paths_of_rabbitmq_are_what_they_name(path: str, name: str, subject: str | None) -> None:
    node = made("my queue").resolve(path)
    assert node is not None
    assert (node.name, node.subject) == (name, subject)


@pytest.mark.parametrize("path", ["/queues/", "/queues/none", "/exchanges/", "/exchanges/q", "/topic/q"])
def test_a_path_that_names_nothing_is_nothing(path: str) -> None:
    assert made("q").resolve(path) is None


def test_a_queue_whose_name_is_a_path_wins() -> None:
    node = made("/queues/q", "q").resolve("/queues/q")
    assert node is not None
    assert node.name == "/queues/q"
