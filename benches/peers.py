#!/usr/bin/env python3
"""Compares our exact odds with icepool and dyce, and with another binary of Tableside, in one run.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install icepool dyce
    cargo build --release --manifest-path benches/peers/Cargo.toml
    /tmp/peers/bin/python benches/peers.py --peers benches/peers/target/release/peers

    # Also the command `odds` of two binaries, such as those of an old and a new commit:
    cargo build --release
    /tmp/peers/bin/python benches/peers.py --peers benches/peers/target/release/peers \\
        --binary OLD --binary target/release/tableside

The first table shows median times of a first and of a repeated computation. A library that keeps its results keeps
them here, so compare it with our repeated computation. A peer that needs longer than the limit (--limit, 20 seconds) is
stopped. The second table shows the times of whole processes, start included.

icepool follows exploding dice for a bounded number of rolls, and dyce, which takes far longer, for two. So only the
totals that a longer chain cannot reach are compared.

The run fails if a fraction differs, or if icepool is less than ten times slower than our repeated computation of a case
that we keep. Odds of written expressions are not kept, so their two times are the same.
"""

import argparse
import json
import multiprocessing
import statistics
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Callable, Optional

import dyce
import icepool
from dyce import H, P
from icepool import d

warnings.simplefilter("ignore")  # dyce calls its explosions experimental.

# How often icepool lets a die explode.
DEPTH = 12


@dataclass
class Case:
    """The same dice in both libraries. `exact_to` is the largest total that their bounded explosions cannot change."""

    icepool: Callable
    dyce: Optional[Callable] = None
    icepool_exact_to: Optional[int] = None
    dyce_exact_to: Optional[int] = None


def outcome_of(margin):
    """The outcome of the check of Gnosis if the hero has `margin` more than the Pain Pool."""
    if margin >= 7:
        return "critical-success"
    if margin > 0:
        return "success"
    if margin == 0:
        return "tie"
    return "failure" if margin > -7 else "critical-failure"


def icepool_strategy():
    power = d(12).pool(2).highest(1).sum()
    precision = d(10).pool(3).highest(1).sum()
    possibility = d(8).pool(4).highest(1).sum()
    pain = d(10).pool(5).highest(3).sum()
    return (power + precision + possibility - pain).map(outcome_of)


def dyce_strategy():
    hero = (2 @ P(12)).at(-1) + (3 @ P(10)).at(-1) + (4 @ P(8)).at(-1)
    pain = (5 @ P(10)).at(slice(-3, None))
    return (hero - pain).apply(outcome_of)


def icepool_rerolled():
    """Four d200 that re-roll 5 and more once, then explode at 200, without the two lowest."""
    once = d(200).reroll(lambda face: face >= 5, depth=1)
    return once.explode([200], depth=2).pool(4).highest(2).sum()


def icepool_unequal():
    exploding = d(10_000).explode(depth=1)
    return 4 @ d(2) + exploding.pool(3).lowest(2).sum()


def icepool_refused():
    return d(1000).pool(30).highest(18).sum() + d(3).pool(500).highest(369).sum()


CASES = {
    "gnosis strategy power-tier=1 precision-tier=2 possibility-tier=3 pain=5": Case(icepool_strategy, dyce_strategy),
    "4d6 keep 3": Case(
        lambda: d(6).pool(4).highest(3).sum(),
        lambda: (4 @ P(6)).at(slice(-3, None)),
    ),
    "d8 + 3d6 keep 2": Case(
        lambda: icepool.Pool([d(8), d(6), d(6), d(6)]).highest(2).sum(),
        lambda: P(8, 6, 6, 6).at(slice(-2, None)),
    ),
    "10d10 keep 5": Case(
        lambda: d(10).pool(10).highest(5).sum(),
        lambda: (10 @ P(10)).at(slice(-5, None)),
    ),
    "10d10!kh5": Case(
        lambda: d(10).explode(depth=DEPTH).pool(10).highest(5).sum(),
        lambda: (10 @ P(dyce.explode_n(H(10), n=2))).at(slice(-5, None)),
        icepool_exact_to=10 * DEPTH - 1,
        dyce_exact_to=29,
    ),
    "100d6": Case(lambda: 100 @ d(6), lambda: 100 @ H(6)),
    "1000d200": Case(lambda: 1000 @ d(200), lambda: 1000 @ H(200)),
    # A chain that is not followed to its end counts as 6 · (DEPTH + 1). The other dice of n add at least n − 1.
    "20d6!": Case(
        lambda: 20 @ d(6).explode(depth=DEPTH),
        lambda: 20 @ dyce.explode_n(H(6), n=2),
        icepool_exact_to=6 * (DEPTH + 1) + 18,
        dyce_exact_to=6 * 3 + 18,
    ),
    "50d6!": Case(
        lambda: 50 @ d(6).explode(depth=DEPTH),
        lambda: 50 @ dyce.explode_n(H(6), n=2),
        icepool_exact_to=6 * (DEPTH + 1) + 48,
        dyce_exact_to=6 * 3 + 48,
    ),
    "4d2+3d10000!dh1": Case(icepool_unequal, icepool_exact_to=10_000),
    "4d200!r>=5dl2": Case(icepool_rerolled, icepool_exact_to=600),
    "30d1000dl12+500d3kh369": Case(icepool_refused),
}


def median_time(compute):
    """Returns the median time of a call in microseconds. Two more calls fill caches before."""
    start = time.perf_counter()
    compute()
    compute()
    estimate = (time.perf_counter() - start) / 2

    times = []
    for _ in range(min(2001, max(5, int(0.5 / estimate)))):
        start = time.perf_counter()
        compute()
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


def measure(compute, results):
    sys.setrecursionlimit(100_000)  # icepool recurses once for each die or outcome.
    odds = {value: ways for value, ways in compute().items()}
    results.send((odds, median_time(compute)))


def measure_within(limit, compute):
    """Returns the odds and the time of a computation in a process of its own, or the reason why there are none."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=measure, args=(compute, sender))
    process.start()
    sender.close()
    result = f"> {limit:g} s"
    try:
        if receiver.poll(limit):
            result = receiver.recv()
    except EOFError:
        result = "fails"
    process.kill()
    process.join()
    return result


def to_fractions(ways):
    """Divides numbers of ways by their sum, and leaves out values without ways."""
    total = sum(ways.values())
    return {value: Fraction(number, total) for value, number in ways.items() if number}


def our_fractions(case):
    if "outcomes" in case:
        chances = {outcome: Fraction(chance) for outcome, chance in case["outcomes"]}
        return {outcome: chance for outcome, chance in chances.items() if chance}
    total = int(case["total"])
    return {value: Fraction(int(ways), total) for value, ways in case["ways"]}


def is_equal(ours, theirs, exact_to):
    values = ours.keys() | theirs.keys()
    if exact_to is not None:
        # We list totals until the others are very unlikely, so a peer may list more.
        values = {value for value in values if value <= min(exact_to, max(ours))}
    return all(ours.get(value) == theirs.get(value) for value in values)


def compare_libraries(peers, limit):
    """Prints a row for each case. Returns False if a fraction differs or icepool is too fast."""
    cases = json.loads(subprocess.check_output([peers, "--json"]))
    print(f"Exact odds, median times in µs: icepool {icepool.__version__}, dyce {dyce.__version__}")
    print(f"{'':<42}{'first':>11}{'repeated':>11}{'icepool':>13}{'ratio':>9}{'dyce':>13}{'ratio':>9}  equal")

    is_good = True
    for case in cases:
        name = case["case"]
        row = f"{name[:41]:<42}{case['first']:>11.1f}{case['repeated']:>11.2f}"
        refused = case.get("refused", False)
        answers = ["refused"] if refused else []
        theirs = CASES.get(name)
        for library in ("icepool", "dyce") if theirs else ():
            compute = getattr(theirs, library)
            result = measure_within(limit, compute) if compute else "–"
            if isinstance(result, str):
                row += f"{result:>13}{'–':>9}"
                continue
            ways, median = result
            ratio = median / case["repeated"]
            row += f"{median:>13.1f}{ratio:>9.1f}"
            if refused:
                continue
            exact_to = getattr(theirs, f"{library}_exact_to")
            equal = is_equal(our_fractions(case), to_fractions(ways), exact_to)
            answers.append("yes" if equal else "NO")
            is_cached = case["repeated"] < case["first"]
            is_good &= equal and (library == "dyce" or not is_cached or ratio >= 10)
        print(f"{row}  {', '.join(answers)}", flush=True)
    return is_good


PROCESSES = {
    "d6": ["d6"],
    "20d6!": ["20d6!"],
    "50d6!": ["50d6!"],
    "4d2+3d10000!dh1": ["4d2+3d10000!dh1"],
    "30d1000dl12+500d3kh369": ["30d1000dl12+500d3kh369"],
    "4d200!r>=5dl2": ["4d200!r>=5dl2"],
    "1000d200": ["1000d200"],
    "pushed pools 6+5+3+5": "pushed-pools test --attribute 6 --skill 5 --gear 3 --stress 5".split(),
    "pushed pools 10+12+6+10": (
        "pushed-pools test --attribute 10 --skill 6 --gear 6 --stress 10 --easier 3 --helpers 3".split()
    ),
}


def time_process(command, limit):
    """Returns the median time of a process in milliseconds, and whether it refused. None if it takes too long."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        try:
            process = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        times.append((time.perf_counter() - start) * 1e3)
        if times[-1] > 2e3:
            break
    return statistics.median(times), process.returncode != 0


def compare_binaries(binaries, limit):
    print("\nThe command odds, median times of the whole process in ms")
    print(f"{'':<28}" + "".join(f"{name[-18:]:>20}" for name in binaries))
    for name, arguments in PROCESSES.items():
        row = f"{name:<28}"
        for binary in binaries:
            result = time_process([binary, "odds", *arguments], limit)
            if result is None:
                row += f"{f'> {limit:g} s':>20}"
                continue
            median, refused = result
            row += f"{f'{median:.1f}' + (' refused' if refused else ''):>20}"
        print(row, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", required=True, help="the program of benches/peers")
    parser.add_argument("--binary", action="append", default=[], help="a binary of Tableside")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one case of a peer")
    arguments = parser.parse_args()

    is_good = compare_libraries(arguments.peers, arguments.limit)
    if arguments.binary:
        compare_binaries(arguments.binary, arguments.limit)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
