"""Changes of several keys at once happen whole or not at all: a last-value queue against a dictionary."""

import random
from collections import Counter
from typing import Any

import pytest
from broker_desk import made
from example_counts import example_count

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec_arguments import spec_from_arguments

CHANGES = example_count(400, least=400)
START_MS = 1_700_000_000_000
KEYS = "abcdef"


class World:
    """A queue with room for some of the keys, and the dictionary that it ought to be.

    Attributes:
        values: the sequence and the body of each key's value.
        most: how many of them it takes.
        answered: how often each condition was the answer; "" is none.
    """

    def __init__(self, seed: int, most: int, **options: object) -> None:
        self.most = most
        self.chance = random.Random(seed)
        self.broker: Broker = made(spec_from_arguments("q", {"lvq_key": "k", **options}))
        self.values: dict[str, tuple[int, int]] = {}
        self.sequence = 0
        self.removed = 0
        self.answered: Counter[str] = Counter()

    def asked(self, operation: str, **body: Any) -> Response:
        answer = manage(self.broker, Request(operation, "queue", "q", body), START_MS)
        self.answered[answer.condition] += 1
        return answer

    def put(self, key: str) -> None:
        self.sequence += 1
        self.removed += key in self.values
        self.values[key] = (self.sequence, self.sequence)

    def change(self) -> None:
        chance = self.chance
        keys = chance.sample(KEYS, chance.randrange(1, 5))
        split = chance.randrange(len(keys) + 1)
        puts, deletes = keys[:split], keys[split:]
        named = chance.sample(KEYS, chance.randrange(3))
        wrong = chance.choice([0, 0, 0, 1])
        conditions = [(key, self.values.get(key, (0, 0))[0] + wrong) for key in named]
        first = self.sequence + 1
        answer = self.asked(
            "PUT_MANY",
            messages=[message(key, first + number) for number, key in enumerate(puts)],
            delete=deletes,
            if_sequences=[list(each) for each in conditions],
        )
        if named and wrong:
            assert answer.condition == "amqp:precondition-failed"
        elif len({*self.values, *puts}) > self.most:
            assert answer.condition == "amqp:resource-limit-exceeded"
        else:
            assert answer.status == 200
            assert answer.body["deleted"] == [self.values.get(key, (0, 0))[0] for key in deletes]
            self.removed += len([key for key in deletes if self.values.pop(key, None)])
            for key in puts:
                self.put(key)
            assert answer.body["results"] == [
                {"sequence": self.values[key][0], "taken": True} for key in puts
            ]

    def delete(self) -> None:
        key = self.chance.choice(KEYS)
        deleted = self.values.pop(key, None)
        self.removed += deleted is not None
        answer = self.asked("DELETE_KEY", key=key)
        assert answer.body["sequence"] == (0 if deleted is None else deleted[0])

    def check(self) -> None:
        """The queue is the dictionary; what was published is there or was removed."""
        self.broker.drain(START_MS)
        queue = self.broker.lookup("q").queue
        held = [decode_content(entry.message.encoded) for entry in queue.entries()]
        sequences = [int(entry.sequence) for entry in queue.entries()]
        assert {
            str(content.application_properties["k"]): (sequence, content.body)
            for sequence, content in zip(sequences, held, strict=True)
        } == self.values
        assert queue.published == self.sequence == queue.depth + self.removed
        assert sum(queue.removed(reason) for reason in Reason) == self.removed


def message(key: str, body: int) -> bytes:
    return encode_content(MessageContent(body=body, application_properties={"k": key}))


@pytest.mark.parametrize(("options", "most"), [({"max_messages": 4}, 4), ({}, len(KEYS))])
def test_all_of_a_change_happens_or_none_of_it(options: dict[str, Any], most: int) -> None:
    world = World(1, most, **options)
    for _ in range(CHANGES):
        if world.chance.random() < 0.2:
            world.delete()
        else:
            world.change()
        world.check()
    assert min(world.answered["amqp:precondition-failed"], world.answered[""]) > 20
    assert (world.answered["amqp:resource-limit-exceeded"] > 20) == (most < len(KEYS))
