"""What clients do and what breaks, in order of time: made of a seed, and made shorter where a law breaks."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

ROUNDS: Final = 3
ROUND_S: Final = 20.0
KEYS: Final = ("a", "b", "c", "d")
PUBLISHERS: Final = ("publisher-1", "publisher-2")
CONSUMERS: Final = ("consumer-1", "consumer-2")
WATCHERS: Final = ("watcher-1", "watcher-2")
MQTT_PUBLISHERS: Final = ("mqtt-publisher",)
MQTT_SUBSCRIBERS: Final = ("mqtt-subscriber",)
AMQP091_PUBLISHERS: Final = ("rabbit-publisher",)
AMQP091_CONSUMERS: Final = ("rabbit-consumer",)
OF_OTHER_PROTOCOLS: Final = (
    *MQTT_PUBLISHERS, *MQTT_SUBSCRIBERS, *AMQP091_PUBLISHERS, *AMQP091_CONSUMERS,
)  # fmt: skip
OTHERS_IN: Final = 3
"""Of the seeds modulo seven, which have clients of other protocols: a world is a fifth dearer with them."""

FATE: Final = "fate"
OTHERS: Final = ("ranked", "sorted", "grouped", "delayed", "aged", "few")
"""Queues with an order, a limit or a time of their own."""


@dataclass(frozen=True, slots=True)
class Step:
    """Somebody does something.

    Attributes:
        at_s: when, at the earliest.
        quiet: after this round everything is repaired, and the laws hold.
    """

    round: int
    at_s: float
    who: str
    verb: str
    args: tuple[object, ...] = ()

    def __str__(self) -> str:
        args = " ".join(map(str, self.args))
        return f"round {self.round} {self.at_s:7.3f} s  {self.who:12} {self.verb} {args}".rstrip()


@dataclass(frozen=True, slots=True)
class History:
    """All steps of a run, and the seed of what they do not say.

    Attributes:
        brokers: one has its store in files; several have theirs in a replicated log.
        others: clients of other protocols than AMQP 1.0 are there.
    """

    seed: int
    steps: tuple[Step, ...]
    brokers: int = 1
    others: bool = False

    def without(self, left_out: set[int]) -> "History":
        """Without the steps of these numbers."""
        kept = tuple(each for number, each in enumerate(self.steps) if number not in left_out)
        return History(self.seed, kept, self.brokers, self.others)


Add = Callable[..., None]
"""Adds a step: who, what, and with what."""

FAULTS: Final = {
    "power": 3, "kill": 2, "stop": 1, "cut": 4, "stall": 3, "half_open": 2,
    "failing_disk": 2, "full_disk": 1, "slow_disk": 2, "clock": 1, "pace": 1, "unheard": 3, "unwritten": 3,
}  # fmt: skip
LOG_FAULTS: Final = {
    "kill": 3, "stop": 1, "step_down": 1, "cut": 3, "stall": 3, "half_open": 2, "clock": 1, "pace": 1,
    "part": 4, "elect": 4, "slow_log": 2, "cut_log": 3, "unheard": 3,
}  # fmt: skip
"""Where the store is in a replicated log. Nothing is on a broker's disk then."""


def history_of(seed: int) -> History:
    """The history of a seed."""
    chance = random.Random(seed)
    brokers = (1, 2, 1, 3)[seed % 4]
    others = seed % 7 == OTHERS_IN
    names = [f"broker-{number + 1}" for number in range(brokers)]
    faults = FAULTS if brokers == 1 else LOG_FAULTS
    anyone = [*PUBLISHERS, *CONSUMERS, *WATCHERS, *(OF_OTHER_PROTOCOLS if others else ())]
    steps: list[Step] = []
    for number in range(ROUNDS):

        def add(who: str, verb: str, *args: object, number: int = number) -> None:
            steps.append(Step(number, round(chance.random() * ROUND_S, 3), who, verb, args))

        for who in PUBLISHERS:
            for _ in range(chance.randint(6, 14)):
                _publish(chance, who, add)
            if chance.random() < 0.3:
                add(who, "vanish")
        for who in CONSUMERS:
            for _ in range(chance.randint(3, 8)):
                outcome = chance.choice(["accept", "accept", "accept", "release", "reject", "modify"])
                queue = chance.choice(["work", "work", *OTHERS])
                add(who, "take", chance.randint(1, 12), outcome, queue)
            if chance.random() < 0.4:
                add(who, "vanish")
        for who in WATCHERS:
            for _ in range(chance.randint(0, 2)):
                add(
                    who,
                    chance.choice(["begin_anew", "browse", "vanish", "hang"]),
                    round(chance.random() * 4, 2),
                )
        if others:
            _speak_other_protocols(chance, add)
        for _ in range(chance.randint(1, 5)):
            (kind,) = chance.choices(list(faults), list(faults.values()))
            _break(chance, kind, chance.choice(names), anyone, add)
    return History(seed, tuple(sorted(steps, key=lambda each: (each.round, each.at_s))), brokers, others)


def _speak_other_protocols(chance: random.Random, add: Add) -> None:
    for who in MQTT_PUBLISHERS:
        for _ in range(chance.randint(2, 5)):
            add(who, "publish", chance.choice([1, 3, 10]), chance.choice([0, 1, 2, 2]))
    for who in AMQP091_PUBLISHERS:
        for _ in range(chance.randint(2, 5)):
            add(who, "send", chance.choice([1, 3, 10]), chance.choice(["work", "mq"]), chance.random() < 0.7)
    for who in AMQP091_CONSUMERS:
        for _ in range(chance.randint(1, 3)):
            add(
                who, "take", chance.randint(1, 12), chance.choice(["ack", "ack", "reject", "requeue"]), "work"
            )
    for who in MQTT_SUBSCRIBERS:
        for _ in range(chance.randint(0, 2)):
            add(who, chance.choice(["depart", "hang"]), round(chance.random() * 4, 2))
    for who in OF_OTHER_PROTOCOLS:
        if chance.random() < 0.3:
            add(who, "vanish")


def _publish(chance: random.Random, who: str, add: Add) -> None:
    kind = chance.random()
    key = f"{who[-1]}{chance.choice(KEYS)}"
    if kind < 0.45:
        add(who, "put", key, chance.choice([1, 1, 2, 5, 40]))
    elif kind < 0.55:
        add(who, "delete", key)
    elif kind < 0.72:
        add(who, "send", chance.choice([1, 3, 10, 50]))
    elif kind < 0.85:
        add(who, "send", chance.choice([1, 5, 15]), chance.choice(OTHERS))
    elif kind < 0.88 and who == PUBLISHERS[0]:
        add(who, "redeclare")
    else:
        add(who, "transact", chance.randint(1, 4), chance.choice(["commit", "commit", "roll back"]))


def _break(chance: random.Random, kind: str, broker: str, clients: Sequence[str], add: Add) -> None:
    length_s = round(chance.choice([0.1, 1.0, 5.0]) * (0.5 + chance.random()), 3)
    anyone = chance.choice([*clients, broker])
    match kind:
        case "power":
            add(FATE, kind, broker, chance.choice([0, 1, 2, 3, 5, 8, 13]))
        case "kill" | "stop" | "cut_log" | "unheard" | "unwritten":
            add(FATE, kind, broker)
        case "step_down":
            add(FATE, kind)
        case "cut" | "half_open":
            add(FATE, kind, anyone)
        case "stall":
            add(FATE, kind, anyone, length_s)
        case "clock":
            add(FATE, kind, broker, chance.choice([-3600.0, -5.0, 5.0, 3600.0]))
        case "pace":
            add(FATE, kind, broker, chance.choice([0.97, 1.03]))
        case "elect" | "slow_log":
            add(FATE, kind, length_s)
        case _:
            add(FATE, kind, broker, length_s)
