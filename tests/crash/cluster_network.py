"""Machines on a network of their own: each is a network namespace, and any two can be cut off.

A program that makes them runs within `unshare --map-root-user --net --mount`, which needs no rights where
the kernel lets users make namespaces. Nothing of this reaches the machine's own network.
"""

import subprocess
from typing import Final

UNSHARE: Final = ("unshare", "--map-root-user", "--net", "--mount", "--kill-child", "--fork")
HERE: Final = "10.77.0.1"
_TRIAL: Final = (
    "mount -t tmpfs tmpfs /run && ip link add bridge type bridge && ip link add one type veth peer name other"
)


def missing_network() -> str | None:
    """Why this machine lets nobody make such a network, or None."""
    try:
        tried = subprocess.run(
            [*UNSHARE, "sh", "-c", _TRIAL], capture_output=True, text=True, check=False, timeout=60
        )
    except FileNotFoundError as fault:
        return f"needs the program {fault.filename}"
    return f"needs network namespaces: {tried.stderr.strip()}" if tried.returncode else None


class Machine:
    """A machine of the network.

    Attributes:
        host: its address.
        within: a command that runs the one that follows it there, in the same process.
    """

    def __init__(self, number: int) -> None:
        self._name = f"m{number}"
        self.host = f"10.77.0.{number + 2}"
        self.within = ("nsenter", f"--net=/run/netns/{self._name}")
        self.hardware = f"02:00:00:00:00:{number + 2:02x}"
        _run("ip", "netns", "add", self._name)
        inner = f"type veth peer name eth0 address {self.hardware} netns {self._name}"
        _run("ip", "link", "add", self._name, *inner.split())
        _run("ip", "link", "set", self._name, "master", "bridge", "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{self.host}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")

    def run(self, *command: str) -> None:
        """Run a command there."""
        _run(*self.within, *command)

    def send_to(self, other: "Machine", hardware: str) -> None:
        """Send what is for another machine to this hardware address."""
        told = f"{other.host} lladdr {hardware} nud permanent dev eth0"
        self.run("ip", "neighbour", "replace", *told.split())


class Network:
    """Machines that reach each other, and that this program reaches."""

    _NOBODY: Final = "02:00:00:00:ff:ff"

    def __init__(self, count: int) -> None:
        _run("mount", "-t", "tmpfs", "tmpfs", "/run")
        _run("ip", "link", "set", "lo", "up")
        _run("ip", "link", "add", "bridge", "type", "bridge")
        _run("ip", "address", "add", f"{HERE}/24", "dev", "bridge")
        _run("ip", "link", "set", "bridge", "up")
        self.machines = [Machine(number) for number in range(count)]
        self._cut: set[tuple[Machine, Machine]] = set()
        self.heal()

    def cut(self, sender: Machine, receiver: Machine) -> None:
        """Lose, without a word, whatever one machine sends to another one."""
        sender.send_to(receiver, self._NOBODY)
        self._cut.add((sender, receiver))

    def part(self, some: list[Machine], others: list[Machine]) -> None:
        """Cut two groups off from each other."""
        for one in some:
            for other in others:
                self.cut(one, other)
                self.cut(other, one)

    def heal(self) -> None:
        """Let all machines reach each other again."""
        for sender, receiver in self._cut:
            sender.send_to(receiver, receiver.hardware)
        self._cut.clear()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
