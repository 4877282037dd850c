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
AMQP010_PUBLISHERS: Final = ("qpid-publisher",)
AMQP010_CONSUMERS: Final = ("qpid-consumer",)
CORE_PUBLISHERS: Final = ("artemis-publisher",)
CORE_CONSUMERS: Final = ("artemis-consumer",)
_OF_MQTT_AND_AMQP091: Final = (*MQTT_PUBLISHERS, *MQTT_SUBSCRIBERS, *AMQP091_PUBLISHERS, *AMQP091_CONSUMERS)
_OF_AMQP010_AND_CORE: Final = (*AMQP010_PUBLISHERS, *AMQP010_CONSUMERS, *CORE_PUBLISHERS, *CORE_CONSUMERS)
OTHERS_IN: Final[dict[int, tuple[str, ...]]] = {
    3: _OF_MQTT_AND_AMQP091,
    10: _OF_AMQP010_AND_CORE,
    17: _OF_MQTT_AND_AMQP091 + _OF_AMQP010_AND_CORE,
}
"""Of the seeds modulo 21, which have clients of other protocols: such a world is a fifth dearer."""

_COUNTS: Final = (1, 3, 10)
_MOST: Final = (1, 2, 5, 8, 12)
_TIMES_S: Final = (0.3, 1.5, 4.0)
_LOST_AFTER_S: Final = (0.0, 0.0, 0.0005, 0.003, 0.02)
_TRANSACT: Final = ("transact", 0, 2, ((1, 2, 4), ("commit", "commit", "roll back")))
SPOKEN: Final[dict[str, tuple[tuple[str, int, int, tuple[Sequence[object], ...]], ...]]] = {
    "mqtt-publisher": (("publish", 2, 5, (_COUNTS, (0, 1, 2, 2))),),
    "mqtt-subscriber": (("depart", 0, 1, (_TIMES_S,)), ("hang", 0, 1, (_TIMES_S,))),
    "rabbit-publisher": (("send", 2, 5, (_COUNTS, ("work", "mq"), (True, True, False))),),
    "rabbit-consumer": (("take", 1, 3, (_MOST, ("ack", "ack", "reject", "requeue"), ("work",))),),
    "qpid-publisher": (("send", 1, 3, (_COUNTS, ("work",))), _TRANSACT),
    "qpid-consumer": (("take", 1, 3, (_MOST, ("accept", "accept", "reject", "release"), ("work",))),),
    "artemis-publisher": (("send", 1, 3, (_COUNTS, ("work",), (True, False), _LOST_AFTER_S)), _TRANSACT),
    "artemis-consumer": (("take", 1, 3, (_MOST, ("one", "all", "commit", "roll back"), ("work",))),),
}
"""What each does in a round: a verb, how often at least and at most, and what each argument may be."""

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
        others: the clients of other protocols than AMQP 1.0.
    """

    seed: int
    steps: tuple[Step, ...]
    brokers: int = 1
    others: tuple[str, ...] = ()

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

SELDOM: Final = 0.15
"""So many worlds have a bit that changes, or servers of the log without room, besides the faults above."""


def history_of(seed: int) -> History:
    """The history of a seed."""
    chance = random.Random(seed)
    brokers = (1, 2, 1, 3)[seed % 4]
    others = OTHERS_IN.get(seed % 21, ())
    names = [f"broker-{number + 1}" for number in range(brokers)]
    faults = FAULTS if brokers == 1 else LOG_FAULTS
    anyone = [*PUBLISHERS, *CONSUMERS, *WATCHERS, *others]
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
        for who in others:
            _speak_another_protocol(chance, who, add)
        for who in others:
            if chance.random() < 0.3:
                add(who, "vanish")
        for _ in range(chance.randint(1, 5)):
            (kind,) = chance.choices(list(faults), list(faults.values()))
            _break(chance, kind, chance.choice(names), anyone, add)
    # A chance of its own: the rest of a history is the same with it and without.
    seldom = random.Random(f"seldom {seed}")
    if seldom.random() < SELDOM:
        at, at_s = seldom.randrange(ROUNDS), round(seldom.random() * ROUND_S, 3)
        if brokers == 1:
            steps.append(Step(at, at_s, FATE, "flip", (names[0], seldom.random() < 0.5)))
        else:
            steps.append(Step(at, at_s, FATE, "full_log", (round(5 * seldom.random(), 3),)))
    return History(seed, tuple(sorted(steps, key=lambda each: (each.round, each.at_s))), brokers, others)


def _speak_another_protocol(chance: random.Random, who: str, add: Add) -> None:
    for verb, least, most, choices in SPOKEN[who]:
        for _ in range(chance.randint(least, most)):
            add(who, verb, *map(chance.choice, choices))


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
