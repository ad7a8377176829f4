#!/usr/bin/env python3
"""Compares two binaries of Tableside in large games: long evenings, many characters, long logs, many games.

    cargo build --release --bin tableside --example lengthen
    python3 benches/long_games.py --base OLD --new target/release/tableside --games /tmp/long-games [ROW…]

OLD makes all games, so it can be any earlier version; NEW gets copies of them. The games stay in the folder --games and
are used again the next time. The rows are: evening, characters, party, list, statistics, verify, json. The row
`evening` needs OpenSSH; it takes some minutes.

The two binaries take turns. Each figure is the median or the least of several repetitions, so another process may use
the machine at the same time. Only the ratio of two figures of one run counts. Needs Linux.
"""

import argparse
import csv
import os
import pty
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
LENGTHEN = REPOSITORY / "target/release/examples/lengthen"

STATS = {
    "heart": "d8", "heart-now": "d8", "might": "d6", "agility": "d8", "cunning": "d4", "presence": "d6",
    "hit-points": "40", "hit-points-most": "40", "paragon": "0", "weapon": "d8", "armor": "light", "shield": "none",
}  # fmt: skip

# Seconds without output after which a frame is complete.
QUIET = 0.02


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="the binary to compare with")
    parser.add_argument("--new", type=Path, required=True)
    parser.add_argument("--games", type=Path, required=True, help="the folder for the games, about 1.5 GB")
    parser.add_argument("--acts", type=int, default=50_000, help="how many acts the evening has")
    parser.add_argument("rows", nargs="*", metavar="ROW", choices=[*ROWS, []], help="all rows if none is named")
    arguments = parser.parse_args()

    arguments.games.mkdir(parents=True, exist_ok=True)
    os.environ["HOME"] = str(arguments.games.resolve())
    # Options for development must not change what is measured.
    for name in [name for name in os.environ if name.startswith("TABLESIDE_")]:
        del os.environ[name]
    binaries = Binaries(arguments.base.resolve(), arguments.new.resolve(), arguments.games.resolve(), arguments.acts)
    for row in arguments.rows or ROWS:
        ROWS[row](binaries)


@dataclass
class Binaries:
    base: Path
    new: Path
    folder: Path
    acts: int

    def each(self):
        """The two binaries with the folder of their games. The folder of the new binary has copies."""
        return {"base": (self.base, self.folder / "base"), "new": (self.new, self.folder / "new")}

    def copy(self, name):
        """Copies a game of the base binary for the new one, and lets each of them replay and save it once."""
        copied = self.folder / "new" / name
        if not copied.exists():
            copied.parent.mkdir(exist_ok=True)
            shutil.copytree(self.folder / "base" / name, copied)

    def make(self, name, fill):
        """Makes a game with the base binary, unless it is there already."""
        data = self.folder / "base"
        if not (data / name).exists():
            run(self.base, data, "new", name, "--system", "heart-rush")
            fill(data)
        self.copy(name)


def run(binary, data, *words):
    result = subprocess.run([binary, *words, "--data", data], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{binary} {' '.join(map(str, words))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def report(title, base, new, unit, aim=""):
    ratio = new / base
    print(f"{title:62} {base:10.2f} {new:10.2f} {unit:4} {ratio:6.2f}  {aim}", flush=True)


# Games


def party(binaries, name, characters, clocks=1):
    """A game of Heart Rush with a party, clocks and a few acts."""

    def fill(data):
        file = binaries.folder / f"{name}.csv"
        with open(file, "w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["name", "player", "side", *STATS])
            for number in range(1, characters + 1):
                player = f"Player {number}" if number <= 4 else ""
                writer.writerow([f"Character {number}", player, "party", *STATS.values()])
        run(binaries.base, data, "import", file, "--session", name)
        lines = " ".join(f"Clock {number}: 1/8" for number in range(1, clocks + 1))
        run(binaries.base, data, "do", name, "add", "clocks", lines)

    binaries.make(name, fill)


def long_log(binaries, name, characters, clocks, entries):
    """The same, with a log that repeats some acts."""
    party(binaries, name, characters, clocks)
    base = binaries.folder / "base" / name
    if (base / "long").exists():
        return

    acts = [
        "roll Character 1 agility cn=12",
        "tick Clock 1",
        "roll Character 2 might cn=10",
        "roll 2d6+3",
        "roll Character 3 cunning cn=15 help=Character 4",
        "untick Clock 1",
        "note The rope is cut halfway",
        "roll Character 4 presence cn=8",
        "damage Character 5 3",
        "heal Character 5 3",
        "next scene The warehouse",
        "roll Character 6 agility cn=14",
    ]
    data = binaries.folder / "base"
    first = 1 + count_lines(base)
    for act in acts:
        run(binaries.base, data, "do", name, *act.split())
    subprocess.run([LENGTHEN, base, str(entries), str(first)], check=True)
    # An act replays the new events and saves their state.
    run(binaries.base, data, "do", name, "tick", "Clock", "2")
    (base / "long").touch()

    shutil.rmtree(binaries.folder / "new" / name)
    binaries.copy(name)
    run(binaries.new, binaries.folder / "new", "do", name, "untick", "Clock", "2")
    run(binaries.base, data, "do", name, "untick", "Clock", "2")


def count_lines(game):
    return sum(file.read_bytes().count(b"\n") for file in (game / "journal").iterdir())


# Screens


class Screen:
    """A program in a pseudo-terminal of 120x40."""

    def __init__(self, command):
        self.terminal, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        environment = dict(os.environ, TERM="xterm-256color")
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env=environment
        )
        os.close(slave)
        select.select([self.terminal], [], [], 20)
        self.read_until_quiet(0.3, 20)

    def read_until_quiet(self, quiet, limit):
        """Reads the output until there is none for `quiet` seconds."""
        ends = time.monotonic() + limit
        while time.monotonic() < ends:
            if not select.select([self.terminal], [], [], quiet)[0]:
                return
            try:
                os.read(self.terminal, 1 << 16)
            except OSError:
                # The program has ended.
                return

    def write(self, keys):
        while keys:
            select.select([self.terminal], [self.terminal], [], 1)
            keys = keys[os.write(self.terminal, keys[:512]) :]
            while select.select([self.terminal], [], [], 0)[0]:
                os.read(self.terminal, 1 << 16)

    def key(self, keys):
        """Sends a key. Returns the milliseconds to the first byte of its frame."""
        began = time.perf_counter()
        os.write(self.terminal, keys)
        if not select.select([self.terminal], [], [], 2)[0]:
            sys.exit(f"the screen did not answer the key {keys}")
        elapsed = (time.perf_counter() - began) * 1e3
        self.read_until_quiet(QUIET, 1)
        return elapsed

    def processor(self):
        """The processor time of all threads in milliseconds."""
        return processor_time(self.process.pid)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        while self.process.poll() is None:
            self.read_until_quiet(0.05, 0.2)
            time.sleep(0.01)
        os.close(self.terminal)


def processor_time(pid):
    nanoseconds = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            nanoseconds += int(file.read().split()[0])
    return nanoseconds / 1e6


def memory(pid):
    """The resident memory in MiB."""
    with open(f"/proc/{pid}/status") as file:
        line = next(line for line in file if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


@dataclass
class KeyCost:
    """The milliseconds from a key to its frame, and the processor time of the program for it."""

    wall: float
    processor: float


def cost_of_keys(binary, data, game, setup, keys, count):
    """The median time of keys that are sent in turn, and their mean processor time."""
    screen = Screen([binary, game, "--data", data])
    for key in setup + keys * 2:
        screen.key(key)
    before = screen.processor()
    times = [screen.key(keys[number % len(keys)]) for number in range(count)]
    processor = (screen.processor() - before) / count
    screen.close()
    return KeyCost(statistics.median(times), processor)


def compare_keys(binaries, game, setup, keys, count=60, repetitions=5):
    """The least costs of several starts, for each binary."""
    least = {name: KeyCost(float("inf"), float("inf")) for name in binaries.each()}
    for _ in range(repetitions):
        for name, (binary, data) in binaries.each().items():
            cost = cost_of_keys(binary, data, game, setup, keys, count)
            least[name].wall = min(least[name].wall, cost.wall)
            least[name].processor = min(least[name].processor, cost.processor)
    return least


def report_keys(title, least, aim=""):
    base, new = least["base"], least["new"]
    report(f"{title}, key to frame", base.wall, new.wall, "ms", aim)
    report(f"{title}, processor", base.processor, new.processor, "ms", aim)


# Rows

TICK = {"setup": [b"3"], "keys": [b"+", b"-"]}
# The cursor goes to the hit points, and the value is raised and lowered.
STEP = {"setup": [b"2", b"\x1b[C"], "keys": [b"-", b"+"]}


def measure_characters(binaries):
    """Row 8: an act with 12, 100 and 500 characters."""
    results = {}
    for characters in [12, 100, 500]:
        game = f"party-{characters}"
        party(binaries, game, characters)
        for title, keys in [("tick on the Clocks tab", TICK), ("value on the Party tab", STEP)]:
            least = compare_keys(binaries, game, **keys)
            results[title, characters] = least
            report_keys(f"{title}, {characters} characters", least)
    for title in ["tick on the Clocks tab", "value on the Party tab"]:
        few, many = results[title, 12], results[title, 500]
        base, new = (many[name].processor / few[name].processor for name in ["base", "new"])
        report(f"{title}, 500 against 12, processor", base, new, "×", "new ≤ 3")


def measure_party(binaries):
    """Row 9: an act on the Party tab of the full game."""
    long_log(binaries, "full", 40, 60, 100_000)
    least = compare_keys(binaries, "full", **STEP, count=100, repetitions=7)
    report_keys("value on the Party tab, full game", least, "ratio ≤ 0.60")


def measure_evening(binaries):
    """Rows 6 and 7: what a key of a player costs the server late in the evening, and the memory."""
    party(binaries, "evening", 12)
    key = binaries.folder / "key"
    if not key.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    public = key.with_suffix(".pub").read_text().strip()
    evenings = {}
    for name, (binary, data) in binaries.each().items():
        access = data / "evening" / "access.toml"
        seat = f'[[seat]]\nname = "Player 1"\nrole = "player"\nkeys = ["{public}"]\n'
        access.write_text(seat)
        access.chmod(0o600)
        evenings[name] = Evening(binary, data, key)

    for acts in [100, 1_000, 10_000, binaries.acts]:
        for evening in evenings.values():
            evening.play(acts)
        costs = {name: float("inf") for name in evenings}
        for _ in range(3):
            for name, evening in evenings.items():
                costs[name] = min(costs[name], evening.player_key())
        memories = {name: memory(evening.gm.process.pid) for name, evening in evenings.items()}
        report(f"player's key after {acts} acts, processor", costs["base"], costs["new"], "ms", "new constant")
        report(f"memory after {acts} acts", memories["base"], memories["new"], "MiB", "new constant")
    for evening in evenings.values():
        evening.close()


class Evening:
    """A GM at a terminal, and a player who looks on over SSH."""

    def __init__(self, binary, data, key):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        self.gm = Screen([binary, "evening", "--data", data, "--listen", f"127.0.0.1:{port}"])
        self.gm.key(b"3")
        options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
        # OpenSSH 9.5 and later delay typed keys, earlier versions do not know the option.
        options += ["-o", "IgnoreUnknown=ObscureKeystrokeTiming", "-o", "ObscureKeystrokeTiming=no"]
        options += ["-o", "IdentitiesOnly=yes", "-i", str(key)]
        self.player = Screen(["ssh", "-tt", *options, "-p", str(port), "-l", "Player 1", "127.0.0.1"])
        self.player.key(b"2")
        self.acts = 0

    def play(self, acts):
        """Advances the clock and sets it back until there were so many acts."""
        while self.acts < acts:
            self.gm.write(b"+-" * 50)
            self.acts += 100
            if self.acts % 1_000 == 0:
                self.settle()
        self.settle()

    def settle(self):
        self.gm.read_until_quiet(0.2, 60)
        self.player.read_until_quiet(0.2, 5)

    def player_key(self):
        """The processor time of the server for a key of the player, in milliseconds."""
        keys = 60
        began = self.gm.processor()
        for number in range(keys):
            self.player.key([b"\x1b[B", b"\x1b[A"][number % 2])
        return (self.gm.processor() - began) / keys

    def close(self):
        self.player.close()
        self.gm.close()


def measure_list(binaries):
    """Row 12: the list of 1,000 games, beside `ls -l`."""
    for name, (_, data) in binaries.each().items():
        many = data.parent / f"{name}-1000"
        if not many.exists():
            run(binaries.base, binaries.folder / "seed", "new", "demo", "--system", "heart-rush", "--sample")
            for number in range(1_000):
                shutil.copytree(binaries.folder / "seed/demo", many / f"game-{number}")
            # A list is kept only of files that have not just been changed.
            time.sleep(3)
            shutil.rmtree(binaries.folder / "seed")

    commands = {
        "base": [binaries.base, "sessions", "--data", binaries.folder / "base-1000"],
        "new": [binaries.new, "games", "--data", binaries.folder / "new-1000"],
        "ls": ["ls", "-l", binaries.folder / "new-1000"],
    }
    (binaries.folder / "new-1000/.games.index").unlink(missing_ok=True)
    first = timed(commands["new"]).wall
    least = least_times(commands, 9)
    base, new, ls = (least[name].wall * 1e3 for name in ["base", "new", "ls"])
    report("list of 1,000 games", base, new, "ms")
    report("list of 1,000 games, ls -l instead of base", ls, new, "ms", "ratio ≤ 3")
    report("list of 1,000 games, new without an index", base, first * 1e3, "ms")


@dataclass
class Times:
    """The seconds by the clock, and those of all threads on processors."""

    wall: float
    processor: float


def timed(command):
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    return Times(wall, usage.ru_utime + usage.ru_stime)


def least_times(commands, repetitions):
    """Runs the commands in turn. Returns the least times of each."""
    least = {name: Times(float("inf"), float("inf")) for name in commands}
    for _ in range(repetitions):
        for name, command in commands.items():
            times = timed(command)
            least[name].wall = min(least[name].wall, times.wall)
            least[name].processor = min(least[name].processor, times.processor)
    return least


def compare_commands(binaries, title, words, repetitions=3):
    """Times a command on the log of a million entries."""
    long_log(binaries, "long", 12, 2, 1_000_000)
    commands = {name: [binary, *words, "--data", data] for name, (binary, data) in binaries.each().items()}
    least = least_times(commands, repetitions)
    base, new = least["base"], least["new"]
    report(f"{title}, a million entries", base.wall, new.wall, "s", f"{os.cpu_count()} cores")
    report(f"{title}, processor time", base.processor, new.processor, "s")
    # A busy machine gives the threads less than all cores.
    cores = new.processor / new.wall
    report(f"{title}, cores in use", base.processor / base.wall, cores, "", f"of {os.cpu_count()}")
    return least


def measure_statistics(binaries):
    """Row 13: statistics of a million entries. Older versions have them on the screen only."""
    compare_commands(binaries, "log --statistics", ["log", "long", "--statistics"])


def measure_verify(binaries):
    """Row 13: `verify` of a million entries."""
    compare_commands(binaries, "verify", ["verify", "long"])


def measure_json(binaries):
    """Row 13: `log --json` of a million entries."""
    least = compare_commands(binaries, "log --json", ["log", "long", "--json"])
    sizes = {}
    for name, (binary, data) in binaries.each().items():
        counted = subprocess.Popen([binary, "log", "long", "--json", "--data", data], stdout=subprocess.PIPE)
        sizes[name] = sum(len(chunk) for chunk in iter(lambda: counted.stdout.read(1 << 20), b"")) / 1e6
    speeds = {name: sizes[name] / least[name].wall for name in sizes}
    report("log --json, speed", speeds["base"], speeds["new"], "MB/s", "new ≥ 100")
    # What the same processor time would give with all cores.
    speeds = {name: sizes[name] / (least[name].processor / os.cpu_count()) for name in sizes}
    report("log --json, speed with all cores in use", speeds["base"], speeds["new"], "MB/s", "new ≥ 100")


ROWS = {
    "evening": measure_evening,
    "characters": measure_characters,
    "party": measure_party,
    "list": measure_list,
    "statistics": measure_statistics,
    "verify": measure_verify,
    "json": measure_json,
}

if __name__ == "__main__":
    main()
