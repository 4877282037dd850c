"""lastvalue.client.choice."""

import pytest

from lastvalue.client.choice import Choice, HandledMessages, handled_messages


@pytest.mark.parametrize(
    ("choice", "body"),
    [
        (Choice(), {}),
        (Choice(sequences=(3, 5)), {"messageIds": [3, 5]}),
        (Choice(sequences=()), {"messageIds": []}),
        (Choice("n > 1", limit=0), {"selector": "n > 1", "limit": 0}),
    ],
)
def test_a_choice_is_the_body_of_a_request(choice: Choice, body: dict[str, object]) -> None:
    assert choice.arguments() == body


@pytest.mark.parametrize(
    ("answer", "handled"),
    [
        ({"messages": [1, 2], "stayed": [3]}, HandledMessages((1, 2), (3,))),
        ({"messages": [1]}, HandledMessages((1,), ())),
        (None, HandledMessages((), ())),
    ],
)
def test_an_answer_says_what_was_handled(answer: object, handled: HandledMessages) -> None:
    assert handled_messages(answer) == handled
