"""What holds at every quiet moment: everything is repaired, and no client has anything to do."""

from functools import lru_cache
from typing import Final

from history import OTHERS
from kept_log import queue_state
from ledger import CONFIRMED, REFUSED, Ledger
from simulated_clients import AGED, FEW, LEFT, PRICES, RIGHT, WORK, Watching, named
from simulated_world import World

from lastvalue.broker.broker import Broker
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.queues.queue import Queue
from lastvalue.server.followed_store import FollowedStore
from lastvalue.store.store_contents import StoreContents


@lru_cache(20_000)
def decoded(encoded: bytes) -> Message:
    """A message; the same ones are looked at again and again."""
    return decode_message(encoded)


def bodies(queue: Queue) -> list[str]:
    """The names of a queue's messages, in their order."""
    return [named(decoded(bytes(each.message.encoded))) for each in queue.entries()]


def values_of(broker: Broker) -> dict[str, object]:
    """The value of each key."""
    found: dict[str, object] = {}
    for entry in broker.lookup(PRICES).queue.entries():
        message = decoded(bytes(entry.message.encoded))
        found[str(message.properties["k"])] = message.body
    return found


LATE_MS: Final = 2_000


class Laws:
    """Checks a world."""

    def __init__(self, world: World, ledger: Ledger) -> None:
        self._world = world
        self._ledger = ledger

    def check_broker(self, broker: Broker) -> None:
        """What the queues hold is what the clients know."""
        if not broker.has_queue(WORK):
            return
        self._check_values(values_of(broker))
        for name in (WORK, *OTHERS):
            self._check_messages(name, bodies(broker.lookup(name).queue))
        self._check_pairs(bodies(broker.lookup(LEFT).queue), bodies(broker.lookup(RIGHT).queue))
        self._check_sums(broker)
        self._check_heard()

    def _check_heard(self) -> None:
        """What was published to the topic of MQTT has come to its subscriber."""
        ledger = self._ledger
        if strangers := [each for each in ledger.heard if each not in ledger.topics]:
            self._break(f"nobody has published {strangers}")
        lost = [
            name for name, state in ledger.topics.items() if state == CONFIRMED and not ledger.heard[name]
        ]
        if lost:
            self._break(f"confirmed and not delivered to the session: {lost}")
        if twice := [name for name in ledger.topics if name in ledger.once and ledger.heard[name] > 1]:
            self._break(f"published at QoS 2 and delivered more than once: {twice}")

    def _check_values(self, values: dict[str, object]) -> None:
        for key in sorted({*values, *self._ledger.changes}):
            possible = self._ledger.possible(key)
            if values.get(key) not in possible:
                self._break(f"{key} is {values.get(key)} and must be one of {possible}")

    def _check_messages(self, queue: str, present: list[str]) -> None:
        known = self._ledger.work
        if len(set(present)) != len(present):
            self._break(f"messages of {queue} are there twice: {sorted(present)}")
        if strangers := [each for each in present if self._ledger.sent_to.get(each) != queue]:
            self._break(f"nobody has sent {strangers} to {queue}")
        if queue in (AGED, FEW):
            return
        confirmed = {
            name
            for name, state in known.items()
            if state == CONFIRMED and self._ledger.sent_to[name] == queue
        }
        # Of the others every fifth message expires.
        lasting = {name for name in confirmed if queue == WORK or int(name.rpartition("-")[2]) % 5}
        if lost := lasting - {*present} - self._ledger.done:
            self._break(f"confirmed and lost of {queue}: {sorted(lost)}")

    def check_deadlines(self, broker: Broker, now_ms: int) -> None:
        """Nothing is there that should have expired."""
        for queue in broker.queues():
            late = [each for each in queue.entries() if each.expires_ms < now_ms - LATE_MS]
            if late:
                self._break(f"{len(late)} messages of {queue.spec.name} have not expired in time")

    def _check_pairs(self, left: list[str], right: list[str]) -> None:
        if set(left) != set(right):
            self._break(f"half a transaction: {set(left) ^ set(right)}")
        states = self._ledger.pairs
        wrong = [name for name, state in states.items() if (name in left) is not (state == CONFIRMED)]
        if bad := [name for name in wrong if states[name] in (CONFIRMED, REFUSED)]:
            self._break(f"transactions that ended otherwise: {[(each, states[each]) for each in bad]}")

    def _check_sums(self, broker: Broker) -> None:
        for queue in broker.queues():
            contents = queue.contents
            present = sum(1 for _ in queue.entries())
            if present != contents.depth:
                self._break(f"{queue.spec.name} has {present} messages and counts {contents.depth}")

    def compare(self, live: Broker, stored: StoreContents) -> None:
        """Whether this content makes the queues of a broker."""
        other = Broker(all_effects=False)
        FollowedStore(other).fill(stored, 0)
        self.compare_brokers(live, other)

    def compare_brokers(self, live: Broker, other: Broker) -> None:
        """Whether a broker that follows, or has read the store, has the queues of the one that leads."""
        names = {queue.spec.name for queue in live.queues() if queue.spec.durable}
        restored = {queue.spec.name for queue in other.queues()}
        if names != restored:
            self._break(f"the store has the queues {restored}, the broker {names}")
            return
        for name in sorted(names):
            mine = queue_state(live.lookup(name).queue, timed=False)
            replayed = queue_state(other.lookup(name).queue, timed=False)
            # A number that nothing had for long, such as a repeated message's, need not be stored.
            if mine["sequence"] < replayed["sequence"]:
                self._break(
                    f"{name}: the store counts to {replayed['sequence']}, memory to {mine['sequence']}"
                )
            for what in ("entries", "current"):
                if mine[what] != replayed[what]:
                    self._break(f"{name}: {what} in memory {mine[what]}, in the store {replayed[what]}")

    def check_view(self, watching: Watching, broker: Broker) -> None:
        """A watcher has what the queue has."""
        watcher = watching.watcher
        view = {} if watcher is None else {str(key): each.body for key, each in watcher.items()}
        if view != values_of(broker):
            self._break(f"{watching.name} sees {view}, the queue has {values_of(broker)}")

    def check_end(self, broker: Broker) -> None:
        """Nobody is connected: nothing is held for anybody."""
        if broker.memory.used_bytes:
            self._break(f"{broker.memory.used_bytes} bytes are held for peers that are gone")
        for queue in broker.queues():
            held = queue.contents.depth - queue.contents.available - queue.contents.held_back
            if held:
                self._break(f"{held} messages of {queue.spec.name} are held by nobody")

    def _break(self, text: str) -> None:
        self._world.break_law(text)
